"""Cards: ops that move, repeat, pick and place elements."""

TABLE = {
    "cards.diagonal_of": ("a diagonal of", "某条对角线："),
    "cards.framed": ("in a larger frame", "放进更大的框"),
    "cards.from_diagonal": ("from a diagonal on, 0 below it", "某条对角线及以上，其下为 0"),
    "cards.in_band": ("in a band of diagonals, 0 elsewhere", "在对角线带内，其余为 0"),
    "cards.in_reverse": ("in reverse", "逆序"),
    "cards.in_reverse_again": ("in reverse again", "再次逆序"),
    "cards.laid_side_by_side": ("laid side by side", "并排铺开"),
    "cards.on_diagonal": ("on a diagonal, 0 elsewhere", "在某条对角线上，其余为 0"),
    "cards.over_copies": ("over the copies", "（对各副本求和）"),
    "cards.unframed": ("without the frame", "去掉外框"),
    "cards.up_to_diagonal": ("up to a diagonal, 0 above it", "某条对角线及以下，其上为 0"),
    "cards.where_index_is_k": ("where i = k", "（满足 i = k 处）"),
    "cards.words.additem": (
        "Adding leaves x as it is, so x gets the whole gradient; each added value gets the gradient at the place it "
        "was added to, also when several went to one place.",
        "相加不改变 x 的作用，因此 x 得到完整的梯度；每个被加的值得到它所加位置的梯度，多个值加到同一位置时也一样。",
    ),
    "cards.words.broadcast_to": (
        "Every element is used as often as it was repeated, so the gradients of all its copies add up.",
        "每个元素被重复多少次就用了多少次，因此它所有副本的梯度相加。",
    ),
    "cards.words.concat": (
        "Each input fills its own stretch of the result and gets back the gradient of just that stretch.",
        "每个输入占据结果中自己的一段，也只取回那一段的梯度。",
    ),
    "cards.words.diag_embed": (
        "The elements stand on a diagonal, so their gradient is that diagonal of g; the zeros beside it are constants.",
        "元素位于对角线上，其梯度就是 g 的那条对角线；旁边的零是常数。",
    ),
    "cards.words.diagonal": (
        "Only the diagonal was read: it gets the gradient, every other element gets 0.",
        "只读取了对角线：对角线得到梯度，其他元素得到 0。",
    ),
    "cards.words.expand_dims": (
        "An axis of length 1 changes no element; the gradient loses that axis again.",
        "长度为 1 的轴不改变任何元素；梯度再去掉这个轴。",
    ),
    "cards.words.flatten_axes": (
        "Merging axes changes no element; the gradient gets the input's axes back.",
        "合并轴不改变任何元素；梯度恢复输入的各轴。",
    ),
    "cards.words.flip": (
        "The first element went to the last place, so its gradient is found there: reversing once more brings it back.",
        "第一个元素去了最后的位置，它的梯度也在那里：再逆序一次就回到原处。",
    ),
    "cards.words.gather": (
        "Each slice that was read gets the gradient of the place it went to. One that was read several times gets the "
        "sum, one never read gets 0; the indices get none.",
        "每个被读取的切片得到它所去位置的梯度；多次读取的得到总和，从未读取的得到 0；索引没有梯度。",
    ),
    "cards.words.gather_along": (
        "Each element that was read gets the gradient of the place it went to: summed if it was read several times, 0 "
        "if never. The indices get none.",
        "每个被读取的元素得到它所去位置的梯度：多次读取则相加，从未读取则为 0。索引没有梯度。",
    ),
    "cards.words.getitem": (
        "What was read gets the gradient, what was not gets 0; an element read several times gets the sum.",
        "被读取的部分得到梯度，其余得到 0；多次读取的元素得到总和。",
    ),
    "cards.words.parts": (
        "Each part's gradient goes back to where the part was; a part that nothing was made of gives 0.",
        "各部分的梯度回到该部分原来的位置；没有被使用的部分得到 0。",
    ),
    "cards.words.matrix_band_part": (
        "What lies outside the band became a constant 0, so its gradient is 0; inside, the gradient passes unchanged.",
        "带外的元素变成常数 0，梯度为 0；带内的梯度原样通过。",
    ),
    "cards.words.pad_frame": (
        "A constant frame does not depend on x: the gradient is cut back to where x lies. Other modes fill the frame "
        "with copies of elements, whose gradients add to those of the originals.",
        "用常数填充时，外框与 x 无关，梯度裁回 x 所在的部分；其他方式用元素的副本填框，副本的梯度加到原元素上。",
    ),
    "cards.words.put": (
        "Each value was added at one place, and gets the gradient of that place.",
        "每个值加在一个位置上，得到该位置的梯度。",
    ),
    "cards.words.reshape": (
        "No element changes, only the shape: the same gradient in the input's shape.",
        "元素不变，只有形状变了：梯度相同，恢复输入的形状。",
    ),
    "cards.words.roll": (
        "Every element moved s places on; rolling the gradient back by s brings each to its element.",
        "每个元素移动了 s 个位置；把梯度往回滚动 s，就各归其元素。",
    ),
    "cards.words.setitem": (
        "The overwritten elements of x no longer matter: their gradient is 0, and the values that took their place get "
        "it instead. Of several values for one place only the last counts.",
        "x 中被覆盖的元素不再起作用：其梯度为 0，由取代它们的值得到。同一位置写入多个值时，只有最后一个有效。",
    ),
    "cards.words.squeeze": (
        "Axes of length 1 hold nothing of their own; the gradient gets them back.",
        "长度为 1 的轴不含额外内容；梯度把它们补回。",
    ),
    "cards.words.stack": (
        "Input i is slice i of the result along the new axis, and slice i of the gradient is its own.",
        "第 i 个输入是结果沿新轴的第 i 个切片，梯度的第 i 个切片就归它。",
    ),
    "cards.words.swapaxes": (
        "The same elements with two axes exchanged; exchanging them once more brings the gradient to its element.",
        "元素相同，只交换了两个轴；再交换一次，梯度就回到各自的元素。",
    ),
    "cards.words.tile": (
        "Every element occurs in each of the copies, so its gradients in all of them add up.",
        "每个元素在每份副本中都出现，因此各副本中的梯度相加。",
    ),
    "cards.words.transpose": (
        "The element in row i, column j went to row j, column i, and its gradient comes back the same way.",
        "第 i 行第 j 列的元素去了第 j 行第 i 列，它的梯度沿原路返回。",
    ),
    "cards.words.tril": (
        "What lies above the diagonal became a constant 0, so its gradient is 0; the rest passes unchanged.",
        "对角线之上的元素变成常数 0，梯度为 0；其余原样通过。",
    ),
    "cards.words.triu": (
        "What lies below the diagonal became a constant 0, so its gradient is 0; the rest passes unchanged.",
        "对角线之下的元素变成常数 0，梯度为 0；其余原样通过。",
    ),
}
