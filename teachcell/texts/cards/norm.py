"""Normalisation: remarks, and the rules in words."""

_CENTRED = (
    "Moving all of x together, or stretching it, changes nothing in x̂: so the part of g·w that does either is taken "
    "out, the mean and the share along x̂, and the rest is divided by σ. "
)
_CENTRED_ZH = "把 x 整体平移或拉伸都不改变 x̂：因此从 g·w 中去掉这两个方向的部分（均值，以及沿 x̂ 的分量），其余除以 σ。"
_WEIGHTS = "w and b served many places and get the sums of g · x̂ and of g."
_WEIGHTS_ZH = "w 和 b 用于许多位置，得到 g · x̂ 之和与 g 之和。"

TABLE = {
    "cards.of_sample": ("of each sample", "（每个样本各自的统计量）"),
    "cards.of_group": ("of each group of channels of each sample", "（每个样本中每组通道的统计量）"),
    "cards.of_instance": ("of each channel of each sample", "（每个样本中每个通道的统计量）"),
    "cards.near_channels": ("over the channels near by", "（对邻近通道求和）"),
    "cards.words.batch_norm": (
        _CENTRED + "The samples of a batch feel each other through its statistics. " + _WEIGHTS,
        _CENTRED_ZH + "同一批次的样本通过统计量相互影响。" + _WEIGHTS_ZH,
    ),
    "cards.words.layer_norm": (
        _CENTRED + "Samples do not feel each other. " + _WEIGHTS,
        _CENTRED_ZH + "样本之间互不影响。" + _WEIGHTS_ZH,
    ),
    "cards.words.group_norm": (
        _CENTRED + "Only the channels of one group of one sample feel each other. " + _WEIGHTS,
        _CENTRED_ZH + "只有同一样本同一组的通道相互影响。" + _WEIGHTS_ZH,
    ),
    "cards.words.instance_norm": (
        _CENTRED + "Each channel of each sample is by itself. " + _WEIGHTS,
        _CENTRED_ZH + "每个样本的每个通道各自独立。" + _WEIGHTS_ZH,
    ),
    "cards.words.rms_norm": (
        "Stretching x changes nothing in x̂: so the share of g·w along x̂ is taken out, and the rest is divided by the "
        "root mean square. Moving x does change x̂, so no mean is taken out.",
        "拉伸 x 不改变 x̂：因此去掉 g·w 沿 x̂ 的分量，其余除以均方根。平移 x 会改变 x̂，所以不减去均值。",
    ),
    "cards.words.batch_norm_inference": (
        "With given statistics this is a straight line per channel: x gets g times its slope w / √(variance + eps). "
        + _WEIGHTS,
        "统计量给定时，每个通道只是一条直线：x 得到 g 乘以斜率 w / √(variance + eps)。" + _WEIGHTS_ZH,
    ),
    "cards.words.neighbour_sum": (
        "Each element went into the sums of its neighbours, so it gets the sum of their g: the same sum once more.",
        "每个元素进入了邻近通道的和，因此得到它们的 g 之和：同样的求和再做一次。",
    ),
}
