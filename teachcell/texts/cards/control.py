"""Cards of the functions of functions."""

TABLE = {
    "cards.words.insert_gradient_of": (
        "Forwards nothing happens; backwards the function f is given the gradient and what it returns flows on.",
        "正向什么也不做；反向把梯度交给函数 f，其返回值继续往回传。",
    ),
}
