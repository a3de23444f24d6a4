"""Errors: activations, losses, dropout."""

TABLE = {
    "errors.class_weight": (
        "weight needs one number for each of the {classes} classes, got shape {got}",
        "weight 需要为 {classes} 个类别各给一个数，得到的形状为 {got}",
    ),
    "errors.ctc_shapes": (
        "log_probs must be (T, N, C) with T > 0, targets integers (N, S), lengths integers (N,); got {log_probs}, "
        "{others}",
        "log_probs 应为 (T, N, C) 且 T > 0，targets 应为整数 (N, S)，长度应为整数 (N,)；得到 {log_probs}、{others}",
    ),
    "errors.even_axis": (
        "{op} halves axis {axis}, whose length must be even; the input has shape {shape}",
        "{op} 把第 {axis} 轴分成两半，其长度必须是偶数；输入形状为 {shape}",
    ),
    "errors.focal_labels": (
        "FocalLoss: for logits {logits}, of 2 to 4 axes, labels have as many axes and axis 1 of length 1 (labels) or C "
        "(one-hot); got {got}",
        "FocalLoss：logits 为 {logits}（2 至 4 个轴）时，标签应有相同的轴数，第 1 轴长度为 1（标签）或 C（独热）；"
        "得到 {got}",
    ),
    "errors.gelu_approximate": (
        "approximate must be 'none' or 'tanh', got {got}",
        "approximate 只能是 'none' 或 'tanh'，得到 {got}",
    ),
    "errors.prelu_weight": (
        "prelu: the weight has shape {weight}; an input of shape {input} needs one element, or {channels} (axis 1)",
        "prelu：权重的形状为 {weight}；形状为 {input} 的输入需要一个元素，或 {channels} 个（第 1 轴）",
    ),
    "errors.probability_target": (
        "cross_entropy: probabilities must have the shape of the logits, {logits}, not {target}; labels must be "
        "integers",
        "cross_entropy：概率的形状必须与 logits 的 {logits} 相同，而不是 {target}；标签必须是整数",
    ),
    "errors.row_target": (
        "{op}: the target has shape {got}, but there is one loss for each of {wanted}",
        "{op}：target 的形状为 {got}，而损失的形状为 {wanted}，两者必须一致",
    ),
    "errors.same_shape": (
        "{cls}: prediction and target must have one shape, got {first} and {second}",
        "{cls}：预测与目标的形状必须相同，得到 {first} 和 {second}",
    ),
    "errors.sampled_labels": (
        "SampledSoftmaxLoss: labels must have shape {wanted}: num_true of them for each row; got {got}",
        "SampledSoftmaxLoss：标签的形状应为 {wanted}，每行 num_true 个；得到 {got}",
    ),
    "errors.score_labels": (
        "{op}: the target must be integers, (N,) labels or (N, C) lists of them, for scores (N, C); got {got} for "
        "{input}",
        "{op}：对于分数 (N, C)，target 必须是整数，(N,) 的标签或 (N, C) 的标签列表；得到 {got}，分数为 {input}",
    ),
    "errors.softmax2d_axes": (
        "Softmax2d: the input must be (N, C, H, W) or (C, H, W), got {shape}",
        "Softmax2d：输入应为 (N, C, H, W) 或 (C, H, W)，得到 {shape}",
    ),
    "errors.sparse_labels": (
        "SoftmaxCrossEntropyWithLogits(sparse={sparse}) got labels of {got}: with sparse=True they are integers, else "
        "probabilities",
        "SoftmaxCrossEntropyWithLogits(sparse={sparse}) 得到 {got} 类型的标签：sparse=True 时应为整数，否则应为概率",
    ),
    "errors.variance_shape": (
        "gaussian_nll_loss: the variances have shape {got}; they must have the input's, {input}, or leave out its "
        "last axis",
        "gaussian_nll_loss：方差的形状为 {got}；必须与输入的 {input} 相同，或省去最后一轴",
    ),
}
