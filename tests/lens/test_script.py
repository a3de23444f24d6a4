"""What was switched, as code: run by hand it gives the gradients that the experiment gave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import run_program

from teachcell import Parameter, Tensor, nn, ops
from teachcell.lens.lab.ready import READY
from teachcell_widgets import Explorer

Y = Tensor([[0.5, -1.0]])


def by_hand(explorer: Explorer, **names: Any) -> Any:
    """The gradients that the code computes."""
    program = explorer.experiment.program
    names_given = [*program.input_names(), *program.target_names()]
    given = dict(zip(names_given, [*program.inputs, *program.targets], strict=True))
    scope = {"net": explorer.net, "loss": program.loss, **given, **names}
    exec(explorer.code(), scope)
    gradients = scope["gradients"]
    while isinstance(gradients, tuple):
        gradients = gradients[0]
    return gradients.asnumpy()


def two(out, labels, weight):
    return ((out - labels) * weight).sum()


def total(out):
    return out.sum()


def own_name(out, x):
    return (out * x).sum()


@pytest.mark.parametrize(
    ("loss", "targets", "line", "given"),
    [
        (nn.MSELoss(), Y, "loss(net(x), labels)", "net, x, labels, loss"),
        (nn.MSELoss(), (Y,), "loss(net(x), *targets)", "net, x, targets, loss"),
        (nn.MSELoss(), [Y], "loss(net(x), *targets)", "net, x, targets, loss"),
        (two, (Y, Y), "loss(net(x), *targets)", "net, x, targets, loss"),
        (own_name, Y, "loss(net(x), targets)", "net, x, targets, loss"),  # its x is not the net's
        (total, (), "loss(net(x))", "net, x, loss"),
    ],
)
def test_targets_are_given_as_the_widget_got_them(loss: Any, targets: Any, line: str, given: str) -> None:
    net = nn.Dense(2, 2)
    explorer = Explorer(net, Tensor([[1.0, 2.0]]), loss=loss, targets=targets)
    assert line in explorer.code() and explorer.code().startswith(f"# given: {given}\n")
    scope = {"net": net, "x": Tensor([[1.0, 2.0]]), "loss": loss, "labels": targets, "targets": targets}
    exec(explorer.code(), scope)
    shown = next(v for v in explorer.outcome.recorder.values if v.kind == "input").gradient.array
    np.testing.assert_allclose(scope["gradients"][0].asnumpy(), shown, rtol=1e-6)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_code_gives_the_same_gradients(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    names = run_program(name)
    explorer = names["explorer"]
    explorer.set_rule("relu", "no gradient")
    explorer.set_rule("relu", "engine")
    explorer.set_train(True, "relu")
    explorer.set_capture("relu")
    explorer.new_draw()
    shown = next(v for v in explorer.outcome.recorder.values if v.kind == "input").gradient.array
    code = explorer.code()
    explorer.set_capture(None)
    relu = "relu" if name == "function" else "net.relu"
    assert f"{relu}.bprop = None" in code and f"{relu}.set_train()" in code and "no gradient" not in code
    assert f"getattr({relu}, " in code and "tc.set_seed(1)" in code and "capture" not in explorer.code()
    np.testing.assert_allclose(by_hand(explorer, bprops=names.get("bprops"), relu=names.get("relu")), shown, rtol=1e-6)


@pytest.mark.parametrize("rule", READY)
def test_a_ready_rule_is_written_out(rule: str) -> None:
    explorer = Explorer(nn.SequentialCell(nn.Dense(2, 2), nn.Tanh()), Tensor([[1.0, 2.0]]))
    explorer.set_rule("1", rule)
    name = READY[rule].function.__name__
    assert f"def {name}(" in explorer.code() and f"\nnet[1].bprop = {name}\n" in explorer.code()
    assert "lens" not in explorer.code() and "Any" not in explorer.code()
    shown = next(v for v in explorer.outcome.recorder.values if v.kind == "input").gradient.array
    np.testing.assert_allclose(by_hand(explorer), shown, rtol=1e-6)


def test_a_rule_that_takes_self_is_bound() -> None:
    def rule(self, x, out, dout):
        return (dout * 7,)

    names = run_program("mlp")
    explorer = Explorer(names["net"], names["x"][:, :], bprops={"relu": {"seven": rule}})
    explorer.set_rule("relu", "seven")
    assert "net.relu.bprop = bprops['relu']['seven'].__get__(net.relu)" in explorer.code()
    shown = next(v for v in explorer.outcome.recorder.values if v.kind == "input").gradient.array
    np.testing.assert_allclose(by_hand(explorer, bprops={"relu": {"seven": rule}}), shown, rtol=1e-6)


def test_parameters_of_a_function_are_among_the_weights() -> None:
    w = Parameter([2.0], name="w")

    def f(x):
        return ops.exp(x) * w

    assert "tc.value_and_grad(forward, 0, [w])(x)" in Explorer(f, Tensor([1.0])).code()


def test_reset_puts_everything_back() -> None:
    explorer = run_program("mlp")["explorer"]
    net, code, first = explorer.net, explorer.code(), explorer.outcome.document["values"]
    net.fc1.set_train(False)
    explorer = Explorer(net, *explorer.experiment.program.inputs, bprops=explorer.experiment.rules.given)
    first, code = explorer.outcome.document["values"], explorer.code()
    explorer.set_train(False)
    explorer.set_rule("relu", "no gradient")
    explorer.set_capture("fc1")
    explorer.toggle("call1")
    explorer.new_draw()
    assert explorer.outcome.document["values"] != first
    explorer.reset()
    assert explorer.outcome.document["values"] == first and explorer.code() == code and explorer.view["code"] == ""
    assert net.training and not net.fc1.training and net.fc2.training and net.phase == "train"
    assert net.fc1._hooks is None or net.fc1._hooks.empty()


def test_a_program_with_nothing_to_differentiate_by_is_only_run() -> None:
    def product(pair):
        return pair[0] * pair[1]

    pair = [Tensor([2.0]), Tensor([3.0])]
    scope: dict[str, Any] = {"net": product, "pair": pair}
    exec(Explorer(product, pair).code(), scope)
    assert scope["value"].asnumpy().tolist() == [6.0]


def test_code_that_captures_after_a_training_leaves_no_hooks_and_defines_all_once(capsys) -> None:
    names = run_program("mlp")
    explorer = names["explorer"]
    explorer.set_rule("relu", "no gradient")
    explorer.training.run(2)
    explorer.set_capture("relu")
    code = explorer.code()
    assert "net.relu.bprop = no_gradient" in code
    assert code.startswith("# given: net, x, labels, loss, no_gradient\n") and code.count("def forward(") == 1
    assert code.endswith("\nfor handle in handles: handle.remove()")
    explorer.close()
    by_hand(explorer, no_gradient=names["no_gradient"])
    printed = capsys.readouterr().out
    assert printed.count("ReLU") == 4
    explorer.net(names["x"])
    assert not capsys.readouterr().out


def test_of_rules_without_a_name_of_their_own_it_is_said_where_they_are() -> None:
    explorer = Explorer(nn.ReLU(), Tensor([1.0]), bprops={"": {"seven": lambda x, out, dout: (dout * 7,)}})
    explorer.set_rule("", "seven")
    first, second = explorer.code().splitlines()[:2]
    assert first.endswith(", bprops")
    assert second == "# bprops: the rules that the widget was given under this name"
