"""What ``import teachcell`` loads, and that everything else comes when it is asked for, wherever it is asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import teachcell as tc
from teachcell import nn, ops, train

AT_ONCE = 60  # modules of teachcell


def fresh(code: str) -> str:
    """What the code prints in a Python of its own."""
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def loaded(code: str) -> set[str]:
    """The modules that the code has loaded by its end."""
    return set(fresh(f"{code}\nimport sys\nprint(*sys.modules)").split())


def test_importing_loads_the_core_alone() -> None:
    modules = loaded("import teachcell")
    assert len([m for m in modules if m.startswith("teachcell.")]) < AT_ONCE
    folders = ("ops", "nn", "train", "lens", "graph", "autodiff.check")
    assert not [m for m in modules if m.startswith(tuple(f"teachcell.{folder}." for folder in folders))]
    # NumPy 1.26 loads its random numbers itself.
    assert not (modules - loaded("import numpy")) & {"scipy", "numpy.random", "zipfile"}


def test_a_first_gradient_loads_the_families_it_uses() -> None:
    code = "from teachcell import grad, ops\nprint(grad(lambda x: (x * x).sum())(ops.ones((3, 3))))"
    modules = loaded(code)
    assert {"teachcell.ops.elementwise.arithmetic", "teachcell.ops.reductions.sums"} <= modules
    unused = {"ops.spatial.conv", "ops.linalg.products", "ops.neural.norm", "nn.cell", "train.model"}
    assert not modules & {f"teachcell.{module}" for module in unused}


@pytest.mark.parametrize("code, shown", [
    ("from teachcell import nn; import teachcell.nn as again; print(nn is again, nn.Dense.__name__)", "True Dense"),
    ("import teachcell as tc; print(tc.nn.optim.Adam is tc.nn.Adam, tc.lens.__name__)", "True teachcell.lens"),
    ("from teachcell.nn import Accuracy; print(Accuracy.__module__)", "teachcell.train.metrics.classification"),
    ("from teachcell.ops import *; print(len([relu, Conv2D, grad, custom_vjp]))", "4"),
    ("from teachcell import *; print(Tensor([1.0]).relu(), jit.__name__, Model.__name__)", "[1.] jit Model"),
    ("import teachcell.jit.capture, teachcell; print(teachcell.jit(abs)(-1))", "1"),
    ("import teachcell.autodiff.grad; from teachcell.autodiff import grad, gradcheck; print(grad.__name__)", "grad"),
    ("import numpy; from teachcell import Tensor; print(numpy.exp(Tensor([0.0])))", "[1.]"),
    ("from teachcell import Tensor; print(Tensor([1.0]) == 1, 2 - Tensor([1.0]), Tensor([[1, 2]]).T)",
     "[ True] [1.] [[1]\n [2]]"),
    ("from teachcell import Tensor; print(Tensor.matmul.__name__, type(Tensor.T))", "matmul <class 'property'>"),
    ("from teachcell.ops import operations as P; from pickle import *; print(loads(dumps(P.Softmax(0))))",
     "Softmax(axis=0)"),
    ("from teachcell import Tensor, jit; f = jit(lambda x: x.relu() + x); f(Tensor([1.0])); f.plan()",
     "<lambda> 1/1"),
    ("from teachcell.core.op import OPS; print('relu' in OPS, 'nope' in OPS, OPS.get('nope'), len(OPS) > 200)",
     "True False None True"),
])  # fmt: skip
def test_names_come_by_every_way(code: str, shown: str) -> None:
    assert fresh(code).startswith(shown)


def test_every_name_is_there_and_listed() -> None:
    for module in (tc, nn, nn.optim, ops, train, tc.common):
        assert set(module.__all__) <= set(dir(module))
        assert all(getattr(module, name) is not None for name in module.__all__)


@pytest.mark.parametrize("name", ["nope", "_nope", "__nope__"])
@pytest.mark.parametrize("module", [tc, nn, ops, train, tc.common, tc.autodiff], ids=lambda m: m.__name__)
def test_other_names_are_refused(module: object, name: str) -> None:
    with pytest.raises(AttributeError):
        getattr(module, name)


def test_an_error_inside_a_module_is_no_absent_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.py").write_text("import nothing_of_this_name", encoding="utf-8")
    monkeypatch.setattr(nn.optim, "__path__", [*nn.optim.__path__, str(tmp_path)])
    with pytest.raises(ModuleNotFoundError, match="nothing_of_this_name"):
        nn.optim.broken  # noqa: B018
