"""Errors: recurrent layers, attention, embeddings, single layers."""

TABLE = {
    "errors.input_kind": ("{cls}: {name} must be a Tensor, got {got}", "{cls}：{name} 必须是 Tensor，得到 {got}"),
    "errors.input_shape": (
        "{cls}: {name} has shape {got}, expected {wanted}",
        "{cls}：{name} 的形状为 {got}，应为 {wanted}",
    ),
    "errors.recurrent_state": (
        "{cls}: the state hx must be {wanted}, each a Tensor, got {got}",
        "{cls}：状态 hx 应为 {wanted}，各为 Tensor，得到 {got}",
    ),
    "errors.seq_length": (
        "{cls}: seq_length must be a Tensor of {batch} ints, one per sequence, got {got}",
        "{cls}：seq_length 应为含 {batch} 个整数的 Tensor，每个序列一个，得到 {got}",
    ),
    "errors.no_steps": (
        "{cls}: a sequence needs at least one step, got x of shape {shape}",
        "{cls}：序列至少要有一步，得到形状为 {shape} 的 x",
    ),
    "errors.embedding_ids": (
        "{cls}: ids must be ints, got {got}",
        "{cls}：ids 必须是整数，得到 {got}",
    ),
    "errors.embedding_range": (
        "{cls}: the id {got} is no row of a table with vocab_size = {size}",
        "{cls}：编号 {got} 不是 vocab_size = {size} 的表中的行",
    ),
    "errors.heads": (
        "MultiheadAttention: embed_dim = {embed_dim} must be divisible by num_heads = {num_heads}",
        "MultiheadAttention：embed_dim = {embed_dim} 必须能被 num_heads = {num_heads} 整除",
    ),
    "errors.attention_pairs": (
        "MultiheadAttention: query, key and value must have one batch size, key and value one length; (batch, length) "
        "is {query}, {key}, {value}",
        "MultiheadAttention：query、key、value 的批大小必须相同，key 与 value 的长度必须相同；现在 (批, 长度) 为 "
        "{query}、{key}、{value}",
    ),
    "errors.mask_dtype": (
        "{name} must be Bool or UInt8 (True leaves out), or floats that are added, got {got}",
        "{name} 应为 Bool 或 UInt8 (True 表示排除)，或用于相加的浮点数，得到 {got}",
    ),
    "errors.unflatten_axis": ("Unflatten: axis must be an int, got {got}", "Unflatten：axis 必须是整数，得到 {got}"),
    "errors.range_delta": ("Range: delta must not be 0", "Range：delta 不能为 0"),
}
