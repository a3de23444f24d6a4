"""Training and prediction: what each Cell does in them, and what its flags say."""

TABLE = {
    # What the flags say
    "modes.fresh": (
        "Never switched: {cells}. phase says 'train', but training is False until set_train() is called: layers act as "
        "in prediction.",
        "从未切换过：{cells}。phase 为 'train'，但在调用 set_train() 之前 training 为 False：各层按推理方式工作。",
    ),
    "modes.phase_only_outer": (
        "set_train() writes training on all Cells below, but phase only on the Cell that it is called on. Layers go by "
        "training.",
        "set_train() 只在被调用的 Cell 上写 phase，而 training 写到其下所有 Cell。各层只看 training。",
    ),
    "modes.mixed": (
        "Modes are mixed: {train} of {of} Cells train.",
        "状态不一致：{of} 个 Cell 中有 {train} 个处于训练。",
    ),
    "modes.none": ("No Cell here does something else in training.", "这里没有 Cell 在训练时有不同的行为。"),
    "modes.depends": ("acts by mode", "行为随模式而变"),
    "modes.acts_train": ("acts as in training", "按训练方式工作"),
    "modes.acts_predict": ("acts as in prediction", "按推理方式工作"),
    "modes.more_cells": ("{count} more Cells are not listed.", "另有 {count} 个 Cell 未列出。"),
    # Twin run
    "modes.elements": ("each element", "每个元素"),
    "modes.channels": ("each channel", "每个通道"),
    "modes.dropout_train": (
        "In training it keeps {units} with probability {keep} and multiplies what is kept by 1 / {keep} = {scale}.",
        "训练时以概率 {keep} 保留{units}，并把保留的乘以 1 / {keep} = {scale}。",
    ),
    "modes.dropout_kept": (
        "In this draw {kept} of the {count} elements that are not 0 were kept: {share} %.",
        "本次抽样中，{count} 个非零元素保留了 {kept} 个：{share} %。",
    ),
    "modes.dropout_predict": ("In prediction it passes its input through.", "推理时原样通过。"),
    "modes.batch_train": (
        "In training it normalises by this batch: mean {mean}, variance {variance}.",
        "训练时用这一批数据归一化：均值 {mean}，方差 {variance}。",
    ),
    "modes.batch_predict": (
        "In prediction by the moving statistics: mean {mean}, variance {variance}.",
        "推理时用滑动统计量：均值 {mean}，方差 {variance}。",
    ),
    "modes.one_value": (
        "There is one value per channel, so its variance is 0: in training the normalised value and the gradient of "
        "the input are exactly 0.",
        "每个通道只有一个值，方差为 0：训练时归一化后的值与输入的梯度都恰为 0。",
    ),
    "modes.no_variance": (
        "In {count} of {of} channels all values are equal: variance 0, and the normalised values are 0.",
        "{of} 个通道中有 {count} 个的所有值相等：方差为 0，归一化后的值为 0。",
    ),
    "modes.moved": (
        "The run in training moved {name} from {before} to {after}.",
        "训练运行使 {name} 由 {before} 变为 {after}。",
    ),
    "modes.put_back": ("Afterwards this was put back.", "随后已还原。"),
    "modes.other_ops": (
        "In training it runs {train}; in prediction {predict}.",
        "训练时运行 {train}；推理时运行 {predict}。",
    ),
    "modes.same_result": ("Its result was the same in both.", "两种模式下结果相同。"),
    "modes.gradients": (
        "{count} of {of} gradients of inputs and Parameters differ: {names}.",
        "输入与参数的 {of} 个梯度中有 {count} 个不同：{names}。",
    ),
    "modes.zero_train": ("Exactly 0 in training: {names}.", "训练时恰为 0：{names}。"),
    "modes.zero_predict": ("Exactly 0 in prediction: {names}.", "推理时恰为 0：{names}。"),
    "modes.no_gradient_changed": (
        "The gradients of all inputs and Parameters are the same.",
        "所有输入与参数的梯度都相同。",
    ),
}
