"""Running sums, products and extremes: remarks, and the rules in words."""

TABLE = {
    "cards.of_others_up_to_i": ("of the others up to i", "（到 i 为止的其余元素之积）"),
    "cards.at_leaders": ("at the leader of that moment, added up", "加到当时领先的元素上"),
    "cards.words.cumsum": (
        "xᵢ is part of the i-th sum and of all later ones, so it gets the sum of their gradients: a running sum from "
        "the other end.",
        "xᵢ 出现在第 i 个和及其后所有的和中，所以得到它们梯度之和：从另一端开始的累加。",
    ),
    "cards.words.cumprod": (
        "xₖ is a factor of the k-th product and of all later ones. Each of them sends its gradient times the product "
        "of the other factors, which stays right where a factor is 0.",
        "xₖ 是第 k 个积及其后所有积的因子。每个积把梯度乘以其余因子之积传给它，因子为 0 时也正确。",
    ),
    "cards.words.cummax": (
        "Every place shows the largest element so far, so its gradient goes to that leader; a leader collects from "
        "all places where it led. Of equals the latest leads.",
        "每个位置显示到此为止的最大元素，梯度就交给这个领先者；领先者汇集它领先过的所有位置的梯度。相等时后来者领先。",
    ),
    "cards.words.cummin": (
        "Every place shows the smallest element so far, so its gradient goes to that leader; a leader collects from "
        "all places where it led. Of equals the latest leads.",
        "每个位置显示到此为止的最小元素，梯度就交给这个领先者；领先者汇集它领先过的所有位置的梯度。相等时后来者领先。",
    ),
    "cards.words.logcumsumexp": (
        "Each yᵢ splits its gradient among x₁ … xᵢ like logsumexp, by softmax; xⱼ adds up its shares from j on.",
        "每个 yᵢ 像 logsumexp 那样按 softmax 把梯度分给 x₁ … xᵢ；xⱼ 把从 j 起分到的份额相加。",
    ),
}
