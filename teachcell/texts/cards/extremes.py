"""Largest and smallest elements: remarks, and the rules in words."""

TABLE = {
    "cards.at_the_first_largest": ("at the first of the largest, 0 elsewhere", "在第一个最大处，其余为 0"),
    "cards.at_the_first_smallest": ("at the first of the smallest, 0 elsewhere", "在第一个最小处，其余为 0"),
    "cards.words.amax": (
        "Only the largest element moves the result, so it gets g and the others get 0. If several are largest, they "
        "share g evenly.",
        "只有最大元素能改变结果，所以它得到 g，其余得到 0。若有多个最大，则平分 g。",
    ),
    "cards.words.amin": (
        "Only the smallest element moves the result, so it gets g and the others get 0. If several are smallest, they "
        "share g evenly.",
        "只有最小元素能改变结果，所以它得到 g，其余得到 0。若有多个最小，则平分 g。",
    ),
    "cards.words.max_with_index": (
        "The element at the index that is returned gets the whole g, the others get 0: of equals the first. The "
        "index itself passes nothing on.",
        "返回的索引处的元素得到全部 g，其余为 0；并列时是第一个。索引本身不传梯度。",
    ),
    "cards.words.min_with_index": (
        "The element at the index that is returned gets the whole g, the others get 0: of equals the first. The "
        "index itself passes nothing on.",
        "返回的索引处的元素得到全部 g，其余为 0；并列时是第一个。索引本身不传梯度。",
    ),
    "cards.words.argmax": (
        "An index is a whole number: it stays or jumps, so it has no slope.",
        "索引是整数：要么不变，要么跳变，因此没有斜率。",
    ),
    "cards.words.argmin": (
        "An index is a whole number: it stays or jumps, so it has no slope.",
        "索引是整数：要么不变，要么跳变，因此没有斜率。",
    ),
}
