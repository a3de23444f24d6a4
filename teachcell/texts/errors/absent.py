"""Errors: names that do not exist here."""

TABLE = {
    "errors.no_name": ("{where} has no {name!r}: {why}.", "{where} 中没有 {name!r}：{why}。"),
    "errors.nearest_name": (" Nearest: {near}", "最接近的有：{near}"),
    "errors.absent": ("there is no such name", "没有这个名字"),
    "errors.absent_complex": ("complex numbers are left out", "不包含复数"),
    "errors.absent_sparse": ("sparse Tensors are left out", "不包含稀疏 Tensor"),
    "errors.absent_compiler": (
        "it serves a compiler of graphs, and there is none here (for a rule of your own see nn.Cell.bprop)",
        "它服务于图编译器，而这里没有图编译器（自定义规则请见 nn.Cell.bprop）",
    ),
    "errors.absent_devices": ("there is one machine and one device, the CPU", "这里只有一台机器和一个设备：CPU"),
    "errors.absent_images": ("images' boxes and shapes are left out", "不包含图像的检测框与分割"),
    "errors.absent_data": (
        "reading data is left out (Model.train and your own loop take any list of batches)",
        "不包含数据读取（Model.train 和自己写的循环接受任何由批次组成的列表）",
    ),
    "errors.absent_one_interface": ("there is one set of functions, teachcell.ops", "函数只有一套：teachcell.ops"),
    "errors.absent_no_tape": (
        "gradients come from grad(f)(x) or value_and_grad, with nothing to switch on, off or clear",
        "梯度由 grad(f)(x) 或 value_and_grad 求得，无需开启、关闭或清零",
    ),
    "errors.absent_other_name": ("it has another name here", "它在这里另有名称"),
    "errors.absent_widgets": (
        "widgets are imported from a package of their own, teachcell_widgets",
        "控件要从单独的包 teachcell_widgets 导入",
    ),
    "errors.absent_text": ("texts are left out", "不包含文本处理"),
    "errors.absent_rare": ("hardly any code uses it, so it is left out", "极少有代码用到，因此不包含"),
}  # fmt: skip
