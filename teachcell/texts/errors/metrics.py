"""Errors: metrics."""

TABLE = {
    "errors.metric_indexes": (
        "set_indexes takes a list of ints, got {got}",
        "set_indexes 需要整数列表，得到 {got}",
    ),
    "errors.metric_index": (
        "{cls}: indexes {indexes} do not fit {count} input(s)",
        "{cls}：indexes {indexes} 与 {count} 个输入不符",
    ),
    "errors.metric_data": (
        "{cls} takes Tensors, ndarrays, lists or numbers, got {got}",
        "{cls} 需要 Tensor、ndarray、列表或数，得到 {got}",
    ),
    "errors.metric_inputs": (
        "{cls}.update takes {wanted} input(s), got {got}",
        "{cls}.update 需要 {wanted} 个输入，得到 {got}",
    ),
    "errors.metric_shapes": (
        "{cls}: predictions of shape {prediction} do not fit labels of shape {label}, expected {wanted}",
        "{cls}：预测的形状 {prediction} 与标签的形状 {label} 不符，应为 {wanted}",
    ),
    "errors.metric_empty": (
        "{cls} has seen no data yet; call update before eval",
        "{cls} 还没有数据；请先调用 update，再调用 eval",
    ),
    "errors.metric_class": (
        "{cls}: a class lies outside of [0, {count})",
        "{cls}：有类别不在 [0, {count}) 内",
    ),
    "errors.metric_classes": (
        "{cls}: the number of classes was {before} and is {got} now; call clear in between",
        "{cls}：类别数原为 {before}，现为 {got}；请先调用 clear",
    ),
    "errors.metric_top_k": (
        "scores of shape {shape} must be (N, C) with at least k = {k} classes",
        "得分的形状 {shape} 应为 (N, C)，且至少有 k = {k} 个类别",
    ),
    "errors.metric_name": ("unknown metric {got}; known: {known}", "未知的指标 {got}；可用：{known}"),
    "errors.ignore_label": (
        "ignore_label must be an int or None, got {got}",
        "ignore_label 应为整数或 None，得到 {got}",
    ),
    "errors.roc_one_kind": (
        "ROC: there must be positive and negative labels",
        "ROC：标签中必须既有正例也有负例",
    ),
    "errors.auc_shapes": (
        "auc: x and y must be equally long rows of at least 2 numbers, got {x} and {y}",
        "auc：x 和 y 应为等长的一维数组，至少 2 个数，得到 {x} 和 {y}",
    ),
    "errors.auc_order": (
        "auc: x must rise or fall all the way; reorder=True sorts the points",
        "auc：x 必须单调；reorder=True 会对点排序",
    ),
}
