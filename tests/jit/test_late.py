"""What a captured run imports, of ops and of Python's, is no doing of the function's."""

from __future__ import annotations

import subprocess
import sys

_PROGRAM = """
import sys, types, warnings
import numpy as np
import teachcell as tc
from teachcell import Tensor, grad, nn, ops

met = []

class Hook:  # such as test runners and notebooks have
    def find_spec(self, name, path=None, target=None):
        return self.look(name)

    def look(self, name):
        met.append(name)
        open(sys.executable, "rb").close()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.warn("looked", stacklevel=2)

sys.meta_path.insert(0, Hook())
x = Tensor(np.array([[0.5, 1.0], [2.0, 3.0]], np.float32))
net = nn.LayerNorm((2,))

def f(x):
    y = ops.cumsum(net(x), 0) @ x.tril()
    return ops.erf(y).sum() + (y.logsumexp(0) if y.ndim == 2 else ops.digamma(y)).sum()

work = tc.jit(grad(f))
found = [work(x).asnumpy() for _ in range(3)]
assert any(name.startswith("teachcell.ops.") for name in met)
(jitted,) = [c.cell_contents for c in work.__closure__ if hasattr(c.cell_contents, "plans")]
((plan,),) = jitted.plans.values()
assert plan.hits == 2 and jitted.reason is None, jitted.reason
assert all(np.allclose(a, grad(f)(x).asnumpy(), rtol=1e-5) for a in found)
assert "teachcell.ops.linalg.decompositions" not in sys.modules  # what is not asked for stays where it is
"""


def test_what_is_imported_meanwhile_does_not_matter() -> None:
    run = subprocess.run([sys.executable, "-W", "error", "-c", _PROGRAM], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
