"""Why a gradient is missing, zero or no number."""

from __future__ import annotations

TABLE = {
    "causes.stop": ("{sentence}.", "{sentence}。"),
    # heads
    "causes.head_computed": ("A gradient arrived.", "梯度已到达。"),
    "causes.head_zero": ("Exactly 0.", "恰好为 0。"),
    "causes.head_cut": ("Cut: no gradient.", "被截断：没有梯度。"),
    "causes.head_not_needed": ("Not needed: no gradient.", "不需要：没有梯度。"),
    "causes.head_not_asked": ("Not asked for: no gradient.", "未要求：没有梯度。"),
    "causes.head_not_differentiable": ("No gradient by rule.", "按规则没有梯度。"),
    "causes.head_nan": ("The gradient is not finite.", "梯度不是有限数。"),
    "causes.head_value_nan": ("The value is not finite.", "值不是有限数。"),
    "causes.came_in_constant": ("A constant", "一个常量"),
    "causes.came_in_input": ("An input", "一个输入"),
    "causes.came_in_parameter": ("A Parameter", "一个参数"),
    "causes.came_in_op": ("A value", "一个值"),
    # nothing odd, or nothing computed
    "causes.computed_one": ("It is {number}, sent by {ops}.", "它是 {number}，由 {ops} 送来。"),
    "causes.computed_all": (
        "Each of its elements is {number}, sent by {ops}.",
        "每个元素都是 {number}，由 {ops} 送来。",
    ),
    "causes.computed": (
        "Its elements are finite and not all 0: from {low} to {high}, sent by {ops}.",
        "各元素都有限且不全为 0：从 {low} 到 {high}，由 {ops} 送来。",
    ),
    "causes.start": ("The backward pass starts here.", "反向从这里开始。"),
    "causes.cut_further": ("Further back it is cut: {why}.", "再往后梯度被截断：{why}。"),
    "causes.head_empty": ("No elements.", "没有元素。"),
    "causes.empty": (
        "Its shape is {shape}: there is nothing that could get a gradient.",
        "它的形状为 {shape}：没有可以得到梯度的元素。",
    ),
    "causes.not_zero": (
        "There is no gradient here; that is not the same as a gradient of 0.",
        "这里没有梯度，这与梯度为 0 不是一回事。",
    ),
    # zeros
    "causes.zero_unknown": ("It comes round to itself.", "它回到了自身。"),
    "causes.zero_arrived": (
        "No rule sent anything: it was 0 from the start, or a hook put 0 in its place.",
        "没有规则送来任何梯度：它从一开始就是 0，或被钩子换成了 0。",
    ),
    "causes.zero_hook": (
        "The rules sent something else than 0; a hook put zeros in its place.",
        "规则送来的并不是 0，是钩子把它换成了 0。",
    ),
    "causes.zero_broadcast": (
        "It was used with the broadcast shape {before}; summed back to {after}, its parts cancel exactly.",
        "它以广播后的形状 {before} 参与计算；求和回到 {after} 时各部分恰好抵消。",
    ),
    "causes.zero_cancel": (
        "It is used several times and what comes back cancels exactly: {terms} = 0, from {ops}.",
        "它被多次使用，传回的各项恰好抵消：{terms} = 0，来自 {ops}。",
    ),
    "causes.zero_rounded": (
        "It is used several times and what comes back cancels in {dtype}: {terms} = 0, from {ops}.",
        "它被多次使用，传回的各项在 {dtype} 中抵消：{terms} = 0，来自 {ops}。",
    ),
    "causes.zero_large": (
        "What the rules sent is not 0, yet all of it together is: it cancels, or a hook put zeros in its place. "
        "Arrays of this size are not kept, so which of both cannot be told.",
        "规则送来的并不是 0，合起来却是 0：各项抵消，或被钩子换成了 0。这么大的数组没有保留，因此无法判断是哪一种。",
    ),
    "causes.zero_nothing_used": (
        "Of it {op} used no element: what arrived there has the shape {shape}.",
        "{op} 没有用到它的任何元素：到达那里的梯度形状为 {shape}。",
    ),
    "causes.zero_behind": ("What arrived at {op} was already 0.", "到达 {op} 的梯度已经是 0。"),
    "causes.zero_bprop": ("{cell}'s bprop returned zeros.", "{cell} 的 bprop 返回了 0。"),
    "causes.zero_relu": (
        "{op} is off at all {count} of them: their inputs are ≤ 0, where its slope is 0.",
        "{op} 在这全部 {count} 个位置都关闭：输入 ≤ 0，那里斜率为 0。",
    ),
    "causes.zero_outside": (
        "All {count} of them lie outside the bounds of {op}, where its slope is 0.",
        "这全部 {count} 个位置都在 {op} 的界限之外，那里斜率为 0。",
    ),
    "causes.zero_dropped": (
        "{op} dropped all {count} of them: its mask is 0 there.",
        "{op} 丢弃了这全部 {count} 个元素：那里的掩码为 0。",
    ),
    "causes.zero_factor": (
        "The other factor of {op} is 0 at all {count} of them, and ∂x = g · y.",
        "{op} 的另一个因子在这全部 {count} 个位置为 0，而 ∂x = g · y。",
    ),
    "causes.zero_branch": (
        "{op} took the other branch at all {count} of them.",
        "{op} 在这全部 {count} 个位置选择了另一个分支。",
    ),
    "causes.zero_not_largest": (
        "At all {count} of them {op} took the other input, which is larger.",
        "在这全部 {count} 个位置，{op} 取了更大的另一个输入。",
    ),
    "causes.zero_not_smallest": (
        "At all {count} of them {op} took the other input, which is smaller.",
        "在这全部 {count} 个位置，{op} 取了更小的另一个输入。",
    ),
    "causes.zero_kink": (
        "{op} has a kink at 0 and all {count} of them are 0: by convention the slope there is 0.",
        "{op} 在 0 处有折点，这全部 {count} 个元素都是 0：按约定那里的斜率为 0。",
    ),
    "causes.zero_flat": (
        "{op} is flat at 0, and all {count} of them are 0.",
        "{op} 在 0 处是平的，这全部 {count} 个元素都是 0。",
    ),
    "causes.zero_saturated": (
        "{op} is saturated at all {count} of them: float numbers leave no slope.",
        "{op} 在这全部 {count} 个位置已饱和：浮点数中斜率为 0。",
    ),
    "causes.zero_not_taken": ("{op} took other elements.", "{op} 取的是其他元素。"),
    "causes.zero_rule": ("{op}'s rule gives 0 here: {formula}.", "{op} 的规则在这里给出 0：{formula}。"),
    "causes.some_zero": ("{zeros} of {size} elements are exactly 0.", "{size} 个元素中有 {zeros} 个恰好为 0。"),
    # NaN and infinity
    "causes.came_in": ("{name} came in with {found}.", "{name} 进来时就含有 {found}。"),
    "causes.made_by": ("{op} made it from finite numbers.", "{op} 由有限数产生了它。"),
    "causes.made": ("{op} made it: {inputs} → {out} at {at}.", "由 {op} 产生：{inputs} → {out}，位于 {at}。"),
    "causes.spreads": ("From there it spread to here.", "它从那里传播到这里。"),
    "causes.gradient_arrived": ("The gradient was not finite from the start.", "梯度从一开始就不是有限数。"),
    "causes.gradient_sum": (
        "Every rule gave finite numbers; their sum overflowed, or a hook put it in.",
        "每条规则都给出有限数；是它们的和溢出，或由钩子放入。",
    ),
    "causes.gradient_bprop": ("{cell}'s bprop returned it.", "由 {cell} 的 bprop 返回。"),
    "causes.gradient_made_by": ("{op}'s rule made it: {formula}.", "由 {op} 的规则产生：{formula}。"),
    "causes.gradient_made": (
        "{op}'s rule made it at {at}: {formula} with g = {g} and inputs {inputs} gives {out}.",
        "由 {op} 的规则在 {at} 产生：{formula}，其中 g = {g}，输入为 {inputs}，结果为 {out}。",
    ),
    "causes.hidden_branch": (
        "g is 0 there: the result does not depend on this branch, but 0 · ∞ is NaN. Mask the input before the op, "
        "not only the output after it.",
        "那里 g 为 0：结果并不依赖这个分支，但 0 · ∞ 是 NaN。应在算子之前对输入做掩码，而不是只对输出做掩码。",
    ),
}
