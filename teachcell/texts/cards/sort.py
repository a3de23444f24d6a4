"""Sorting and ranks: remarks, and the rules in words."""

TABLE = {
    "cards.sorted": ("in order", "（按序排列）"),
    "cards.k_largest": ("the k largest", "最大的 k 个"),
    "cards.kth_smallest": ("the k-th smallest", "第 k 小"),
    "cards.median": ("the one in the middle", "居中者"),
    "cards.median_without_nan": ("the one in the middle of what is not NaN", "非 NaN 元素的居中者"),
    "cards.zero_elsewhere": (", 0 elsewhere", "，其余为 0"),
    "cards.among_k_largest": ("among the k largest", "在最大的 k 个之中"),
    "cards.words.sort": (
        "Sorting moves elements and changes none: each gradient goes back to the place that its element came from.",
        "排序只移动元素而不改变它们：每个梯度回到该元素原来的位置。",
    ),
    "cards.words.argsort": (
        "The order is a row of whole numbers: it stays or jumps, so it has no slope.",
        "次序是一组整数：要么不变，要么跳变，因此没有斜率。",
    ),
    "cards.words.topk": (
        "The k elements that were chosen get their gradients at the places they came from; all others get 0.",
        "被选中的 k 个元素在原来的位置得到各自的梯度，其余为 0。",
    ),
    "cards.words.kthvalue": (
        "The element of that rank gets the whole g, the others get 0; among equals the order of the row decides.",
        "该名次的元素得到全部 g，其余为 0；相等时按原来的先后决定。",
    ),
    "cards.words.median": (
        "The element in the middle gets the whole g, however far away the others are; of an even number the lower "
        "one of the two counts.",
        "居中的元素得到全部 g，无论其他元素相距多远；元素个数为偶数时取两个中较小的。",
    ),
    "cards.words.nanmedian": (
        "Of the elements that are not NaN the one in the middle gets the whole g, all others get 0.",
        "非 NaN 元素中居中的得到全部 g，其余为 0。",
    ),
    "cards.words.in_top_k": (
        "True or False does not change with a small change of the scores, so nothing goes back.",
        "分数的微小变化不改变真假，所以没有梯度返回。",
    ),
}
