"""Errors: tensors."""

TABLE = {
    "errors.bfloat16": (
        "NumPy has no bfloat16: use float16 (as small) or float32 (the same range)",
        "NumPy 没有 bfloat16：请用 float16（同样小）或 float32（同样的范围）",
    ),
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
    "errors.tensor_none": (
        "; a construct or function that lacks its return gives None",
        "；construct 或函数缺少 return 时结果就是 None",
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
}
