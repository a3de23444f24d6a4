"""What ``gradcheck`` and the check of a rule say."""

from __future__ import annotations

TABLE = {
    # verdicts on one gradient
    "check.right": ("right", "正确"),
    "check.right_kink": (
        "right; kink at {places}, where any slope between the two sides will do",
        "正确；{places} 处有折点，左右斜率之间的任何值都可以",
    ),
    "check.right_unused": ("right: 0, the result does not depend on it here", "正确：为 0，结果在此处与它无关"),
    "check.nan": ("NaN or Inf at {places}", "{places} 处为 NaN 或 Inf"),
    "check.undefined": (
        "cannot be checked at {places}: NaN or Inf in the function itself, there or right beside",
        "{places} 处无法检验：函数本身在那里或紧邻处为 NaN 或 Inf",
    ),
    "check.cut": (
        "no gradient reaches this input (cut on the way: stop_gradient, .asnumpy(), a rule that returns None)",
        "没有梯度传到这个输入（途中被截断：stop_gradient、.asnumpy()、返回 None 的规则）",
    ),
    "check.zero": ("zero gradient, where it should not be", "梯度为零，但不应为零"),
    "check.constant": (
        "constant gradient {value}, where the numeric one varies",
        "梯度恒为 {value}，而数值梯度各处不同",
    ),
    "check.surrogate": (
        "the numeric gradient is 0: the forward is a step, and the rule is a surrogate for it",
        "数值梯度为 0：正向是阶跃函数，规则是它的替代梯度",
    ),
    "check.ignores_dout": (
        "the rule ignores dout: another incoming gradient gives the same result",
        "规则忽略了 dout：换一个传入梯度，结果不变",
    ),
    "check.ignores_output": (
        "the rule ignores dout of output {output}",
        "规则忽略了第 {output} 个输出的 dout",
    ),
    "check.sign": ("sign reversed", "符号相反"),
    "check.exchanged": (
        "gradient of the wrong input (exchanged): it is that of {other}",
        "是另一个输入的梯度（次序颠倒）：它等于 {other} 的梯度",
    ),
    "check.transposed": ("transposed", "被转置了"),
    "check.transposed_other": (
        "right for a transposed {other}: a transpose is missing, or one too many",
        "对转置后的 {other} 才正确：少了或多了一次转置",
    ),
    "check.sum_broadcast": (
        "the sum over the broadcast axis is missing: only index {index} of axis {axis} counts",
        "缺少对广播轴的求和：轴 {axis} 只算了索引 {index}",
    ),
    "check.sum_missing": (
        "the sum over axis {axis} of dout is missing: only index {index} counts",
        "缺少对 dout 的轴 {axis} 的求和：只算了索引 {index}",
    ),
    "check.factor": ("off by the constant factor {factor}", "差一个常数因子 {factor}"),
    "check.factor_named": (
        "off by the constant factor {factor} (= {name})",
        "差一个常数因子 {factor}（= {name}）",
    ),
    "check.not_linear": (
        "the rule is not linear in dout: twice dout does not give twice the gradient",
        "规则对 dout 不是线性的：dout 加倍，梯度并不加倍",
    ),
    "check.only_for_some": ("right for some incoming gradients only", "只对某些传入梯度正确"),
    "check.misplaced": ("the right numbers at the wrong elements", "数值正确，但放错了元素"),
    "check.only_at": (
        "right only at {places}; wrong: {count} of {of}{where}",
        "只在 {places} 处正确；{of} 个中错 {count} 个{where}",
    ),
    "check.differs": (
        "differs at {places}: {count} of {of}{where}",
        "在 {places} 处不同：{of} 个中有 {count} 个{where}",
    ),
    "check.differs_everywhere": ("differs at every element", "每个元素都不同"),
    "check.where_above": (", those with {name} ≥ {bound}", "，即 {name} ≥ {bound} 的元素"),
    "check.where_below": (", those with {name} ≤ {bound}", "，即 {name} ≤ {bound} 的元素"),
    "check.where_zero": (", those where the numeric gradient is 0", "，即数值梯度为 0 的元素"),
    # the report
    "check.by": ("∂{name}: {text}", "∂{name}：{text}"),
    "check.worst": (
        "{name}: the gradient at {place} is {rule}, central differences give {numeric}",
        "{name}：{place} 处的梯度是 {rule}，中心差分得到 {numeric}",
    ),
    "check.note": (
        "Numeric: central differences, {dtype}, h = {h}; the same draws and state in every run.",
        "数值梯度：中心差分，{dtype}，h = {h}；每次运行的随机数与状态相同。",
    ),
    "check.sampled": (
        "Checked of {name}: {count} of {of} elements, spread over all of it; sample=False checks every one.",
        "{name} 只检验了 {of} 个元素中均匀分布的 {count} 个；sample=False 检验全部。",
    ),
    "check.head_gradient": ("gradient", "梯度"),
    "check.head_shape": ("shape", "形状"),
    "check.head_max_abs": ("max abs error", "最大绝对误差"),
    "check.head_max_rel": ("max rel error", "最大相对误差"),
    "check.head_worst_at": ("worst at", "最差处"),
    "check.head_rule": ("rule", "规则"),
    "check.head_numeric": ("numeric", "数值"),
    "check.head_verdict": ("verdict", "结论"),
    # second order
    "check.second": ("first order right, second order wrong: {text}", "一阶正确，二阶有误：{text}"),
    "check.constant_whole": ("the rule treats {name} as constant", "规则把 {name} 当作常数"),
    "check.constant_part": (
        "the rule treats something made of {name} as constant (a saved value, .asnumpy(), stop_gradient)",
        "规则把由 {name} 得到的某个值当作常数（保存的值、.asnumpy() 或 stop_gradient）",
    ),
    # names of factors
    "check.length": ("{length}, {name}", "{length}，{name}"),
    "check.axis_of": ("the length of axis {axis} of {name}", "{name} 的轴 {axis} 的长度"),
    "check.size_of": ("the number of elements of {name}", "{name} 的元素个数"),
    "check.output": ("the output", "输出"),
}
