"""What the declarations put into ``ops`` and ``Tensor``, and whether all of it can be differentiated or says not."""

from __future__ import annotations

import ast
import importlib
import inspect
import pickle
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ops import families, made_of
from ops.samples import NEW_VALUES, NOT_DIFFERENTIABLE, SAMPLES, TESTED_ELSEWHERE, WRITES
from ops.samples.sample import Sample
from ops.stub import stubs

import teachcell as tc
from teachcell import Parameter, Tensor, grad, ops
from teachcell.core import card
from teachcell.core import families as index
from teachcell.core import tensor as tensor_module
from teachcell.core.loading import load_all
from teachcell.core.op import ARRAYS, OPS, TENSORS
from teachcell.core.public import FUNCTIONS, PRIMITIVES, Primitive
from teachcell.texts import table

DERIVATIVES = {
    "custom_vjp", "get_grad", "grad", "jacfwd", "jacrev", "jvp", "linearize", "value_and_grad", "vjp", "vmap",
}  # fmt: skip


def test_every_public_op_has_a_gradient_or_is_declared_to_have_none() -> None:
    assert {op.name for op in OPS.values() if op.rules is None} <= NOT_DIFFERENTIABLE
    assert not {op.name for op in OPS.values() if op.rules is not None} & NOT_DIFFERENTIABLE
    of_ops = {name for name, f in FUNCTIONS.items() if not hasattr(f, "op")}
    declared = set(SAMPLES) | TESTED_ELSEWHERE | NEW_VALUES | WRITES | DERIVATIVES
    tested = {FUNCTIONS[name] for name in declared & set(FUNCTIONS)}
    assert not {name for name in of_ops if FUNCTIONS[name] not in tested}


@pytest.mark.parametrize("name", sorted(set(SAMPLES) - set(OPS) - NOT_DIFFERENTIABLE))
def test_functions_made_of_ops_pass_gradients_on(name: str) -> None:
    assert any(_slopes(sample) for sample in SAMPLES[name])


def _slopes(sample: Sample) -> bool:
    inputs = [Tensor(a) for a in sample.inputs]
    floats = tuple(i for i, t in enumerate(inputs) if t.dtype is tc.float64)
    found = grad(lambda *tensors: sample.run([*tensors]), floats)(*inputs)
    return any(g.asnumpy().any() for g in (found if isinstance(found, tuple) else (found,)))


@pytest.mark.parametrize("name", sorted(NOT_DIFFERENTIABLE))
def test_ops_without_a_gradient_are_constants(name: str) -> None:
    for sample in SAMPLES.get(name, [])[:3]:
        tensors = [Tensor(a) for a in sample.inputs]
        floats = tuple(i for i, t in enumerate(tensors) if t.dtype is tc.float64)
        if floats:
            found = grad(lambda *args, s=sample: s.run([*args]), floats)(*tensors)
            for gradient in found if len(floats) > 1 else (found,):
                assert not gradient.asnumpy().any()


def test_the_stubs_for_type_checkers_are_up_to_date() -> None:
    for file, text in stubs():
        assert file.read_text(encoding="utf-8") == text, "run python tests/ops/stub.py"


def test_what_modules_declare_is_up_to_date(tmp_path: Path) -> None:
    file = tmp_path / "families.py"
    subprocess.run([sys.executable, families.__file__, file], check=True)
    assert file.read_text(encoding="utf-8") == inspect.getsource(index), "run python tests/ops/stub.py"


def test_what_functions_are_made_of_is_up_to_date_and_said() -> None:
    file = Path(made_of.made_of.__file__)
    assert file.read_text(encoding="utf-8") == made_of.text(), "run python tests/ops/made_of.py"
    assert "Made of: add, matmul." in pydoc.getdoc(ops.dense)
    for name, op in (("conv2d", "convolution"), ("max_pool2d", "max_pool"), ("max", "max_with_index")):
        assert str(card.card(OPS[op])) in (inspect.getdoc(FUNCTIONS[name]) or ""), name
    alone = {n: made for n, made in made_of.made_of.MADE_OF.items() if made in OPS}
    assert not {name for name, made in alone.items() if FUNCTIONS[name].shows is not OPS[made]}


def test_the_operators_that_type_checkers_know_are_those_installed() -> None:
    load_all()
    tree = ast.parse(inspect.getsource(tensor_module))
    body = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Tensor").body
    block = next(n for n in body if isinstance(n, ast.If))
    declared = {n.name for n in block.body if isinstance(n, ast.FunctionDef)} - {"__getattr__"}
    written = {n.name for n in body if isinstance(n, ast.FunctionDef)}
    installed = {n for n in vars(Tensor) if n.startswith("__") and callable(vars(Tensor)[n])}
    of_python = {"__class__", "__eq__", "__init_subclass__", "__ne__", "__new__"}
    assert declared == installed - written - of_python


def test_methods_are_the_same_ops() -> None:
    x = Tensor([[1.0, 4.0], [9.0, 16.0]])
    for name in ("tanh", "sqrt", "exp", "log", "relu", "sigmoid", "square", "abs", "floor", "sign", "neg", "softmax"):
        np.testing.assert_array_equal(getattr(x, name)().asnumpy(), FUNCTIONS[name](x).asnumpy(), err_msg=name)
    for name, attrs in (("sum", {"axis": 0}), ("mean", {"axis": 1}), ("max", {"axis": 0}), ("min", {"axis": -1})):
        np.testing.assert_array_equal(
            getattr(x, name)(**attrs).asnumpy(), getattr(x.asnumpy(), name)(**attrs), err_msg=name
        )
    assert x.T.tolist() == x.transpose().tolist() == x.permute(1, 0).tolist() == [[1, 9], [4, 16]]
    assert x.view(4).tolist() == x.reshape((4,)).tolist() == x.flatten().tolist() == x.ravel().tolist()
    assert x.unsqueeze(0).shape == x.expand_dims(0).shape == (1, 2, 2) == x[None].shape
    assert x.sum(dtype=tc.float64).dtype is tc.float64
    assert x.broadcast_to((2, 2, 2)).shape == (2, 2, 2) and x.swapaxes(0, 1).tolist() == x.T.tolist()


def test_cards_name_the_value_and_one_formula_per_gradient() -> None:
    for op in OPS.values():
        formulas = card.formulas(op)
        assert formulas and all(isinstance(line, str) for line in formulas), op
        rules = op.rules if isinstance(op.rules, tuple) else (op.rules,)
        gradients = sum(rule is not None for rule in rules)
        if isinstance(op.rules, tuple) and op.name != "select":
            assert len(formulas) == 1 + gradients, op
    assert card.formulas(OPS["matmul"], {"transpose_b": True})[0] != card.formulas(OPS["matmul"])[0]


@pytest.mark.parametrize("name", list(OPS))
def test_a_card_has_words_in_both_languages_and_a_source_where_there_are_rules(name: str) -> None:
    op = OPS[name]
    english, chinese = table("cards").get(f"cards.words.{name}", ("", ""))
    assert len(english.split()) > 3 and re.search(r"[\u4e00-\u9fff].*。$", chinese), "no words in texts/cards/"
    assert english.endswith(".") and not re.search(r"[{}]", english + chinese)
    assert op.source or op.rules is None, "where do the formulas come from?"


def test_an_op_knows_the_module_that_declares_it() -> None:
    for op in OPS.values():
        assert importlib.import_module(f"teachcell.ops.{op.family}"), op
    assert (OPS["matmul"].family, OPS["add"].family) == ("linalg.products", "elementwise.arithmetic")


def test_rules_find_every_name_on_both_floors() -> None:
    load_all()
    assert set(vars(ARRAYS)) == set(vars(TENSORS)) >= set(OPS) - {"hook_backward"}


def test_writes() -> None:
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    written = ops.assign(p, Tensor([3, 4]))
    assert p.tolist() == [3.0, 4.0] and p.dtype is tc.float32
    assert ops.assign_add(p, Tensor([0.0, 0.0])) is not p and str(written) == "[3. 4.]"
    assert ops.assign_add(p, Tensor([1.0, 1.0])).tolist() == [4.0, 5.0]
    assert ops.assign_sub(p, [0.5, 0.5]).tolist() == [3.5, 4.5]
    assert PRIMITIVES["Assign"]()(p, Tensor([0.0, 1.0])).tolist() == [0.0, 1.0]
    scalar = Parameter(2.0)
    assert ops.assign_add(scalar, 1).item() == 3.0
    with pytest.raises(ValueError, match=r"'p' has shape \(2,\), the new value \(3,\)"):
        ops.assign(p, Tensor([1.0, 2.0, 3.0]))
    assert p.tolist() == [0.0, 1.0]


def test_primitives_refuse_what_belongs_to_the_call() -> None:
    with pytest.raises(TypeError, match=r"MatMul\(…\) takes transpose_a, transpose_b, not .*Tensors belong to"):
        ops.MatMul(True, False, Tensor([1.0]))
    with pytest.raises(TypeError, match="axes"):
        ops.Softmax(axes=1)
    assert repr(ops.Softmax(axis=0)) == "Softmax(axis=0)"


def test_help_shows_the_signature_that_works() -> None:
    shown = {f.__name__: str(inspect.signature(f)) for f in (ops.mean, ops.concat, ops.add, ops.tril, ops.relu)}
    assert shown == {
        "mean": "(x, axis=None, keep_dims=False)", "concat": "(tensors, axis=0)", "add": "(input, other)",
        "tril": "(input, diagonal=0)", "relu": "(input)",
    }  # fmt: skip
    assert inspect.unwrap(ops.mean) is ops.mean and "Σ x" in ops.mean.__doc__


def test_inputs_by_keyword_have_mindspore_s_names() -> None:
    x = Tensor([4.0, 9.0])
    assert ops.sqrt(x=x).tolist() == ops.pow(input=x, exponent=0.5).tolist() == [2.0, 3.0]
    assert ops.concat(tensors=(x, x)).tolist() == ops.cat((x, x), axis=0).tolist()
    assert ops.true_divide(dividend=x, divisor=2).tolist() == x.div(other=2).tolist() == [2.0, 4.5]
    assert ops.log_softmax(logits=x).shape == ops.elu(input_x=x).shape == ops.bias_add(x[None], bias=x)[0].shape
    assert ops.lerp(input=x, end=x, weight=0.5).tolist() == x.lerp(end=x, weight=0.5).tolist() == x.tolist()
    with pytest.raises(TypeError, match="'x'"):
        ops.add(x=x, y=x)


def test_methods_take_mindspore_s_keywords() -> None:
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    pairs = [
        (x.reshape(shape=(3, 2)), x.reshape(3, 2)), (x.permute(dims=(1, 0)), x.T), (x.tile(dims=(2, 1)), x.tile(2, 1)),
        (x.expand(size=(1, 2, 3)), x[None]), (x.flatten(order="F"), x.T.flatten()),
        (x.softmax(1, tc.float32), x.softmax()), (x.flatten("F", start_dim=0, end_dim=1), x.flatten("F")),
        (x.add(other=x, alpha=2), 3 * x),
        (x.true_divide(other=2), x / 2), (x.where(condition=x > 2, other=0.0), x.where(x > 2, 0.0)),
        (x.index_select(dim=1, index=Tensor([0])), x[:, :1]), (x.index_select(axis=1, index=Tensor([0])), x[:, :1]),
        (x.masked_fill(mask=x > 2, value=0), x.where(x <= 2, 0.0)), (x.split(split_size=2, dim=1)[0], x[:, :2]),
        (x.split(split_size_or_sections=[1, 2], axis=1)[1], x[:, 1:]),
        (ops.transpose(input=x, dims=(1, 0)), x.T), (ops.permute(input=x, axis=(1, 0)), x.T),
        (ops.masked_fill(input_x=x, mask=x > 2, value=0), x.where(x <= 2, 0.0)),
    ]  # fmt: skip
    assert [a.tolist() for a, _ in pairs] == [b.tolist() for _, b in pairs]
    assert ops.numel(input=x) == 6 and x.astype(tc.float32, copy=False) is x
    assert x.astype(float).dtype == x.astype("float").dtype == tc.float64 and x.astype("int").dtype == tc.int64


def test_a_primitive_class_shows_what_it_takes_and_its_object_what_the_call_takes() -> None:
    shown = {p.__name__: (str(inspect.signature(p)), str(inspect.signature(p(**attrs)))) for p, attrs in (
        (ops.Softmax, {}), (ops.MatMul, {}), (ops.Einsum, {"equation": "ij->ji"}), (ops.StandardNormal, {}),
    )}  # fmt: skip
    assert shown == {
        "Softmax": ("(axis=-1)", "(input)"), "MatMul": ("(transpose_a=False, transpose_b=False)", "(input, other)"),
        "Einsum": ("(equation)", "(x)"), "StandardNormal": ("(seed=0, seed2=0)", "(shape)"),
    }  # fmt: skip
    for primitive in PRIMITIVES.values():
        if issubclass(primitive, Primitive):
            attributes = list(inspect.signature(primitive).parameters.values())
            assert [p.name for p in attributes] == list(primitive.init)
            assert not {"args", "attrs"} & {p.name for p in attributes}
    assert ops.Softmax.__doc__.startswith("``ops.Softmax(axis=-1)(input)``\n\n")
    assert card.formulas(OPS["softmax"])[1] in ops.Softmax.__doc__
    assert "Softmax in module teachcell.ops" in pydoc.plain(pydoc.render_doc(ops.Softmax))
    assert pickle.loads(pickle.dumps(ops.Softmax(axis=0)))(Tensor([1.0])).tolist() == [1.0]


def test_methods_are_called_by_their_public_names() -> None:
    load_all()
    for name, method in vars(Tensor).items():
        if not name.startswith("_") and inspect.isfunction(method):
            assert not method.__name__.startswith("_"), name
    with pytest.raises(TypeError, match=r"Tensor\.ptp\(\) got an unexpected keyword argument 'dim'"):
        Tensor([1.0]).ptp(dim=0)


def test_remarks_on_cards_are_in_the_language_in_use() -> None:
    assert card.formulas(OPS["sum"], {"dim": 0}) == ("y = Σ x", "∂x = g, repeated over the summed axes")
    tc.set_language("zh")
    try:
        assert card.formulas(OPS["sum"]) == ("y = Σ x", "∂x = g, 沿被求和的轴重复")
    finally:
        tc.set_language("en")
