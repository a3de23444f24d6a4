"""Errors: differentiation."""

TABLE = {
    "errors.product_input": (
        "{where}: entry {i} must be a Tensor, got {got}",
        "{where}：第 {i} 项必须是 Tensor，得到 {got}",
    ),
    "errors.tangents": (
        "the directions v have shapes {got}, the inputs {wanted}: give one v of the same shape per input",
        "方向 v 的形状为 {got}，输入为 {wanted}：请为每个输入给出一个同形状的 v",
    ),
    "errors.vmap_sizes": (
        "vmap needs one batch size, got {got}: check in_axes",
        "vmap 需要唯一的批次大小，得到 {got}：请检查 in_axes",
    ),
    "errors.vmap_empty": (
        "vmap: the batch is empty, so there is nothing to run the function on",
        "vmap：批次为空，没有可以运行函数的输入",
    ),
    "errors.no_tensor_output": (
        "the function returned {got} without a Tensor in it, so it has no derivative; return Tensors",
        "函数返回的 {got} 中没有 Tensor，因此没有导数；请返回 Tensor",
    ),
    "errors.vmap_axes": (
        "vmap: {what} has {got} entries for {count} values",
        "vmap：{what} 有 {got} 项，而值有 {count} 个",
    ),
    "errors.vmap_input": (
        "vmap: axis {axis} needs a Tensor that has it, got {got}",
        "vmap：轴 {axis} 需要有该轴的 Tensor，得到 {got}",
    ),
    "errors.no_value": (
        "the function returned {got}, which depends on nothing: its gradients are zeros. "
        "Is its return missing, or is it a class instead of an object of it?",
        "函数返回了 {got}，它不依赖任何输入：梯度全为零。是否漏写了 return，或给了类而不是它的对象？",
    ),
    "errors.position_twice": (
        "the positions {got} name one argument twice",
        "位置 {got} 把同一个参数写了两次",
    ),
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
}
