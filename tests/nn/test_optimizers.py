"""Every optimizer: three steps beside numbers measured on MindSpore 2.10 or worked out; groups, rates, state."""

from __future__ import annotations

import math
import pickle
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops
from teachcell.core.events import Observer, observing

GRADIENTS = [
    ([0.1, -0.2, 0.3], [[1.0, -1.0], [0.5, 0.25]]),
    ([-0.5, 0.4, 0.3], [[0.1, 0.2], [-0.5, 0.25]]),
    ([0.5, 0.0, -0.3], [[0.3, 0.2], [0.5, 0.25]]),
]

# What Parameters w = [1, −2, 3] and b = [[½, −½], [¼, 1]] are after three steps, as measured.
MEASURED: list[tuple[str, dict[str, Any], list[float], list[list[float]]]] = [
    ("Adam", {}, [0.999481, -1.999649, 2.997738], [[0.497528, -0.498224], [0.248717, 0.997]]),
    ("Adam", {"use_nesterov": True, "learning_rate": 0.1},
     [0.881536, -1.934983, 2.68069], [[0.151789, -0.267103], [0.050247, 0.54047]]),
    ("Adam", {"use_amsgrad": True, "learning_rate": 0.1},
     [0.948114, -1.964896, 2.773801], [[0.252763, -0.322441], [0.121684, 0.700001]]),
    ("AdamWeightDecay", {"learning_rate": 0.1, "weight_decay": 0.1},
     [0.854159, -1.924806, 2.050626], [[-0.498572, 0.170731], [-0.211421, -0.255264]]),
    ("AdaMax", {"learning_rate": 0.1}, [0.93349, -1.947231, 2.773801], [[0.302947, -0.347222], [0.121684, 0.7]]),
    ("AdaMax", {"learning_rate": 0.1, "weight_decay": 0.1},
     [0.905507, -1.850384, 2.739334], [[0.299393, -0.341507], [0.115768, 0.704254]]),
    ("Adadelta", {}, [0.996781, -2.000878, 2.996894], [[0.494989, -0.498707], [0.246781, 0.990293]]),
    ("Adadelta", {"learning_rate": 0.5, "rho": 0.8, "epsilon": 0.001},
     [0.969682, -2.010458, 2.966867], [[0.442598, -0.48708], [0.213669, 0.893159]]),
    ("Adagrad", {}, [0.999892, -2.000196, 2.999238], [[0.498678, -0.499418], [0.249258, 0.998387]]),
    ("ASGD", {}, [0.98997, -2.01994, 2.969911], [[0.359988, -0.439986], [0.199993, 0.924971]]),
    ("ASGD", {"learning_rate": 0.1, "t0": 1.0},
     [0.98997, -2.01994, 2.969911], [[0.359988, -0.439986], [0.199993, 0.924971]]),
    ("FTRL", {}, [0.046429, -0.309887, 0.822809], [[0.347922, -0.348662], [0.115627, 0.213922]]),
    ("ProximalAdagrad", {}, [0.999892, -2.000196, 2.999238], [[0.498678, -0.499418], [0.249258, 0.998387]]),
    ("ProximalAdagrad", {"learning_rate": 0.1, "l1": 0.1, "l2": 0.1},
     [0.874791, -1.838292, 2.704506], [[0.329381, -0.402535], [0.128755, 0.721676]]),
    ("RMSProp", {}, [0.987441, -2.022881, 2.97011], [[0.356333, -0.443154], [0.195992, 0.917216]]),
    ("RMSProp", {"learning_rate": 0.1, "momentum": 0.5, "centered": True},
     [1.006959, -2.029074, 2.929903], [[0.274801, -0.377901], [0.183804, 0.88357]]),
    ("Rprop", {}, [0.85, -1.9, 2.78], [[0.136, -0.45], [0.1, 0.636]]),
    ("Rprop", {"learning_rate": 0.1}, [0.85, -1.9, 2.78], [[0.136, -0.45], [0.1, 0.636]]),
    ("SGD", {}, [0.99, -2.02, 2.97], [[0.36, -0.44], [0.2, 0.925]]),
    ("SGD", {"momentum": 0.9, "dampening": 0.1}, [1.0134, -2.0142, 2.8944], [[0.1849, -0.2812], [0.155, 0.867]]),
    ("Momentum", {"learning_rate": 0.1, "momentum": 0.9},
     [1.0179, -2.0218, 2.8917], [[0.18, -0.287], [0.1595, 0.85975]]),
    ("AdaFactor", {}, [0.996202, -1.998366, 2.99282], [[0.497886, -0.498885], [0.24863, 0.997624]]),
    ("AdaFactor", {"learning_rate": 0.1, "relative_step": False, "scale_parameter": False},
     [0.982419, -1.992456, 2.966765], [[0.466173, -0.482178], [0.228084, 0.961957]]),
    ("AdaFactor", {"learning_rate": 0.1, "relative_step": False, "scale_parameter": True, "beta1": 0.9},
     [0.962013, -1.983312, 2.928167], [[0.478922, -0.488788], [0.236307, 0.976359]]),
]  # fmt: skip


def parameters() -> tuple[Parameter, Parameter]:
    w = Parameter(Tensor([1.0, -2.0, 3.0]), name="w")
    return w, Parameter(Tensor([[0.5, -0.5], [0.25, 1.0]]), name="b")


def train(optimizer: Any, steps: int = 3) -> None:
    for w, b in GRADIENTS[:steps]:
        assert optimizer((Tensor(w), Tensor(b))) is True


@pytest.mark.parametrize(("name", "options", "w", "b"), MEASURED)
def test_three_steps(name: str, options: dict[str, Any], w: Any, b: Any) -> None:
    mine = parameters()
    train(getattr(nn, name)(mine, **options))
    np.testing.assert_allclose(mine[0].asnumpy(), w, rtol=2e-5)
    np.testing.assert_allclose(mine[1].asnumpy(), b, rtol=2e-5, atol=2e-5)
    assert mine[0].dtype is tc.float32


def test_lazy_adam_is_adam() -> None:
    first, second = parameters(), parameters()
    train(nn.Adam(first, 0.1)), train(nn.LazyAdam(second, 0.1))
    assert first[1].tolist() == second[1].tolist()


def test_ftrl_with_penalties() -> None:
    p = Parameter(Tensor([1.0, 0.01]), name="p")
    nn.FTRL([p], learning_rate=0.5, l1=0.1, l2=0.2)((Tensor([0.4, -0.03]),))
    wanted = []
    for value, g in ((1.0, 0.4), (0.01, -0.03)):
        before, after = math.sqrt(0.1), math.sqrt(0.1 + g * g)
        z = g - (after - before) / 0.5 * value
        wanted.append(0.0 if abs(z) <= 0.1 else (math.copysign(0.1, z) - z) / (after / 0.5 + 0.4))
    np.testing.assert_allclose(p.asnumpy(), wanted, rtol=1e-5)
    assert wanted[1] == 0


def test_adagrad_without_updating_its_slots() -> None:
    p = Parameter(Tensor([1.0]), name="p")
    optimizer = nn.Adagrad([p], 0.25, 0.1, update_slots=False)
    for _ in range(2):
        optimizer((Tensor([0.5]),))
    assert p.item() == pytest.approx(1 - 2 * 0.1 * 0.5 / 0.5)


def test_lamb_and_lars_scale_steps_by_norms() -> None:
    value, g = np.array([3.0, -4.0]), np.array([0.6, 0.8])
    p = Parameter(Tensor(value), name="p")
    nn.Lamb([p], 0.1, weight_decay=0.01)((Tensor(g),))
    r = np.sign(g) * (np.abs(g) / (np.abs(g) + 1e-6)) + 0.01 * value
    np.testing.assert_allclose(p.asnumpy(), value - 0.1 * 5 / np.linalg.norm(r) * r, rtol=1e-6)
    p = Parameter(Tensor(value), name="p")
    bias = Parameter(Tensor([1.0]), name="bias")
    inner = nn.Momentum([p, bias], 0.1, 0.9, weight_decay=0.5)
    lars = nn.LARS(inner, coefficient=0.02)
    lars((Tensor(g), Tensor([1.0])))
    factor = 0.02 * 5 / (1 + 0.5 * 5 + 1e-5)
    np.testing.assert_allclose(p.asnumpy(), value - 0.1 * factor * (g + 0.5 * value), rtol=1e-6)
    assert bias.item() == pytest.approx(1 - 0.1 * 1.5)  # left to the optimizer, decay included
    assert lars.parameters is inner.parameters and inner.global_step.item() == 1
    clipped = Parameter(Tensor(value), name="p")
    nn.LARS(nn.SGD([clipped], 0.1), coefficient=10.0, use_clip=True)((Tensor(g),))
    np.testing.assert_allclose(clipped.asnumpy(), value - 0.1 * g, rtol=1e-6)


def test_groups_have_rates_and_decays_of_their_own() -> None:
    a, b, c = (Parameter(Tensor([1.0]), name=n) for n in ("a", "b.beta", "c"))
    groups = [{"params": [a], "lr": 0.5}, {"params": [b], "weight_decay": 0.1}, {"params": [c]}]
    optimizer = nn.SGD(groups, 0.1)
    assert [p.name for p in optimizer.parameters] == ["a", "b.beta", "c"]
    one = (Tensor([1.0]),) * 3
    optimizer(one)
    assert [p.item() for p in (a, b, c)] == pytest.approx([0.5, 1 - 0.1 * 1.1, 0.9])
    assert [r.item() for r in optimizer.get_lr()] == pytest.approx([0.5, 0.1, 0.1])
    assert optimizer.get_weight_decay() == pytest.approx([0.0, 0.1, 0.0])
    turned = nn.SGD([*groups, {"order_params": [c, a, b]}], 0.1)
    turned((Tensor([0.0]), Tensor([1.0]), Tensor([0.0])))
    assert a.item() == pytest.approx(0.0) and turned.parameters[0] is c


def test_gradients_may_be_centred_by_group() -> None:
    m = Parameter(Tensor([[1.0, 1.0], [1.0, 1.0]]), name="m")
    nn.SGD([{"params": [m], "grad_centralization": True}], 1.0)((Tensor([[1.0, 3.0], [0.0, 0.0]]),))
    assert m.tolist() == [[2.0, 0.0], [1.0, 1.0]]


def test_decay_leaves_out_beta_and_gamma_of_ungrouped_parameters() -> None:
    beta, weight = Parameter(Tensor([1.0]), name="bn.beta"), Parameter(Tensor([1.0]), name="weight")
    for make in (nn.SGD, nn.AdamWeightDecay):
        beta.set_data(Tensor([1.0])), weight.set_data(Tensor([1.0]))
        make([beta, weight], 0.1, weight_decay=0.5)((Tensor([0.0]), Tensor([0.0])))
        assert (beta.item(), weight.item()) == pytest.approx((1.0, 0.95))


def test_rates_by_list_tensor_and_schedule() -> None:
    for rate in ([0.1, 0.2], (0.1, 0.2), Tensor([0.1, 0.2]), np.array([0.1, 0.2]), iter([0.1, 0.2])):
        p = Parameter(Tensor([1.0]), name="p")
        optimizer = nn.SGD([p], rate)
        seen = []
        for _ in range(3):
            optimizer((Tensor([1.0]),))
            seen.append(p.item())
        assert seen == pytest.approx([0.9, 0.7, 0.5])  # the last rate stays
    p = Parameter(Tensor([1.0]), name="p")
    optimizer = nn.SGD([p], nn.ExponentialDecayLR(0.1, 0.5, 1), weight_decay=nn.WarmUpLR(0.5, 2))
    optimizer((Tensor([1.0]),))
    assert p.item() == pytest.approx(0.9) and optimizer.get_lr().item() == pytest.approx(0.05)
    optimizer((Tensor([1.0]),))
    assert p.item() == pytest.approx(0.9 - 0.05 * (1 + 0.25 * 0.9))

    class Steps(nn.learning_rate_schedule.LearningRateSchedule):  # type: ignore[name-defined]
        def construct(self, step: Tensor) -> Tensor:
            kinds.append(step.dtype)
            return ops.cast(step, tc.float32) * 0.1

    kinds: list[Any] = []
    optimizer = nn.SGD([p], Steps())
    for before in (0.0, 0.1):
        q = p.item()
        optimizer((Tensor([1.0]),))
        assert p.item() == pytest.approx(q - before)
    assert kinds == [tc.int32] * 2


def test_the_rate_is_a_parameter_that_may_be_changed() -> None:
    p = Parameter(Tensor([1.0]), name="p")
    optimizer = nn.Momentum([p], 0.1, 0.0)
    assert (optimizer.learning_rate.name, optimizer.get_lr().item()) == ("learning_rate", pytest.approx(0.1))
    tc.ops.assign(optimizer.learning_rate, 0.5)
    optimizer((Tensor([1.0]),))
    assert p.item() == 0.5


def test_state_is_saved_and_loaded(tmp_path: Any) -> None:
    first, second = parameters(), parameters()
    optimizer = nn.Adam(first, 0.1)
    train(optimizer, 2)
    assert optimizer.global_step.tolist() == [2]
    tc.save_checkpoint(optimizer, tmp_path / "adam")
    other = nn.Adam(second, 0.1)
    for mine, theirs in zip(second, first, strict=True):
        mine.set_data(theirs)
    assert tc.load_checkpoint(tmp_path / "adam.ckpt", other).keys() >= {"global_step", "moment1.w", "moment2.b"}
    for trained in (optimizer, other):
        trained(tuple(Tensor(g) for g in GRADIENTS[2]))
    assert first[0].tolist() == second[0].tolist() and first[1].tolist() == second[1].tolist()


def test_half_precision_is_computed_in_single() -> None:
    p = Parameter(Tensor([1.0], tc.float16), name="p")
    nn.Adam([p], 1e-3)((Tensor([1e-5], tc.float16),))  # the square would be 0 in float16
    assert p.dtype is tc.float16 and p.item() == pytest.approx(0.999, abs=1e-3)


@pytest.mark.parametrize(("name", "options"), [(n, o) for n, o, *_ in MEASURED] + [("Lamb", {"learning_rate": 0.1})])
def test_a_large_parameter_moves_as_its_parts_do(name: str, options: dict[str, Any], monkeypatch: Any) -> None:
    random, mine = np.random.RandomState(1), []
    for form in ((12, 5), (3, 4, 5), ()):
        value = np.asarray(random.rand(*form), np.float32)
        mine += [value, np.asfortranarray(value), value.transpose(1, 0, *range(2, value.ndim)) if form else value]
    slopes = [[np.asarray(random.rand(*value.shape), np.float32) for value in mine] for _ in range(3)]
    slopes[1][0] = np.asfortranarray(slopes[1][0])

    def moved() -> list[np.ndarray]:
        ps = [Parameter(Tensor(value), name=f"p{i}") for i, value in enumerate(mine)]
        for p, value in zip(ps, mine, strict=True):
            p._array = value.copy("K")
        optimizer = getattr(nn, name)(ps, **{"weight_decay": 0.1, **options})
        for given in slopes:
            optimizer(tuple(map(Tensor, given)))
        return [p.asnumpy() for p in ps]

    whole = moved()
    monkeypatch.setattr("teachcell.kernels.update.LARGE", 8)
    monkeypatch.setattr("teachcell.kernels.update._BLOCK", 7)
    for a, b in zip(whole, moved(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)


def test_what_a_parameter_is_of_when_it_moves() -> None:
    p, q = parameters()
    optimizer = nn.SGD([p, q], 0.5, momentum=0.5)
    optimizer((Tensor([1.0, 1.0, 1.0]), q))
    p.set_dtype(tc.float64)
    for kept in optimizer.accum:  # as from a pickle: an equal dtype, but not the same object
        kept._array = pickle.loads(pickle.dumps(kept._array))
    optimizer((Tensor([1.0, 1.0, 1.0]), Tensor(np.zeros((2, 2), np.float32))))
    assert p.dtype is tc.float64 and p.tolist() == [-0.25, -3.25, 1.75]
    assert optimizer.accum[0].tolist() == [1.5, 1.5, 1.5]
    assert optimizer.accum[1].tolist() == [[0.25, -0.25], [0.125, 0.5]]


@pytest.mark.parametrize("make", [nn.SGD, nn.Adam, lambda *given: nn.LARS(nn.SGD(*given), lars_filter=lambda p: False)])
def test_a_parameter_that_became_float64_takes_small_steps(make: Any) -> None:
    p = Parameter(Tensor([1 / 3, 2 / 3]), name="p")
    optimizer = make([p], 1e-9)
    p.set_dtype(tc.float64)
    before = p.asnumpy().copy()
    optimizer((Tensor(np.ones(2)),))
    np.testing.assert_allclose(before - p.asnumpy(), 1e-9, rtol=1e-5)


def test_one_wrong_gradient_moves_nothing() -> None:
    mine = parameters()
    optimizer = nn.Adam(mine, 0.1)
    with pytest.raises(ValueError, match="'b' has shape"):
        optimizer((Tensor([1.0, 1.0, 1.0]), Tensor([1.0])))
    assert mine[0].tolist() == [1.0, -2.0, 3.0] and optimizer.global_step.item() == 0
    assert not optimizer.moment1[0].asnumpy().any()


def rates(schedule: Any, steps: int) -> list[float]:
    return [schedule(Tensor(i)).item() for i in range(steps)]


def test_schedules() -> None:
    wanted = {
        nn.ExponentialDecayLR(0.1, 0.9, 4): [0.1 * 0.9 ** (i / 4) for i in range(6)],
        nn.ExponentialDecayLR(0.1, 0.9, 4, True): [0.1] * 4 + [0.09] * 2,
        nn.NaturalExpDecayLR(0.1, 0.9, 4): [0.1 * math.exp(-0.9 * i) for i in range(6)],
        nn.NaturalExpDecayLR(0.1, 0.9, 4, True): [0.1] * 4 + [0.1 * math.exp(-3.6)] * 2,
        nn.InverseDecayLR(0.1, 0.5, 4): [0.1 / (1 + 0.5 * i / 4) for i in range(6)],
        nn.CosineDecayLR(0.01, 0.1, 4): [0.01 + 0.045 * (1 + math.cos(math.pi * min(i, 4) / 4)) for i in range(6)],
        nn.PolynomialDecayLR(0.1, 0.01, 4, 2.0): [0.09 * (1 - min(i, 4) / 4) ** 2 + 0.01 for i in range(6)],
        nn.PolynomialDecayLR(0.1, 0.01, 4, 1.0, True): [0.1, 0.0775, 0.055, 0.0325, 0.01, 0.09 * (1 - 5 / 8) + 0.01],
        nn.WarmUpLR(0.1, 4): [0.0, 0.025, 0.05, 0.075, 0.1, 0.1],
    }
    for schedule, values in wanted.items():
        np.testing.assert_allclose(rates(schedule, 6), values, rtol=1e-5, err_msg=str(schedule))


def test_lists_of_rates() -> None:
    assert nn.exponential_decay_lr(0.1, 0.9, 6, 2, 1) == pytest.approx([0.1, 0.1, 0.09, 0.09, 0.081, 0.081])
    assert nn.inverse_decay_lr(0.1, 0.5, 6, 1, 1, True)[2] == pytest.approx(0.05)
    assert nn.natural_exp_decay_lr(0.1, 0.9, 6, 2, 2, True) == pytest.approx([0.1] * 4 + [0.1 * math.exp(-1.8)] * 2)
    assert nn.cosine_decay_lr(0.01, 0.1, 6, 2, 2) == pytest.approx([0.1, 0.1, 0.055, 0.055, 0.01, 0.01])
    assert nn.polynomial_decay_lr(0.1, 0.01, 6, 2, 2, 0.5)[2] == pytest.approx(0.09 * math.sqrt(0.5) + 0.01)
    assert nn.warmup_lr(0.1, 6, 2, 2) == pytest.approx([0.0, 0.0, 0.05, 0.05, 0.1, 0.1])
    assert nn.piecewise_constant_lr([2, 5], [0.1, 0.05]) == [0.1, 0.1, 0.05, 0.05, 0.05]


@pytest.mark.parametrize(("name", "options"), [(n, o) for n, o, *_ in MEASURED] + [("Lamb", {"learning_rate": 0.1})])
def test_a_step_writes_only_into_memory_that_nobody_looks_at(name: str, options: dict[str, Any]) -> None:
    mine = w, b = parameters()
    optimizer = getattr(nn, name)(mine, **options)
    held, row = w.asnumpy(), b.asnumpy()[0]
    before = held.copy(), row.copy()
    gradients = tuple(Tensor(g) for g in GRADIENTS[0])
    states = [(state, state.asnumpy(), state.asnumpy().copy()) for state in optimizer.get_parameters()]
    optimizer(gradients)
    assert [g.tolist() for g in gradients] == [Tensor(g).tolist() for g in GRADIENTS[0]]
    np.testing.assert_array_equal(held, before[0])
    np.testing.assert_array_equal(row, before[1])
    assert w.tolist() != held.tolist()
    for state, array, values in states:
        np.testing.assert_array_equal(array, values, err_msg=state.name)


def test_a_step_writes_in_place_where_nobody_looks() -> None:
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    optimizer = nn.SGD([p], 0.5, momentum=0.5)
    place = p.asnumpy().ctypes.data
    for _ in range(3):
        optimizer((Tensor([1.0, 1.0]),))
    assert p.asnumpy().ctypes.data == place
    net = tc.value_and_grad(lambda x: (x * p).sum(), None, [p])
    optimizer(net(Tensor([1.0, 1.0]))[1])
    assert p.asnumpy().ctypes.data == place
    value, v = p.asnumpy().copy(), optimizer.accum[0].asnumpy().copy()
    optimizer((p,))  # its own value as the gradient
    np.testing.assert_allclose(p.asnumpy(), value - 0.5 * (0.5 * v + value), rtol=1e-6)


def test_other_parameters_are_refused() -> None:
    optimizer = nn.Momentum([Parameter(Tensor([1.0]), name="p")], 0.5, 0.5)
    for other in ([Parameter(Tensor([1.0]), name="q")], tc.ParameterTuple([Parameter(Tensor([1.0]), name="q")])):
        with pytest.raises(AttributeError, match="Parameters of Momentum are chosen when it is made"):
            optimizer.parameters = other
    assert [p.name for p in optimizer.parameters] == ["p"]


def test_a_parameter_of_another_shape_than_what_is_kept_for_it() -> None:
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    optimizer, plain = nn.Momentum([p], 0.5, 0.5), nn.SGD([p], 0.5)
    optimizer((Tensor([1.0, 1.0]),))
    p.set_data(Tensor([1.0, 2.0, 3.0]), slice_shape=True)
    moments = optimizer.moments[0].asnumpy().copy()
    with pytest.raises(ValueError, match=r"'p' has shape \(3,\), but .* has shape \(2,\): make a new optimizer"):
        optimizer((Tensor([1.0, 1.0, 1.0]),))
    np.testing.assert_array_equal(optimizer.moments[0].asnumpy(), moments)
    assert p.tolist() == [1, 2, 3] and optimizer.global_step.tolist() == [1]
    plain((Tensor([1.0, 1.0, 1.0]),))  # which keeps nothing
    assert p.tolist() == [0.5, 1.5, 2.5]


@pytest.mark.parametrize(
    "make",
    [
        lambda ps: nn.SGD(ps, 0.1),
        lambda ps: nn.SGD(ps, 0.1, 0.9, nesterov=True),
        lambda ps: nn.Momentum(ps, 0.1, 0.9, weight_decay=0.1),
        lambda ps: nn.Adam(ps, 0.1, use_nesterov=True),
    ],
)
def test_a_watched_step_gives_the_same_values_in_arrays_of_their_own(make: Any) -> None:
    values = {}
    for watched in (False, True):
        ps = [Parameter(np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3), "w"), Parameter(np.ones(2), "b")]
        before = [p.asnumpy() for p in ps]
        kept, optimizer = [array.copy() for array in before], make(ps)
        with observing(Observer()) if watched else nullcontext():
            for _ in range(3):
                optimizer([p.square() for p in ps])
        assert all(map(np.array_equal, before, kept))
        values[watched] = [p.asnumpy() for p in ps]
    assert all(map(np.array_equal, values[False], values[True]))
