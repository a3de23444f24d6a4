"""Cards of copies."""

TABLE = {
    "cards.words.clone": (
        "A copy has the same values, so the gradient passes unchanged.", "副本的值相同，因此梯度原样通过。",
    ),
}  # fmt: skip
