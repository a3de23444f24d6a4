"""Errors: hooks and bprop."""

TABLE = {
    "errors.direct_construct": (
        "{cell}: construct was called directly, which runs past its hooks; call the Cell itself, net(x)",
        "{cell}：直接调用了 construct，其上的 hook 不会执行；请调用 Cell 本身，即 net(x)",
    ),
    "errors.hook_not_callable": ("{where} needs a function, got {got}", "{where} 需要一个函数，得到 {got}"),
    "errors.hook_is_jit": (
        "{where}: a jit function cannot be a hook; remove @jit",
        "{where}：jit 函数不能作为 hook；请去掉 @jit",
    ),
    "errors.arity": (
        "{name}{signature} is called as {name}({names}): {why}",
        "{name}{signature} 会以 {name}({names}) 的方式调用：{why}",
    ),
    "errors.hook_arguments": ("{where}: the hook {misfit}", "{where}：所给的 hook {misfit}"),
    "errors.backward_hook": ("{cls} backward hook", "{cls} 的反向 hook"),
    "errors.backward_pre_hook": ("{cls} backward pre-hook", "{cls} 的反向 pre-hook"),
    "errors.input": ("input {i}", "输入 {i}"),
    "errors.kinds": ("{kind} of {count}: ({kinds})", "含 {count} 项的 {kind}：({kinds})"),
    "errors.tensor_hook": ("Tensor hook", "Tensor 的 hook"),
    "errors.tensor_hook_type": (
        "a Tensor hook returns a Tensor or None, got {got}",
        "Tensor 的 hook 应返回 Tensor 或 None，得到 {got}",
    ),
    "errors.replaced_gradient": (
        "{where} returned a gradient of {got} in the place of {wanted}; keep shape and dtype",
        "{where} 返回的梯度是 {got}，应为 {wanted}；请保持形状和类型",
    ),
    "errors.hook_return": (
        "{where} must return None or {wanted} gradient(s) as a tuple of Tensors, got {got}",
        "{where} 应返回 None 或含 {wanted} 个梯度 Tensor 的元组，得到 {got}",
    ),
    "errors.hook_backward_inputs": (
        "HookBackward takes one or more Tensors, got {got}",
        "HookBackward 需要一个或多个 Tensor，得到 {got}",
    ),
    "errors.pre_hook_kwargs": (
        "a pre-hook of {cls} registered with_kwargs must return None or (args, kwargs), got {got}",
        "{cls} 的 with_kwargs 正向 pre-hook 应返回 None 或 (args, kwargs)，得到 {got}",
    ),
    "errors.bprop_arguments": (
        "{rule} takes the inputs of construct, then out and dout (in a class self before them): {misfit}",
        "{rule} 的参数依次为 construct 的输入、out、dout（写在类中时最前面是 self）：{misfit}",
    ),
    "errors.bprop_return": (
        "{rule} must return a tuple of {wanted} gradient(s), one per input, got {got}",
        "{rule} 应返回含 {wanted} 个梯度的元组(每个输入一个)，得到 {got}",
    ),
    "errors.bprop_count": (
        "{rule} returned {got} gradient(s) for {wanted} input(s); return a tuple with one gradient per input, None for "
        "those without",
        "{rule} 为 {wanted} 个输入返回了 {got} 个梯度；应返回元组，每个输入一个梯度，没有梯度的为 None",
    ),
    "errors.bprop_entry": (
        "{rule}: the gradient of {where} must be a Tensor or None, got {got}",
        "{rule}：{where} 的梯度应为 Tensor 或 None，得到 {got}",
    ),
    "errors.bprop_shape": (
        "{rule}: the gradient of {where} has shape {got}, the input {wanted}",
        "{rule}：{where} 的梯度形状为 {got}，输入形状为 {wanted}",
    ),
    "errors.bprop_transposed": (" (transposed?)", "(是否转置了？)"),
    "errors.internal_params": (
        "{cls} has internal_params, so bprop must return (input gradients, {{weight: gradient}}) with {names}, got "
        "{got}",
        "{cls} 有 internal_params，bprop 应返回 (输入梯度, {{权重: 梯度}})，包含 {names}，得到 {got}",
    ),
    "errors.bprop_parameter_graph": (
        "{cls}.bprop reads a Parameter, which GRAPH_MODE refuses; use PYNATIVE_MODE or internal_params",
        "{cls}.bprop 读取了 Parameter，GRAPH_MODE 不允许；请用 PYNATIVE_MODE 或 internal_params",
    ),
    "errors.hook_in_graph": (
        "{cls}: a hook cannot be registered inside construct in GRAPH_MODE; register it outside",
        "{cls}：GRAPH_MODE 下不能在 construct 中注册 hook；请在外部注册",
    ),
    "errors.function_method": ("define a static method {method}(ctx, ...)", "请定义静态方法 {method}(ctx, ...)"),
}
