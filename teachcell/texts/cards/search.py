"""Equal elements, places in sorted rows, counts: remarks, and the rules in words."""

TABLE = {
    "cards.different_values": ("the different x, as they appear", "互不相同的 x（按出现次序）"),
    "cards.different_values_sorted": ("the different x, sorted", "互不相同的 x（排序）"),
    "cards.runs": ("one x per run of equals", "每段相等元素取一个 x"),
    "cards.place_in_sorted": ("the place at which the value keeps x sorted", "插入后仍保持 x 有序的位置"),
    "cards.bucket": ("the number of the bucket that x is in", "x 所在区间的编号"),
    "cards.count_per_bin": ("how many x lie in each bin", "落在各区间中的 x 的个数"),
    "cards.words.unique": (
        "Which values are equal changes by jumps, and so does the length of the result: there is no slope.",
        "哪些值相等只会跳变，结果的长度也随之跳变：没有斜率。",
    ),
    "cards.words.unique_sorted": (
        "Which values are equal changes by jumps, and so does the length of the result: there is no slope.",
        "哪些值相等只会跳变，结果的长度也随之跳变：没有斜率。",
    ),
    "cards.words.unique_consecutive": (
        "Which neighbours are equal changes by jumps, and so does the length of the result: there is no slope.",
        "哪些相邻元素相等只会跳变，结果的长度也随之跳变：没有斜率。",
    ),
    "cards.words.searchsorted": (
        "A place is a whole number: it stays or jumps, so it has no slope.",
        "位置是整数：要么不变，要么跳变，因此没有斜率。",
    ),
    "cards.words.bucketize": (
        "A number of a bucket is whole: it stays or jumps, so it has no slope.",
        "区间编号是整数：要么不变，要么跳变，因此没有斜率。",
    ),
    "cards.words.histc": (
        "A count stays or jumps by one, so it has no slope.",
        "个数要么不变，要么跳变一，因此没有斜率。",
    ),
    "cards.words.bincount": (
        "Each weight is added into one bin, so it gets that bin's gradient. The numbers that choose the bins get none.",
        "每个权重加到一个格子里，所以得到那个格子的梯度。选择格子的整数没有梯度。",
    ),
}
