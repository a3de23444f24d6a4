"""The four programs on which every widget test runs, as source for a notebook cell: each defines `explorer`."""

MLP = """
import numpy as np
import teachcell as tc
from teachcell import Tensor, nn
from teachcell_widgets import Explorer

class MLP(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Dense(6, 16)
        self.relu = nn.ReLU()
        self.dropout = nn.Dropout(p=0.5)
        self.fc2 = nn.Dense(16, 3)

    def construct(self, x):
        return self.fc2(self.dropout(self.relu(self.fc1(x))))

def no_gradient(x, out, dout):
    return (dout * 0,)

tc.set_seed(1)
net = MLP()
net.set_train()
x = Tensor(np.random.RandomState(0).randn(8, 6).astype(np.float32))
labels = Tensor(np.arange(8) % 3)
explorer = Explorer(
    net, x, loss=nn.CrossEntropyLoss(), targets=labels, bprops={"relu": {"no gradient": no_gradient}}
)
explorer
"""

TWO_OUTPUTS = """
import numpy as np
from teachcell import Tensor, nn, ops
from teachcell_widgets import Explorer

class Split(nn.Cell):
    def construct(self, x):
        return ops.relu(x), ops.tanh(x)

class Both(nn.Cell):
    def __init__(self):
        super().__init__()
        self.split = Split()
        self.relu = nn.ReLU()

    def construct(self, x):
        positive, squashed = self.split(self.relu(x) - 0.5)
        return positive * 2, squashed

def no_gradient(x, out, dout):
    return (dout * 0,)

net = Both()
x = Tensor(np.linspace(-2, 2, 8).astype(np.float32))
explorer = Explorer(net, x, bprops={"relu": {"no gradient": no_gradient}})
explorer
"""

FUNCTION = """
import numpy as np
from teachcell import Tensor, nn, ops
from teachcell_widgets import Explorer

relu = nn.ReLU()

def energy(x, w):
    hidden = relu(x * w)
    return (hidden * hidden + x).sum()

def no_gradient(x, out, dout):
    return (dout * 0,)

x = Tensor(np.linspace(-1, 2, 6).astype(np.float32))
w = Tensor(np.linspace(1, 2, 6).astype(np.float32))
explorer = Explorer(energy, x, w, bprops={"relu": {"no gradient": no_gradient}})
explorer
"""

CALLED_TWICE = """
import numpy as np
import teachcell as tc
from teachcell import Tensor, nn
from teachcell_widgets import Explorer

class Twice(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(self.fc(self.relu(self.fc(x))))

def no_gradient(x, out, dout):
    return (dout * 0,)

tc.set_seed(3)
net = Twice()
x = Tensor(np.random.RandomState(1).randn(3, 4).astype(np.float32))
explorer = Explorer(net, x, bprops={"relu": {"no gradient": no_gradient}})
explorer
"""

PROGRAMS = {"mlp": MLP, "two_outputs": TWO_OUTPUTS, "function": FUNCTION, "called_twice": CALLED_TWICE}


def program_as(name: str, widget: str) -> str:
    """The program under another widget of the package, still called `explorer`."""
    return PROGRAMS[name].replace("import Explorer", f"import {widget} as Explorer")
