"""One lesson that goes wrong, and beginnings that many share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Case:
    """One lesson."""

    keys: str
    lesson: str
    kind: type[BaseException]
    mentions: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.keys


def case(keys: str, lesson: str, kind: type[BaseException] = ValueError, *mentions: str) -> Case:
    return Case(keys, lesson, kind, mentions)


X = "x = Tensor([1.0, 2.0])\n"
M = "m = Tensor(np.ones((2, 3)))\n"
P = 'w = Parameter(Tensor([1.0, 2.0]), name="w")\n'
OVERRIDDEN = """with OPS["tanh"].override((lambda F, g, out, x: {},)):{}
    grad(ops.tanh)(x)"""
NET = """
class Net(nn.Cell):
    def construct(self, x, y):
        return x * y
net, x = Net(), Tensor([1.0, 2.0])
"""
RULED = """
class Net(nn.Cell):
    def construct(self, x, y):
        return x * y
    def bprop(self, x, y, out, dout):
        return {}
x = Tensor([1.0, 2.0])
grad(Net())(x, x)"""
WEIGHTED = """
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0]), name="w")
        self.internal_params = [self.w]
    def construct(self, x):
        return self.w * x
    def bprop(self, x, out, dout):
        return (dout * self.w,)
grad(Net())(Tensor([1.0]))"""
TWO = "cell = nn.Cell()\ncell.p, cell.c = Parameter(1.0), nn.ReLU()\n"
