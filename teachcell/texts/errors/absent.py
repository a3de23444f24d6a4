"""Errors: names that do not exist here."""

TABLE = {
    "errors.no_name": (
        "{where} has no {name!r}: {why}. Nearest: {near}", "{where} 中没有 {name!r}：{why}。最接近的有：{near}",
    ),
    "errors.absent": ("there is no such name", "没有这个名字"),
    "errors.absent_complex": ("complex numbers are left out", "不包含复数"),
    "errors.absent_sparse": ("sparse Tensors are left out", "不包含稀疏 Tensor"),
    "errors.absent_compiler": (
        "it serves a compiler, and here everything runs eagerly (for a rule of your own see nn.Cell.bprop)",
        "它服务于编译器，而这里一切都即时执行（自定义规则请见 nn.Cell.bprop）",
    ),
    "errors.absent_devices": ("there is one machine and one device, the CPU", "这里只有一台机器和一个设备：CPU"),
    "errors.absent_images": ("images' boxes and shapes are left out", "不包含图像的检测框与分割"),
    "errors.absent_text": ("texts are left out", "不包含文本处理"),
    "errors.absent_rare": ("hardly any code uses it, so it is left out", "极少有代码用到，因此不包含"),
}  # fmt: skip
