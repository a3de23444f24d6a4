"""Cards: convolution, pooling and other ops over space."""

TABLE = {
    "cards.added_up": ("summed where they overlap:", "重叠相加："),
    "cards.at_first_largest": ("at each window's first largest", "在每个窗口的第一个最大处"),
    "cards.at_neighbours": ("over the neighbours", "（对邻近元素求和）"),
    "cards.flipped": ("flipped along every axis", "（沿各轴翻转）"),
    "cards.of_window": ("of each window", "（每个窗口）"),
    "cards.over_windows": ("over the windows it lies in", "（对所在的各窗口求和）"),
    "cards.patches_of": ("the patches of", "图块："),
    "cards.words.adaptive_avg_pool": (
        "Every element of a window has the same share in its mean, one over the window's size, and gets that share of "
        "the window's gradient; neighbouring windows may share an element, which then gets both.",
        "窗口中每个元素在均值中占相同的份额，即窗口大小的倒数，并按此得到该窗口的梯度；相邻窗口可能共有一个元素，它会从两者都得到。",
    ),
    "cards.words.adaptive_max_pool": (
        "Only the largest element of a window reaches the output, so it alone gets the window's gradient.",
        "只有窗口中最大的元素到达输出，因此只有它得到该窗口的梯度。",
    ),
    "cards.words.added_patches": (
        "Each element of the output is the sum of its copies in the columns, so every copy gets that element's "
        "gradient.",
        "输出的每个元素是它在各列中副本之和，因此每个副本都得到该元素的梯度。",
    ),
    "cards.words.avg_pool": (
        "Every element of a window has the share 1/n in its mean, so from each window that it lies in it gets 1/n of "
        "the gradient.",
        "窗口中每个元素在均值中占 1/n，因此它从所在的每个窗口得到梯度的 1/n。",
    ),
    "cards.words.avg_pool_grad": (
        "Each result is the sum of g/n over the windows that the element lies in, so g gets the mean of its window.",
        "每个结果是元素所在各窗口的 g/n 之和，因此 g 得到其窗口的均值。",
    ),
    "cards.words.convolution": (
        "Each output is the sum of a window of x times w. So an element of x gets, from every window that it lay in, "
        "that output's gradient times the weight it met there; a weight gets the gradient times the element it met, "
        "summed over all windows and images.",
        "每个输出是 x 的一个窗口与 w 的乘积之和。因此 x 的元素从它所在的每个窗口得到该输出的梯度乘以在那里遇到的权重；"
        "权重得到梯度乘以它遇到的元素，对所有窗口和图像求和。",
    ),
    "cards.words.convolution_weight_grad": (
        "The gradient of a weight is linear in g and in x; each of them gets the gradient that arrives, moved along "
        "the other.",
        "权重的梯度对 g 和 x 都是线性的；两者各得到传来的梯度与另一个的卷积。",
    ),
    "cards.words.max_pool": (
        "Only the largest element of a window reaches the output, so it alone gets the window's gradient; one that is "
        "largest in several windows gets the sum.",
        "只有窗口中最大的元素到达输出，因此只有它得到该窗口的梯度；在多个窗口中都最大的元素得到它们之和。",
    ),
    "cards.words.patches": (
        "An element of x is copied into every patch that it lies in, so it gets the sum of its copies' gradients.",
        "x 的元素被复制到它所在的每个图块，因此得到各副本梯度之和。",
    ),
    "cards.words.resize": (
        "Each output is a weighted sum of a few neighbours in x; every neighbour gets its weight times the gradient, "
        "from all outputs that read it.",
        "每个输出是 x 中几个邻近元素的加权和；每个邻近元素从所有读取它的输出得到梯度乘以其权重。",
    ),
    "cards.words.resize_grad": (
        "Each result is a weighted sum of the gradients of the outputs that read the element, so g gets those weights "
        "times what arrives there.",
        "每个结果是读取该元素的各输出梯度的加权和，因此 g 得到这些权重乘以那里传来的梯度。",
    ),
    "cards.words.transposed_convolution": (
        "Each element of x spreads a copy of w over the output, and copies that overlap are added. So x gets the "
        "gradient under its copy times w, which is a convolution; w gets that gradient times the element, summed over "
        "all copies.",
        "x 的每个元素把一份 w 铺到输出上，重叠处相加。因此 x 得到它那份之下的梯度与 w 的乘积之和，即一次卷积；"
        "w 得到该梯度乘以该元素，对各份求和。",
    ),
}
