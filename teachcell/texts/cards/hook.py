"""Cards of hooks."""

TABLE = {
    "cards.words.hook_backward": (
        "The value passes unchanged. On the way back the hook is called with the gradient; what it returns flows on in "
        "its place, and if it returns nothing, the gradient itself does.",
        "值原样通过。反向时以梯度调用钩子：它的返回值代替梯度继续传递；若没有返回值，则梯度原样传递。",
    ),
}
