"""What jit says of a function: why it runs eagerly, and its plan."""

TABLE = {
    "jit.eager": ("{name} runs eagerly inside jit: {reason}", "{name} 在 jit 中按动态图执行：{reason}"),
    "jit.no_such_plan": (
        "{name} has no plan for such a call: call it first with inputs of these shapes and dtypes",
        "{name} 没有适合这种调用的计划：请先用同样形状和 dtype 的输入调用它",
    ),
    "jit.no_plan": ("no plan of {name}, it runs eagerly: {reason}", "{name} 没有计划，按动态图执行：{reason}"),
    "jit.plans_0": ("no plan of {name} yet", "{name} 还没有计划"),
    "jit.plans_1": ("1 plan of {name}", "{name} 有 1 个计划"),
    "jit.plans_2": ("{count} plans of {name}", "{name} 有 {count} 个计划"),
    "jit.update": ("updates {parameter} with {gradient}", "用 {gradient} 更新 {parameter}"),
    "jit.updates": ("updates {count} parameters", "更新 {count} 个参数"),
    "jit.no_run": ("no plan yet: the function has not been called", "还没有计划：函数尚未被调用"),
    "jit.escape": (
        "a Tensor's values leave the engine ({what}, in {where})",
        "Tensor 的值离开了引擎（{what}，在 {where} 中）",
    ),
    "jit.late_guard": (
        "a Python value is taken from a Tensor ({what}, in {where}) after something outside was written",
        "在写入外部数据之后又从 Tensor 取出 Python 值（{what}，在 {where} 中）",
    ),
    "jit.late_form": (
        "after something outside was written, the shape of what {what} gives could be another one",
        "在写入外部数据之后，{what} 结果的形状可能改变",
    ),
    "jit.unseen": (
        "a Tensor is used inside a step unseen (in {where})",
        "Tensor 在某一步内部被暗中使用（在 {where} 中）",
    ),
    "jit.foreign": ("a value of another jit function is used", "用到了另一个 jit 函数的值"),
    "jit.generator": (
        "random numbers come from a generator of their own, or the seed is set",
        "随机数来自单独的生成器，或设置了随机种子",
    ),
    "jit.random": ("it draws from NumPy's or Python's random numbers", "使用了 NumPy 或 Python 的随机数"),
    "jit.raises": ("{step} raises an error that it catches", "{step} 引发了被捕获的错误"),
    "jit.container": ("it changes or returns a {kind} that it was given", "它改变或返回了传入的 {kind}"),
    "jit.result": ("{step} gives a {kind}", "{step} 给出 {kind}"),
    "jit.returns": ("it returns a {kind}", "返回了 {kind}"),
    "jit.whole": ("{name} returns more than True", "{name} 的返回值不只是 True"),
    "jit.written_constant": (
        "{step} writes into an array that was made without Tensors",
        "{step} 写入了一个与 Tensor 无关的数组",
    ),
    "jit.registers_hook": ("it registers a hook", "它注册了 hook"),
    "jit.hooks": ("a leaf has Tensor hooks", "叶子上有 Tensor hook"),
    "jit.calls": ("it calls {name}", "它调用了 {name}"),
    "jit.warns": ("it gives a warning", "它发出了警告"),
    "jit.changes": ("it changes {path}", "它改变了 {path}"),
    "jit.unguardable": ("{path} (a {kind}) may change unseen", "{path}（{kind}）可能在看不见的地方改变"),
    "jit.large_array": ("{path} is a NumPy array: make it a Tensor", "{path} 是 NumPy 数组：请改用 Tensor"),
    "jit.imports": ("{name} imports a module", "{name} 内部导入模块"),
    "jit.module": ("it names the module {name}", "用到了模块 {name}"),
    "jit.too_much": ("{count} Python values would have to be compared", "需要比较的 Python 值多达 {count} 个"),
    "jit.too_long": ("{count} steps are too many for a plan", "{count} 步对一个计划来说太多"),
    "jit.values": (
        "it takes Python values from Tensors that are others in every run ({what})",
        "它从 Tensor 取出的 Python 值每次都不同（{what}）",
    ),
    "jit.arguments": (
        "its arguments are others in every call ({what})",
        "它的参数每次调用都不同（{what}）",
    ),
    "jit.shared_outputs": (
        "a gradient goes through it, and its results share memory with each other or with what it was given",
        "梯度要穿过它，而它的结果之间或与传入的 Tensor 共享内存",
    ),
    "jit.rule_late": (
        "a rule was overridden after the jit function {name} had run with another",
        "jit 函数 {name} 运行之后，规则才被替换",
    ),
    "jit.linked_write": (
        "it writes to a Tensor from outside that a gradient goes through",
        "它写入了梯度经过的外部 Tensor",
    ),
    "jit.views": (
        "it writes to a Tensor from outside that has views",
        "它写入了一个带有视图的外部 Tensor",
    ),
    "jit.outputs": (
        "a gradient goes through it, and it has several outputs or a bprop of its own",
        "梯度要穿过它，而它有多个输出或自定义的 bprop",
    ),
    "jit.busy": (
        "a profiler is on, or another call is being recorded",
        "正在使用性能分析器，或另一次调用正在被记录",
    ),
    "jit.error": ("its last run ended with an error", "上次执行出错"),
    "jit.step": ("step", "步骤"),
    "jit.op": ("op", "算子"),
    "jit.inputs": ("inputs", "输入"),
    "jit.shape": ("output", "输出"),
    "jit.backward": ("backward", "反向"),
    "jit.guards": ("holds for", "适用于"),
    "jit.python_values": (
        "and while the {count} values that the code read (attributes, globals, numbers) are as they were",
        "并且代码读取过的 {count} 个值（属性、全局变量、数字）与当时相同",
    ),
    "jit.returned": ("returns", "返回"),
}
