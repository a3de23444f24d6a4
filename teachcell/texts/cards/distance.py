"""Norms: the rule in words."""

TABLE = {
    "cards.words.vector_norm": (
        "Lengthening is fastest along the vector itself, so x gets g times the direction x / |x|. For other orders p "
        "large elements get more (p > 2) or less (p < 2) of it. At 0 there is no direction and the gradient is 0.",
        "沿向量自身的方向伸长最快，所以 x 得到 g 乘以方向 x / |x|。对其他阶 p，大的元素得到更多（p > 2）"
        "或更少（p < 2）。在 0 处没有方向，梯度取 0。",
    ),
}
