"""Texts of errors: what was wrong, with shapes and names, and the remedy."""

TABLE = {
    # Operands and kernels
    "errors.kernel": ("{op} failed on {given}: {why}. {remedy}", "{op} 无法计算 {given}：{why}。{remedy}"),
    "errors.broadcast_why": ("the shapes do not fit together", "形状不相容"),
    "errors.broadcast_remedy": (
        "Compared from the right, lengths must be equal, or one of them 1; reshape one of the operands.",
        "从右往左逐轴比较，长度必须相等或其中一个为 1；请用 reshape 调整其中一个。",
    ),
    "errors.matmul_why": (
        "the last axis of the first must be as long as the second-to-last of the second",
        "前者的最后一轴必须与后者的倒数第二轴等长",
    ),
    "errors.matmul_remedy": ("Transpose or reshape one of them.", "请转置或改变其中一个的形状。"),
    "errors.reshape_why": ("the new shape must hold the same number of elements", "新形状的元素个数必须相同"),
    "errors.reshape_remedy": (
        "One length may be -1: it is computed from the others.",
        "其中一个长度可写 -1，由其余长度算出。",
    ),
    "errors.transpose_why": ("every axis must be named exactly once", "每个轴必须恰好出现一次"),
    "errors.transpose_remedy": ("Name as many axes as the input has.", "请给出与输入维数相同的轴。"),
    "errors.broadcast_to_why": (
        "only axes of length 1 and new leading axes can be repeated",
        "只能重复长度为 1 的轴和新增的前导轴",
    ),
    "errors.broadcast_to_remedy": ("Insert axes of length 1 with reshape first.", "请先用 reshape 插入长度为 1 的轴。"),
    "errors.concat_why": (
        "there must be at least one input, and all must be alike but for the joined axis",
        "至少需要一个输入，且除连接轴外形状必须一致",
    ),
    "errors.concat_remedy": ("To join along a new axis use stack.", "要沿新轴连接请用 stack。"),
    "errors.stack_why": (
        "there must be at least one input, and all must have one shape",
        "至少需要一个输入，且形状必须全部相同",
    ),
    "errors.stack_remedy": ("To join along an existing axis use concat.", "要沿已有轴连接请用 concat。"),
    "errors.power_why": ("integers have no negative integer powers", "整数没有负整数次幂"),
    "errors.power_remedy": ("Cast to float32 first.", "请先转换为 float32。"),
    "errors.axis_range": ("axis {axis} is out of range for {ndim} axes", "轴 {axis} 越界：共 {ndim} 个轴"),
    "errors.axis_kind": ("an axis must be an int, got {got}", "轴必须是整数，得到 {got}"),
    "errors.axis_length": ("axis {axis} has not length 1", "轴 {axis} 的长度不是 1"),
    "errors.bias_size": (
        "the bias must have as many elements as axis {axis} of the input",
        "偏置的元素个数必须等于输入第 {axis} 轴的长度",
    ),
    "errors.label_range": (
        "labels must lie in 0 … {last}, the number of classes being {classes}",
        "类别数为 {classes}，标签必须在 0 … {last} 之间",
    ),
    "errors.logits_shape": ("logits must be (N, C) and labels (N,)", "logits 的形状应为 (N, C)，标签应为 (N,)"),
    "errors.channels": (
        "the input needs a channel axis 1 as long as weight, bias and statistics",
        "输入需要通道轴 1，其长度与权重、偏置和统计量相同",
    ),
    "errors.channel_axis": ("the input needs a channel axis: (N, C, …)", "输入需要通道轴：(N, C, …)"),
    "errors.batch_empty": ("the batch is empty", "批次为空"),
    "errors.interval": ("{name} must lie in {interval}, got {got}", "{name} 应在 {interval} 内，得到 {got}"),
    "errors.conv_axes": (
        "input and weight must have 4 axes: (N, C, H, W) and (O, C / groups, kh, kw)",
        "输入和权重必须有 4 个轴：(N, C, H, W) 和 (O, C / groups, kh, kw)",
    ),
    "errors.conv_channels": (
        "the input has {got} channels, the weight is made for {wanted} in {groups} group(s)",
        "输入有 {got} 个通道，权重适用于 {groups} 组共 {wanted} 个通道",
    ),
    "errors.operand": ("{op}: {why}", "{op}：{why}"),
    "errors.dropped": (
        "{op}: this value was not kept for the backward pass, because the op's own rule did not need it when it was "
        "recorded; run the forward inside the with block of override too",
        "{op}：反向时没有保留这个值，因为记录时算子自己的规则不需要它；请把正向也放进 override 的 with 块中运行",
    ),
    "errors.too_many": ("{op} takes at most {most} arguments, got {got}", "{op} 最多 {most} 个参数，得到 {got} 个"),
    "errors.twice": ("{op}: argument {name!r} was given twice", "{op}：参数 {name!r} 给了两次"),
    "errors.missing": ("{op}: missing input {names}", "{op}：缺少输入 {names}"),
    "errors.unknown_argument": (
        "{op} has no argument {name!r}; it takes {known}",
        "{op} 没有参数 {name!r}；可用参数：{known}",
    ),
    "errors.nothing": ("nothing", "（无）"),
    "errors.primitive_init": (
        "{name}(…) takes {takes}, not {got}; Tensors belong to the call: {name}(…)(x)",
        "{name}(…) 的参数是 {takes}，不是 {got}；Tensor 应在调用时给出：{name}(…)(x)",
    ),
    "errors.reduction": (
        "reduction must be 'mean', 'sum' or 'none', got {got}",
        "reduction 只能是 'mean'、'sum' 或 'none'，得到 {got}",
    ),
    "errors.conv_size": (
        "{what} must be a positive int or a pair of them, got {got}",
        "{what} 必须是正整数或两个正整数，得到 {got}",
    ),
    "errors.padding": (
        "padding must be an int >= 0, (vertical, horizontal) or (top, bottom, left, right), got {got}",
        "padding 必须是非负整数、(竖直, 水平) 或 (上, 下, 左, 右)，得到 {got}",
    ),
    "errors.padding_mode": (
        "padding = {padding} needs pad_mode='pad', not {pad_mode}",
        "padding = {padding} 需要 pad_mode='pad'，而不是 {pad_mode}",
    ),
    "errors.pad_mode": (
        "pad_mode must be 'same', 'valid' or 'pad', got {got}",
        "pad_mode 只能是 'same'、'valid' 或 'pad'，得到 {got}",
    ),
    "errors.no_op": ("ops has no {name!r}; nearest names: {near}", "ops 中没有 {name!r}；相近的名字：{near}"),
    # Tensors
    "errors.language": ("unknown language {got!r}; choose one of {known}", "未知的语言 {got!r}；可选：{known}"),
    "errors.dtype_unsupported": (
        "NumPy dtype {got} has no counterpart here; convert the data to one of {known}",
        "NumPy 类型 {got} 在这里没有对应类型；请先转换为：{known}",
    ),
    "errors.dtype_unknown": ("{got} is not a data type; use one of {known}", "{got} 不是数据类型；可用：{known}"),
    "errors.tensor_data": (
        "a Tensor cannot be made of {got}; give numbers, (nested) lists of numbers, or an ndarray",
        "不能用 {got} 构造 Tensor；请给数、(嵌套)数列表或 ndarray",
    ),
    "errors.tensor_ragged": ("the lists are not all of one length: {why}", "各列表长度不一致：{why}"),
    "errors.array_of_recorded": (
        "NumPy took the values out of a Tensor that is being differentiated: what it computes is a constant for the "
        "gradient; use ops, or .asnumpy() where that is meant",
        "NumPy 取出了正在求导的 Tensor 的值：由它算出的结果对梯度是常数；请改用 ops，若有意如此请用 .asnumpy()",
    ),
    "errors.not_one_element": (
        "a Tensor of shape {shape} has not exactly one element; reduce it first, e.g. with .sum()",
        "形状为 {shape} 的 Tensor 不是单个元素；请先归约，例如 .sum()",
    ),
    "errors.not_an_index": (
        "a {dtype} Tensor cannot be an index; cast it to an integer type",
        "{dtype} Tensor 不能作索引；请转为整数类型",
    ),
    "errors.no_axis": (
        "{what} needs an axis, and a 0-d Tensor has none; use .item()",
        "{what} 需要轴，而 0 维 Tensor 没有轴；请用 .item()",
    ),
    "errors.iteration": ("iteration", "迭代"),
    "errors.list_of": ("{kind} of {dtype}", "元素为 {dtype} 的 {kind}"),
    "errors.array_of": ("an array of {dtype}", "{dtype} 数组"),
    "errors.format_spec": (
        "a Tensor takes no format {spec!r}; format its value: f'{{t.item():{spec}}}'",
        "Tensor 不支持格式 {spec!r}；请格式化它的值：f'{{t.item():{spec}}}'",
    ),
    "errors.index_kind": (
        "{got} cannot be an index; use ints, slices, ..., None, lists or Tensors of ints or Bool",
        "{got} 不能作索引；可用整数、切片、...、None、整数或布尔的列表或 Tensor",
    ),
    "errors.write_lent": (
        "this Tensor of shape {shape} is lent for reading (an input or output of a bprop, or a read-only array); "
        "write into x.copy()",
        "这个形状为 {shape} 的 Tensor 只供读取（bprop 的输入或输出，或只读数组）；请写入 x.copy()",
    ),
    "errors.write": (
        "writing into a Tensor of shape {shape} failed: {why}",
        "写入形状为 {shape} 的 Tensor 失败：{why}",
    ),
    # Differentiation
    "errors.gradient_shape": (
        "a gradient of shape {got} cannot be summed to the value's shape {wanted}; the backward rule is wrong",
        "形状为 {got} 的梯度无法求和到值的形状 {wanted}；反向规则有误",
    ),
    "errors.nothing_to_differentiate": (
        "nothing to differentiate by: give grad_position or weights",
        "没有求导对象：请给出 grad_position 或 weights",
    ),
    "errors.position_kind": (
        "grad_position must be an int or a tuple of ints, got {got}",
        "grad_position 必须是整数或整数元组，得到 {got}",
    ),
    "errors.position_negative": ("grad_position must not be negative, got {got}", "grad_position 不能为负，得到 {got}"),
    "errors.position_range": (
        "grad_position {position} is out of range: the function got {count} argument(s)",
        "grad_position {position} 越界：函数只有 {count} 个参数",
    ),
    "errors.position_type": (
        "argument {position} has type {got}, not Tensor; wrap it in Tensor(...) or choose another grad_position",
        "第 {position} 个参数是 {got}，不是 Tensor；请用 Tensor(...) 包装或换一个 grad_position",
    ),
    "errors.position_dtype": (
        "argument {position} is a Tensor of {dtype}, shape {shape}; only floats have a gradient: cast it with "
        ".astype(float32)",
        "第 {position} 个参数是形状 {shape} 的 {dtype} Tensor；只有浮点数有梯度：请用 .astype(float32) 转换",
    ),
    "errors.weight_type": ("weights must be Parameters, got {got}", "weights 必须是 Parameter，得到 {got}"),
    "errors.has_aux": (
        "has_aux needs a function that returns at least two values: (value, aux, …)",
        "has_aux 要求函数至少返回两个值：(value, aux, …)",
    ),
    "errors.sens_shape": (
        "the given output gradients have shapes {got}, the outputs {wanted}",
        "给出的输出梯度形状为 {got}，输出形状为 {wanted}",
    ),
    "errors.flag": ("{name} must be True or False, got {got}", "{name} 必须是 True 或 False，得到 {got}"),
    "errors.get_by_list": (
        "get_by_list needs the Parameters as second argument: op(net, params)",
        "get_by_list 需要以第二个参数给出 Parameter：op(net, params)",
    ),
    "errors.sens_missing": (
        "sens_param: the last argument must be the gradient that arrives at the output, and there is none",
        "sens_param：最后一个参数应是到达输出的梯度，但没有给出任何参数",
    ),
    "errors.get_grad": (
        "no gradient of {name!r} in this result; was it made with return_ids=True?",
        "结果中没有 {name!r} 的梯度；是否用了 return_ids=True？",
    ),
    "errors.not_a_function": (
        "{where} takes a function or Cell, got {got}; give the function itself, not what it returns",
        "{where} 需要函数或 Cell，得到 {got}；请给出函数本身，而不是它的返回值",
    ),
    "errors.gradcheck_input": (
        "gradcheck: input {position} is a {got}, not a Tensor; wrap it in Tensor(...)",
        "gradcheck：输入 {position} 是 {got}，不是 Tensor；请用 Tensor(...) 包装",
    ),
    "errors.gradcheck_order": (
        "gradcheck: order must be 1 or 2, got {got}",
        "gradcheck：order 只能是 1 或 2，得到 {got}",
    ),
    "errors.gradcheck_nothing": (
        "gradcheck: there is no {what}, so there is nothing to check",
        "gradcheck：没有{what}，无可检验",
    ),
    "errors.float_input": ("float input", "浮点输入"),
    "errors.float_output": ("float output", "浮点输出"),
    "errors.gradcheck": (
        "input {position}: the gradient at {place} is {got:.6g}, central differences give {wanted:.6g}",
        "输入 {position}：{place} 处的梯度是 {got:.6g}，中心差分得到 {wanted:.6g}",
    ),
    # Hooks and bprop
    "errors.hook_not_callable": ("{where} needs a function, got {got}", "{where} 需要一个函数，得到 {got}"),
    "errors.hook_is_jit": (
        "{where}: a jit function cannot be a hook; remove @jit",
        "{where}：jit 函数不能作为 hook；请去掉 @jit",
    ),
    "errors.backward_hook": ("{cls} backward hook", "{cls} 的反向 hook"),
    "errors.backward_pre_hook": ("{cls} backward pre-hook", "{cls} 的反向 pre-hook"),
    "errors.input": ("input {i}", "输入 {i}"),
    "errors.kinds": ("{kind} of {count}: ({kinds})", "含 {count} 项的 {kind}：({kinds})"),
    "errors.tensor_hook": ("Tensor hook", "Tensor 的 hook"),
    "errors.tensor_hook_type": (
        "a Tensor hook returns a Tensor or None, got {got}",
        "Tensor 的 hook 应返回 Tensor 或 None，得到 {got}",
    ),
    "errors.replaced_gradient": (
        "{where} returned a gradient of {got} in the place of {wanted}; keep shape and dtype",
        "{where} 返回的梯度是 {got}，应为 {wanted}；请保持形状和类型",
    ),
    "errors.hook_return": (
        "{where} must return None or {wanted} gradient(s) as a tuple of Tensors, got {got}",
        "{where} 应返回 None 或含 {wanted} 个梯度 Tensor 的元组，得到 {got}",
    ),
    "errors.hook_backward_inputs": (
        "HookBackward takes one or more Tensors, got {got}",
        "HookBackward 需要一个或多个 Tensor，得到 {got}",
    ),
    "errors.pre_hook_kwargs": (
        "a pre-hook of {cls} registered with_kwargs must return None or (args, kwargs), got {got}",
        "{cls} 的 with_kwargs 前向 pre-hook 应返回 None 或 (args, kwargs)，得到 {got}",
    ),
    "errors.bprop_return": (
        "{rule} must return a tuple of {wanted} gradient(s), one per input, got {got}",
        "{rule} 应返回含 {wanted} 个梯度的元组(每个输入一个)，得到 {got}",
    ),
    "errors.bprop_count": (
        "{rule} returned {got} gradient(s) for {wanted} input(s)",
        "{rule} 为 {wanted} 个输入返回了 {got} 个梯度",
    ),
    "errors.bprop_entry": (
        "{rule}: the gradient of {where} must be a Tensor or None, got {got}",
        "{rule}：{where} 的梯度应为 Tensor 或 None，得到 {got}",
    ),
    "errors.bprop_shape": (
        "{rule}: the gradient of {where} has shape {got}, the input {wanted}",
        "{rule}：{where} 的梯度形状为 {got}，输入形状为 {wanted}",
    ),
    "errors.internal_params": (
        "{cls} has internal_params, so bprop must return (input gradients, {{weight: gradient}}) with {names}, got "
        "{got}",
        "{cls} 有 internal_params，bprop 应返回 (输入梯度, {{权重: 梯度}})，包含 {names}，得到 {got}",
    ),
    "errors.bprop_parameter_graph": (
        "{cls}.bprop reads a Parameter, which GRAPH_MODE refuses; use PYNATIVE_MODE or internal_params",
        "{cls}.bprop 读取了 Parameter，GRAPH_MODE 不允许；请用 PYNATIVE_MODE 或 internal_params",
    ),
    "errors.hook_in_graph": (
        "{cls}: a hook cannot be registered inside construct in GRAPH_MODE; register it outside",
        "{cls}：GRAPH_MODE 下不能在 construct 中注册 hook；请在外部注册",
    ),
    "errors.function_method": ("define a static method {method}(ctx, ...)", "请定义静态方法 {method}(ctx, ...)"),
    # Cells and Parameters
    "errors.cell_init": (
        "{cls}: call super().__init__() at the start of __init__",
        "{cls}：请在 __init__ 开头调用 super().__init__()",
    ),
    "errors.no_attribute": ("{cls} has no attribute {name!r}", "{cls} 没有属性 {name!r}"),
    "errors.no_construct": (
        "{cls} has no construct method; define construct(self, ...)",
        "{cls} 没有 construct 方法；请定义 construct(self, ...)",
    ),
    "errors.over_cell": (
        "{cls}.{name} holds a Cell; assign a Cell or None to it, not {got}",
        "{cls}.{name} 是 Cell；只能赋 Cell 或 None，不能是 {got}",
    ),
    "errors.over_parameter": (
        "{cls}.{name} holds a Parameter; assign a Tensor, a Parameter or None to it, not {got}",
        "{cls}.{name} 是 Parameter；只能赋 Tensor、Parameter 或 None，不能是 {got}",
    ),
    "errors.name_taken": ("{cls}.{name} already holds a {by}; delete it first", "{cls}.{name} 已是 {by}；请先删除"),
    "errors.new_name": (
        "{cls}: {name!r} cannot be a new name: it is empty, has a dot, or is taken",
        "{cls}：{name!r} 不能作为新名字：为空、含点或已被占用",
    ),
    "errors.new_name_kind": ("a name must be a str, got {got}", "名字必须是 str，得到 {got}"),
    "errors.not_a_parameter": ("a Parameter is needed, got {got}", "需要 Parameter，得到 {got}"),
    "errors.not_a_cell": ("a Cell is needed, got {got}", "需要 Cell，得到 {got}"),
    "errors.cell_index": ("index {index} is out of range for {count} Cells", "索引 {index} 越界：共 {count} 个 Cell"),
    "errors.cell_index_kind": (
        "a Cell is chosen by an int or a slice, got {got}",
        "请用整数或切片选择 Cell，得到 {got}",
    ),
    "errors.container_call": (
        "a {cls} cannot be called; call its members, or use SequentialCell",
        "{cls} 不能被调用；请调用其成员或使用 SequentialCell",
    ),
    "errors.parameter_data": (
        "a Parameter cannot be made of {got}; give a Tensor, ndarray, list or number",
        "不能用 {got} 构造 Parameter；请给 Tensor、ndarray、列表或数",
    ),
    "errors.parameter_name": (
        "a Parameter's name must be a str or None, got {got}",
        "Parameter 的名字必须是 str 或 None，得到 {got}",
    ),
    "errors.parameter_tuple": (
        "a ParameterTuple holds Parameters only, got {got}",
        "ParameterTuple 只能包含 Parameter，得到 {got}",
    ),
    "errors.parameter_same_name": (
        "two different Parameters are named {name!r}; rename one",
        "有两个不同的 Parameter 都叫 {name!r}；请改名",
    ),
    "errors.set_data_type": (
        "set_data of {name!r} takes a Tensor or a number of its kind, got {got}",
        "{name!r} 的 set_data 需要 Tensor 或同类的数，得到 {got}",
    ),
    "errors.assign_shape": (
        "{name!r} has shape {shape}, the new value {got}; shapes must be equal",
        "{name!r} 的形状为 {shape}，新值为 {got}；形状必须相同",
    ),
    "errors.buffer_type": (
        "buffer {name!r} must be a Tensor or None, got {got}",
        "buffer {name!r} 必须是 Tensor 或 None，得到 {got}",
    ),
    "errors.state_keys": (
        "missing keys {missing}, unexpected keys {unexpected}; strict=False loads the rest",
        "缺少 {missing}，多余 {unexpected}；strict=False 可加载其余部分",
    ),
    "errors.state_type": (
        "{name!r} is a {got} in the given dict, not a Tensor; wrap it in Tensor(...); nothing was loaded",
        "给出的字典中 {name!r} 是 {got}，不是 Tensor；请用 Tensor(...) 包装；没有加载任何内容",
    ),
    "errors.always_call": (
        "a forward hook of {cell} that is always called failed as well: {why}",
        "{cell} 的一个总会调用的正向钩子也失败了：{why}",
    ),
    "errors.state_shape": ("{name!r}: shape {got} does not fit {wanted}", "{name!r}：形状 {got} 与 {wanted} 不符"),
    "errors.to_float": (
        "to_float takes float16 or float32, got {got}",
        "to_float 只接受 float16 或 float32，得到 {got}",
    ),
    # Layers, losses, optimizers
    "errors.positive_int": (
        "{cls}: {name} must be a positive int, got {got}",
        "{cls}：{name} 必须是正整数，得到 {got}",
    ),
    "errors.dense_input": (
        "Dense: the last axis of an input of shape {shape} must be in_channels = {wanted}",
        "Dense：输入形状 {shape} 的最后一轴应为 in_channels = {wanted}",
    ),
    "errors.dropout_both": ("Dropout: give p or keep_prob, not both", "Dropout：p 和 keep_prob 只能给一个"),
    "errors.activation": ("unknown activation {got}; known: {known}", "未知的激活函数 {got}；可用：{known}"),
    "errors.conv_group": (
        "Conv2d: channels {channels} must be divisible by group = {group}",
        "Conv2d：通道数 {channels} 必须能被 group = {group} 整除",
    ),
    "errors.picture_ending": (
        "a picture is saved as {known}, not {got}; a notebook or a browser turns SVG into other formats",
        "图只能保存为 {known}，不能是 {got}；浏览器等可将 SVG 转为其他格式",
    ),
    "errors.norm_one_value": (
        "{cls} in training got one value per channel: its variance is 0, so the output is beta and no gradient "
        "passes; give a larger batch, or call set_train(False)",
        "训练中的 {cls} 每个通道只得到一个值：方差为 0，输出就是 beta，也没有梯度；请增大批量，或调用 set_train(False)",
    ),
    "errors.norm_input": (
        "{cls}: the input has shape {shape}, expected {wanted}",
        "{cls}：输入形状为 {shape}，应为 {wanted}",
    ),
    "errors.optimizer_empty": (
        "the optimizer got no Parameters; has the net any with requires_grad?",
        "优化器没有得到 Parameter；网络是否有 requires_grad 的参数？",
    ),
    "errors.optimizer_value": ("{name} must be a number >= 0, got {got}", "{name} 必须是非负数，得到 {got}"),
    "errors.optimizer_gradients": (
        "the optimizer takes a tuple of gradients, one Tensor per Parameter, got {got}",
        "优化器需要梯度元组，每个 Parameter 对应一个 Tensor，得到 {got}",
    ),
    "errors.optimizer_twice": ("a Parameter was given to the optimizer twice", "同一个 Parameter 给了优化器两次"),
    "errors.optimizer_count": (
        "the optimizer got {got} gradient(s) for {wanted} Parameter(s)",
        "优化器得到 {got} 个梯度，而有 {wanted} 个 Parameter",
    ),
    "errors.nesterov": ("nesterov needs momentum > 0 and dampening = 0", "nesterov 需要 momentum > 0 且 dampening = 0"),
    "errors.init_shape": ("the Tensor has shape {got}, asked for {wanted}", "Tensor 的形状为 {got}，要求 {wanted}"),
    "errors.init_name": ("unknown initializer {got}; known: {known}", "未知的初始化方式 {got}；可用：{known}"),
    "errors.init_type": (
        "an initializer is a name, a number, an Initializer or a Tensor, got {got}",
        "初始化方式应为名字、数、Initializer 或 Tensor，得到 {got}",
    ),
    "errors.fan_shape": (
        "fan-based initializers need at least 2 axes, got shape {shape}",
        "基于 fan 的初始化至少需要 2 个轴，得到形状 {shape}",
    ),
    "errors.nonlinearity": (
        "unknown nonlinearity {got}; known: {known}",
        "未知的非线性函数 {got}；已知的有：{known}",
    ),
    "errors.fan_mode": (
        "mode must be 'fan_in' or 'fan_out', got {got}",
        "mode 只能是 'fan_in' 或 'fan_out'，得到 {got}",
    ),
    "errors.shape_kind": (
        "a shape is an int or a sequence of ints >= 0, got {got}",
        "形状应为整数或非负整数序列，得到 {got}",
    ),
    "errors.seed": ("a seed is an int >= 0, got {got}", "随机种子应为非负整数，得到 {got}"),
    # Context and jit
    "errors.context_key": ("unknown context key {got}", "未知的上下文键 {got}"),
    "errors.context_mode": (
        "mode must be GRAPH_MODE (0) or PYNATIVE_MODE (1), got {got}",
        "mode 只能是 GRAPH_MODE (0) 或 PYNATIVE_MODE (1)，得到 {got}",
    ),
    "errors.jit_hooks": (
        "hooks do not act inside a jit function: those of {cell} stay silent",
        "jit 函数内 hook 不起作用：{cell} 的 hook 不会触发",
    ),
}
