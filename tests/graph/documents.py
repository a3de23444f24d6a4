"""Documents to draw, as a recorder would write them: a small builder and the programs that pictures show.

Values are random numbers and gradients are made up: drawing never computes, so only structure, states and
order matter here.
"""

from __future__ import annotations

import numpy as np

BARS = 40
NO_GRADIENT = ("cut", "not needed", "not asked", "not differentiable")


def summary(array):
    """A Summary of the contract, without map and histogram, which the graph does not read."""
    array = np.asarray(array)
    flat = array.astype(float).ravel()
    finite = flat[np.isfinite(flat)]
    sample = (array[0] if array.ndim > 1 else array).astype(float).ravel()
    if sample.size > BARS:
        sample = sample[np.linspace(0, sample.size - 1, BARS).astype(int)]
    return {
        "shape": list(array.shape),
        "dtype": str(array.dtype),
        "size": array.size,
        "min": float(finite.min()) if finite.size else None,
        "max": float(finite.max()) if finite.size else None,
        "mean": float(finite.mean()) if finite.size else None,
        "std": float(finite.std()) if finite.size else None,
        "zeros": float((flat == 0).mean()) if flat.size else 0.0,
        "nan": int(np.isnan(flat).sum()),
        "inf": int(np.isinf(flat).sum()),
        "first": (float(flat[0]) if np.isfinite(flat[0]) else None) if array.size == 1 else None,
        "strip": [float(x) if np.isfinite(x) else None for x in sample],
        "map": None,
        "hist": None,
    }


class Program:
    """Writes a document call by call and op by op; ``finish`` appends the backward pass."""

    def __init__(self, title, training=None):
        self.rng = np.random.default_rng(7)
        self.calls, self.values, self.ops, self.events = [], [], [], []
        self.inputs, self.stack = [], []
        self.training = training
        self.document = {"title": title, "calls": self.calls, "values": self.values, "ops": self.ops}
        self.enter("", title)

    # Calls

    def enter(self, name, cls, inputs=(), call=1, of=1, hooks=(), rule=("engine", "engine")):
        outer = self.stack[-1] if self.stack else None
        path = ".".join(filter(None, [self.calls[outer]["path"] if outer is not None else "", name]))
        phase = None if self.training is None else "train" if self.training else "predict"
        entry = dict(id=len(self.calls), parent=outer, path=path, name=name, cls=cls, call=call, of=of)
        entry |= dict(training=self.training, phase=phase, rule_id=rule[0], rule=rule[1])
        entry["depends_on_mode"] = cls.startswith(("Dropout", "BatchNorm"))
        entry |= dict(hooks=list(hooks), inputs=list(inputs), outputs=[])
        self.calls.append(entry)
        self.stack.append(entry["id"])
        return entry["id"]

    def leave(self, *outputs):
        self.calls[self.stack.pop()]["outputs"] = list(outputs)
        return outputs[0] if len(outputs) == 1 else outputs

    # Values

    def value(self, kind, name, array, op=None, output=0, grad_state="computed"):
        array = np.asarray(array)
        grad = None if grad_state in NO_GRADIENT else summary(self.rng.normal(size=array.shape) * 0.01)
        entry = dict(id=len(self.values), kind=kind, name=name, op=op, output=output)
        entry |= dict(shape=list(array.shape), dtype=str(array.dtype), value=summary(array), grad=grad)
        entry |= dict(value_state="computed", grad_state=grad_state, why=None)
        self.values.append(entry)
        return entry["id"]

    def draw(self, *shape):
        return self.rng.normal(size=shape).astype("float32")

    def input(self, name, *shape, array=None, grad_state="computed"):
        made = self.value("input", name, self.draw(*shape) if array is None else array, grad_state=grad_state)
        self.inputs.append(made)
        return made

    def parameter(self, name, *shape):
        return self.value("parameter", name, self.draw(*shape))

    def constant(self, array, name=None):
        return self.value("constant", name, array, grad_state="not differentiable")

    def op(self, op, label, inputs, *shapes, grads=(), arrays=None, **attrs):
        """Run an op whose outputs have these shapes, or are these arrays; returns their value ids."""
        entry = dict(id=len(self.ops), op=op, label=label, call=self.stack[-1], inputs=list(inputs))
        entry |= dict(attrs=attrs, error=None, source="")
        names = list(grads) or [f"∂{'xyzw'[i] if i < 4 else i}" for i in range(len(inputs))]
        formulas = [[f"{name} = g", value] for name, value in zip(names, inputs, strict=False)]
        entry["formula"] = {"value": f"y = {op}", "grads": formulas}
        self.ops.append(entry)
        arrays = [self.draw(*shape) for shape in shapes or [()]] if arrays is None else arrays
        made = [self.value("op", None, a, op=entry["id"], output=i) for i, a in enumerate(arrays)]
        entry["outputs"] = made
        self.events.append({"kind": "forward", "op": entry["id"], "call": entry["call"]})
        return made[0] if len(made) == 1 else made

    def hook(self, kind, name, call=None, replaced=False):
        event = dict(kind="hook", hook=kind, call=self.stack[-1] if call is None else call)
        self.events.append(event | dict(name=name, replaced=replaced))

    # The backward pass

    def finish(self, *outputs, loss=None, own_rules=(), backward=True):
        """Close the program: one backward event per op, in reverse, where a gradient arrives."""
        self.leave(*outputs)
        if backward:
            self._sweep(loss if loss is not None else outputs[0], set(own_rules))
        else:
            for entry in self.values:
                entry |= dict(grad=None, grad_state="not asked")
        self.document |= dict(events=self.events, inputs=self.inputs, outputs=list(outputs))
        self.document |= dict(loss=loss, error=None)
        return self.document

    def _sweep(self, seed, own_rules):
        reached = {seed}
        for op in reversed(self.ops):
            arriving = [v for v in op["outputs"] if v in reached and self._has_grad(v)]
            if not arriving:
                continue
            owner = next((c for c in self._around(op["call"]) if c in own_rules), None)
            if owner is None:
                sent = [v for v in dict.fromkeys(op["inputs"]) if self._has_grad(v)]
                event = {"kind": "backward", "op": op["id"], "call": op["call"]}
            elif op["outputs"][0] in self.calls[owner]["outputs"]:
                sent = [v for v in self.calls[owner]["inputs"] if self._has_grad(v)]
                event = {"kind": "bprop", "call": owner}
            else:
                continue
            reached |= set(sent)
            self.events.append(event | {"incoming": arriving, "outgoing": sent})
        for entry in self.values:
            if entry["id"] not in reached and self._has_grad(entry["id"]):
                entry |= dict(grad=None, grad_state="not needed")

    def _around(self, call):
        while call is not None:
            yield call
            call = self.calls[call]["parent"]

    def _has_grad(self, value):
        return self.values[value]["grad_state"] not in NO_GRADIENT

    def state(self, value, grad_state=None, value_state=None, why=None):
        """Give a value another state after the fact."""
        entry = self.values[value]
        if value_state:
            entry["value_state"] = value_state
        if grad_state:
            entry |= dict(grad_state=grad_state, why=why)
            if grad_state in NO_GRADIENT:
                entry["grad"] = None
            elif grad_state == "zero":
                entry["grad"] = summary(np.zeros(entry["shape"]))


def dense(net, name, x, fan_in, fan_out, batch=32, weights=None, **call):
    """A Dense: two ops with a weight and a bias (given ones when it is a later call)."""
    net.enter(name, "Dense", [x], **call)
    path = net.calls[net.stack[-1]]["path"]
    weight, bias = weights or (
        net.parameter(f"{path}.weight", fan_out, fan_in),
        net.parameter(f"{path}.bias", fan_out),
    )
    y = net.op("matmul", "MatMul", [x, weight], (batch, fan_out), grads=("∂x", "∂W"))
    y = net.op("bias_add", "BiasAdd", [y, bias], (batch, fan_out), grads=("∂x", "∂b"))
    return net.leave(y)


def cell(net, name, cls, op, label, inputs, *shapes, **more):
    """A Cell of one op."""
    net.enter(name, cls, inputs[:1], **more)
    made = net.op(op, label, inputs, *shapes)
    return net.leave(*([made] if isinstance(made, int) else made))


def mlp(hooks=()):
    """The net of the shared pictures; open call 4 for its second Dense."""
    net = Program("mlp", training=True)
    x = net.input("x", 32, 64)
    labels = net.input("labels", array=np.arange(32) % 10, grad_state="not differentiable")
    y = dense(net, "fc1", x, 64, 128)
    y = cell(net, "relu", "ReLU", "relu", "ReLU", [y], (32, 128))
    y = cell(net, "dropout", "Dropout", "dropout", "Dropout", [y], (32, 128))
    y = dense(net, "fc2", y, 128, 10, hooks=hooks)
    loss = cell(net, "loss", "CrossEntropyLoss", "cross_entropy", "CrossEntropy", [y, labels])
    return net.finish(y, loss, loss=loss)


def two_outputs():
    """A Cell with a trunk and two heads of different shapes."""
    net = Program("TwoHeads", training=True)
    x = net.input("x", 8, 16)
    y = dense(net, "trunk", x, 16, 32, batch=8)
    y = cell(net, "relu", "ReLU", "relu", "ReLU", [y], (8, 32))
    a = dense(net, "mean", y, 32, 4, batch=8)
    b = dense(net, "spread", y, 32, 4, batch=8)
    b = net.op("softplus", "Softplus", [b], (8, 4))
    return net.finish(a, b)


def diamond():
    """f(x, y) = sin(x)·y + x²: scalars, one of them used twice, and y = 2.5 used once."""
    net = Program("f")
    x, y = net.input("x", array=np.float32(1.25)), net.input("y", array=np.float32(-2.5))
    two = net.constant(np.float32(2.0))
    sine = net.op("sin", "Sin", [x])
    product = net.op("multiply", "Mul", [sine, y])
    square = net.op("power", "Pow", [x, two])
    total = net.op("add", "Add", [product, square])
    return net.finish(total)


def vectors():
    """mean((a − b)²) with the difference used by both sides of a product."""
    net = Program("mse")
    a, b = net.input("a", 12), net.input("b", 12)
    d = net.op("subtract", "Sub", [a, b], (12,))
    s = net.op("multiply", "Mul", [d, d], (12,))
    return net.finish(net.op("mean", "ReduceMean", [s]))


def called_twice():
    """One Dense, applied twice; calls 1 and 3."""
    net = Program("Recurrent", training=False)
    x = net.input("x", 4, 6)
    y = dense(net, "step", x, 6, 6, batch=4, of=2)
    y = cell(net, "tanh", "Tanh", "tanh", "Tanh", [y], (4, 6))
    y = dense(net, "step", y, 6, 6, batch=4, weights=(1, 2), call=2, of=2)
    return net.finish(y)


def residual(blocks=2):
    """Convolution blocks with shortcuts, the first of them through a convolution of its own."""
    net = Program("ResNet", training=True)
    x = net.input("x", 2, 3, 8, 8)
    y = conv(net, "stem", x, 3, 8)
    for i in range(blocks):
        net.enter(f"block{i}", "Block", [y])
        shortcut = conv(net, "shortcut", y, 8, 8) if i == 0 else y
        z = conv(net, "conv1", y, 8, 8)
        z = cell(net, "relu1", "ReLU", "relu", "ReLU", [z], (2, 8, 8, 8))
        z = conv(net, "conv2", z, 8, 8)
        z = net.op("add", "Add", [z, shortcut], (2, 8, 8, 8))
        y = net.leave(cell(net, "relu2", "ReLU", "relu", "ReLU", [z], (2, 8, 8, 8)))
    y = net.op("mean", "ReduceMean", [y], (2, 8))
    return net.finish(y)


def conv(net, name, x, channels_in, channels, size=8, batch=2):
    net.enter(name, "Conv2d", [x])
    path = net.calls[net.stack[-1]]["path"]
    weight = net.parameter(f"{path}.weight", channels, channels_in, 3, 3)
    made = (batch, channels, size, size)
    return net.leave(net.op("conv2d", "Conv2D", [x, weight], made, grads=("∂x", "∂W")))


def convnet():
    """LeNet-like: convolution, norm with four parameters and buffers, pool, flatten, dense."""
    net = Program("LeNet", training=True)
    x = net.input("x", 4, 1, 28, 28, grad_state="not asked")
    y = conv(net, "conv1", x, 1, 6, size=28, batch=4)
    net.enter("bn", "BatchNorm2d", [y])
    sides = [net.parameter(f"bn.{name}", 6) for name in ("gamma", "beta", "moving_mean", "moving_variance")]
    for buffer in sides[2:]:
        net.state(buffer, "not needed", why="A buffer, not trained.")
    y = net.leave(net.op("batch_norm", "BatchNorm", [y, *sides], (4, 6, 28, 28)))
    y = cell(net, "relu", "ReLU", "relu", "ReLU", [y], (4, 6, 28, 28))
    y = cell(net, "pool", "MaxPool2d", "max_pool2d", "MaxPool", [y], (4, 6, 14, 14))
    y = cell(net, "flatten", "Flatten", "reshape", "Reshape", [y], (4, 1176))
    y = dense(net, "fc", y, 1176, 10, batch=4)
    return net.finish(net.op("sum", "ReduceSum", [y]), loss=len(net.values) - 1)


def chain(length=60):
    """A flat function of many ops."""
    net = Program("chain")
    y = net.input("x", 5)
    for i in range(length):
        op, label = (("tanh", "Tanh"), ("sin", "Sin"), ("exp", "Exp"))[i % 3]
        y = net.op(op, label, [y], (5,))
    return net.finish(y)


def mixed(length=5000):
    """A flat function in which nothing comes twice in a row."""
    net = Program("mixed")
    y = net.input("x", 5)
    for i in range(length):
        y = net.op(f"op{i}", f"Op{i}", [y], (2,))
    return net.finish(y)


def stack(cells=50):
    """Cells of one kind, one after the other, in a Cell of their own."""
    net = Program("stack", training=True)
    y = net.input("x", 3, 4)
    net.enter("blocks", "Sequential", [y])
    for i in range(cells):
        net.enter(f"{i}", "Block", [y])
        for op, label in (("tanh", "Tanh"), ("sin", "Sin")):
            y = net.op(op, label, [y], (3, 4))
        net.leave(y)
    net.leave(y)
    return net.finish(net.op("exp", "Exp", [y], (3, 4)))


def rnn(steps=1250):
    """A flat recurrent net: four ops per step, shared weights, one input per step."""
    net = Program("rnn")
    w, u = net.parameter("w", 3, 3), net.parameter("u", 3, 3)
    h = net.input("h0", 2, 3)
    for step in range(steps):
        x = net.input(f"x{step}", 2, 3)
        a = net.op("matmul", "MatMul", [x, w], (2, 3))
        b = net.op("matmul", "MatMul", [h, u], (2, 3))
        h = net.op("tanh", "Tanh", [net.op("add", "Add", [a, b], (2, 3))], (2, 3))
    return net.finish(h)


def deep(cells=40, ops=9):
    """A stack of stacks: more than fits when everything is open."""
    net = Program("deep", training=True)
    y = net.input("x", 3, 4)
    for i in range(cells):
        net.enter(f"cell{i}", "Stack", [y])
        for j in range(3):
            net.enter(f"inner{j}", "Inner", [y])
            for _ in range(ops // 3):
                y = net.op("tanh", "Tanh", [y], (3, 4))
            net.leave(y)
        net.leave(y)
    return net.finish(y)


def nested():
    """Cells in Cells, all of which fit when open."""
    return deep(cells=2)


HOSTILE = "<b>&\"'\x00\x1b\u202e</b>"


def hostile():
    """Markup, control characters and a wide script in every name."""
    net = Program(HOSTILE, training=True)
    x = net.input(HOSTILE, 2, 3)
    net.enter(HOSTILE, HOSTILE, [x])
    weight = net.parameter(f"{HOSTILE}.{HOSTILE}", 3, 3)
    y = net.op(HOSTILE, HOSTILE, [x, weight], (2, 3), grads=(HOSTILE, HOSTILE))
    y = net.leave(net.op("softmax", "柔性最大值归一化函数", [y], (2, 3)))
    y = cell(net, "多层感知机的输出归一化层的名称很长", "批归一化", "norm", "Norm", [y], (2, 3))
    return net.finish(y)


def states():
    """One op per state of a gradient or a value."""
    net = Program("states")
    y = net.input("x", 32, 128)
    made = [y := net.op("relu", "ReLU", [y], (32, 128)) for _ in range(8)]
    document = net.finish(y)
    net.state(made[0], "cut", why="relu's pre-hook clip_np returned new data, not computed from fc1")
    net.state(made[1], "not needed", why="no parameter or input whose gradient is asked for lies behind it")
    net.state(made[2], "zero")
    net.state(made[3], value_state="dead")
    net.state(made[4], "not asked")
    net.state(made[5], "not differentiable")
    net.state(made[6], "nan", value_state="nan starts")
    net.state(made[7], "nan starts", value_state="nan")
    return document


def cut_by_hook():
    """The MLP's middle with a pre-hook on relu that returns new data."""
    net = Program("cut", training=True)
    x = net.input("x", 32, 64)
    y = dense(net, "fc1", x, 64, 128)
    net.enter("relu", "ReLU", [y], hooks=[{"kind": "forward_pre", "glyph": "▷", "name": "clip_np", "code": None}])
    net.hook("forward_pre", "clip_np", replaced=True)
    new = net.constant(net.draw(32, 128))
    net.values[new]["replaces"] = y
    z = net.leave(net.op("relu", "ReLU", [new], (32, 128)))
    out = dense(net, "fc2", z, 128, 10)
    document = net.finish(out, net.op("sum", "Sum", [out]), loss=len(net.values) - 1)
    for value in range(y + 1):
        net.state(value, "cut", why="relu's pre-hook clip_np returned new data, not computed from fc1")
    net.state(z, "not needed")
    return document


PROGRAMS = {
    program.__name__: program
    for program in (
        mlp,
        two_outputs,
        diamond,
        vectors,
        called_twice,
        residual,
        convnet,
        chain,
        deep,
        nested,
        hostile,
        states,
        cut_by_hook,
    )
}


def all_calls(document):
    """Everything open."""
    return {call["id"] for call in document["calls"]}
