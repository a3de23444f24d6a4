"""Matrix products: remarks, and the rules in words."""

TABLE = {
    "cards.over_indices": ("over the indices not in the result", "（对结果中没有的下标求和）"),
    "cards.over_indices_of_i": ("over the indices not in xᵢ", "（对 xᵢ 中没有的下标求和）"),
    "cards.words.matmul": (
        "Each element of y sums products of elements of the two inputs. So each input gets the product of g and the "
        "other one: which stands on the left, and what is transposed, follows from the shapes.",
        "y 的每个元素是两个输入的元素乘积之和。因此每个输入得到 g 与另一个输入的乘积；谁在左、谁转置，由形状决定。",
    ),
    "cards.words.bias_add": (
        "x passes g on unchanged. The bias was added to every sample and place, so it gets the sum of g over them.",
        "x 原样得到 g。偏置被加到每个样本和位置上，因此得到 g 在这些位置上的总和。",
    ),
    "cards.words.outer": (
        "Element i of x made row i of the result: it gets that row of g times y. y gets each column of g times x.",
        "x 的第 i 个元素产生结果的第 i 行：它得到 g 的这一行与 y 的内积。y 的每个元素得到 g 的对应列与 x 的内积。",
    ),
    "cards.words.einsum": (
        "Each operand gets the same kind of sum: the other operands times g, with the operand's own letters as the "
        "result's.",
        "每个操作数的梯度仍是同类求和：其余操作数乘以 g，结果的下标换成该操作数自己的下标。",
    ),
}
