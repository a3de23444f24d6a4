"""Normalisation layers: values, Parameters, gradients to second order, modes, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.samples.norm import batch_norm, batch_norm_inference, group_norm

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, nn

DRAWS = np.random.default_rng(11)


def drawn(*shape: int) -> Tensor:
    return Tensor(DRAWS.normal(size=shape).astype(np.float32))


def listed(cell: nn.Cell) -> list[tuple[str, tuple[int, ...], bool]]:
    return [(q.name, q.shape, q.requires_grad) for q in cell.get_parameters()]


# Batch norm ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("layer", "shape"), [(nn.BatchNorm1d, (6, 3)), (nn.BatchNorm2d, (4, 3, 2, 2))])
def test_batch_norm_by_the_batch_and_by_moving_statistics(layer: Any, shape: tuple[int, ...]) -> None:
    norm = layer(3, eps=0.1, momentum=0.75, gamma_init=Tensor([1.0, 2.0, 3.0]), beta_init=Tensor([0.5, 0.0, -1.0]))
    assert [name for name, *_ in listed(norm)] == ["mean", "variance", "gamma", "beta"]
    x = drawn(*shape)
    gamma, beta = norm.gamma.asnumpy(), norm.beta.asnumpy()
    want, mean, var = batch_norm(x.asnumpy(), gamma, beta, 0.1)
    before = batch_norm_inference(x.asnumpy(), gamma, beta, np.zeros(3), np.ones(3), 0.1)
    np.testing.assert_allclose(norm(x).asnumpy(), before, rtol=1e-4, atol=1e-5)  # a new layer predicts
    assert norm.moving_mean.tolist() == [0.0] * 3
    np.testing.assert_allclose(norm.set_train()(x).asnumpy(), want, rtol=1e-4, atol=1e-5)
    count = x.size // 3
    np.testing.assert_allclose(norm.moving_mean.asnumpy(), 0.25 * mean, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(norm.moving_variance.asnumpy(), 0.75 + 0.25 * var * count / (count - 1), rtol=1e-5)
    moving = [p.asnumpy().copy() for p in (norm.moving_mean, norm.moving_variance)]
    after = batch_norm_inference(x.asnumpy(), gamma, beta, *moving, 0.1)
    np.testing.assert_allclose(norm.set_train(False)(x).asnumpy(), after, rtol=1e-4, atol=1e-5)
    assert norm.moving_mean.tolist() == moving[0].tolist()


@pytest.mark.parametrize("training", [True, False])
def test_batch_norm_gradients(training: bool) -> None:
    norm = nn.BatchNorm2d(2).set_train(training)
    x = drawn(3, 2, 2, 2)
    assert gradcheck(lambda t: norm(t) * Tensor(np.arange(24.0).reshape(3, 2, 2, 2)), x, order=2)
    gamma, beta = grad(lambda t: norm(t).sum(), None, norm.trainable_params())(x)
    np.testing.assert_allclose(beta.asnumpy(), [12.0, 12.0])
    assert gamma.shape == (2,)


def test_batch_norm_switches() -> None:
    x = drawn(8, 2)
    always, never = nn.BatchNorm1d(2, use_batch_statistics=True), nn.BatchNorm1d(2, use_batch_statistics=False)
    np.testing.assert_allclose(always(x).asnumpy().mean(0), 0, atol=1e-6)
    np.testing.assert_allclose(never.set_train()(x).asnumpy(), x.asnumpy(), rtol=1e-4)
    fixed = nn.BatchNorm1d(2, affine=False)
    assert fixed.trainable_params() == [] and len(list(fixed.get_parameters())) == 4
    net = nn.SequentialCell(nn.BatchNorm1d(2))
    assert listed(net)[0] == ("0.moving_mean", (2,), False)


@pytest.mark.filterwarnings("ignore:BatchNorm2d in training got one value:UserWarning")
def test_one_value_per_channel_keeps_the_statistics_finite() -> None:
    norm = nn.BatchNorm2d(2).set_train()
    y = norm(Tensor(np.ones((1, 2, 1, 1), np.float32) * 5))
    assert y.asnumpy().ravel().tolist() == [0.0, 0.0] and np.isfinite(norm.moving_variance.asnumpy()).all()
    assert not grad(norm)(Tensor(np.ones((1, 2, 1, 1), np.float32))).asnumpy().any()


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda: nn.BatchNorm1d(0), "BatchNorm1d: num_features must be a positive int"),
        (lambda: nn.BatchNorm2d(2, momentum=1.5), r"BatchNorm2d.momentum must lie in \[0, 1\], got 1.5"),
        (lambda: nn.BatchNorm2d(2)(drawn(3, 2)), r"BatchNorm2d: the input has shape \(3, 2\), expected \(N, 2, H, W\)"),
        (lambda: nn.BatchNorm1d(2)(drawn(3, 4)), r"BatchNorm1d: the input has shape \(3, 4\), expected \(N, 2\)"),
        (lambda: nn.BatchNorm1d(2).set_train()(drawn(0, 2)), "the batch is empty"),
    ],
)
def test_batch_norm_refuses(use: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        use()


# Layer norm ---------------------------------------------------------------------------------------------------------


def test_layer_norm_per_sample_in_both_modes() -> None:
    x = np.random.default_rng(0).normal(size=(4, 2, 3)).astype(np.float32)
    layer = nn.LayerNorm([2, 3], gamma_init=2.0, beta_init="ones")
    expected = (x - x.mean((1, 2), keepdims=True)) / x.std((1, 2), keepdims=True) * 2 + 1
    for mode in (True, False):
        assert np.allclose(layer.set_train(mode)(Tensor(x)).asnumpy(), expected, atol=1e-5)
    assert [(p.name, p.shape, p.requires_grad) for p in layer.get_parameters()] == [
        ("gamma", (2, 3), True), ("beta", (2, 3), True)
    ]  # fmt: skip
    assert gradcheck(layer, Tensor(x))
    with pytest.raises(TypeError):
        nn.LayerNorm(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"LayerNorm"):
        layer(Tensor([[1.0, 2.0]]))


@pytest.mark.parametrize("shape", [(4, 3), (2, 4, 3)])
def test_layer_norm_to_second_order(shape: tuple[int, ...]) -> None:
    norm = nn.LayerNorm((3,), gamma_init=Tensor([1.0, 2.0, 3.0]))
    weights = drawn(*shape)
    assert gradcheck(lambda t: norm(t) * weights, drawn(*shape), order=2)
    gamma, beta = grad(lambda t: norm(t).sum(), None, norm.trainable_params())(weights)
    np.testing.assert_allclose(beta.asnumpy(), [weights.size // 3] * 3)
    assert gamma.shape == (3,)


def test_layer_norm_may_take_statistics_over_more_axes_than_its_parameters_have() -> None:
    x = drawn(2, 4, 3)
    norm = nn.LayerNorm((3,), begin_norm_axis=1, begin_params_axis=2, gamma_init=Tensor([1.0, 2.0, 3.0]))
    whole = nn.LayerNorm((4, 3), begin_norm_axis=1, begin_params_axis=1)
    np.testing.assert_allclose(norm(x).asnumpy(), whole(x).asnumpy() * [1.0, 2.0, 3.0], rtol=1e-6)
    np.testing.assert_allclose(whole(x).asnumpy(), nn.LayerNorm((4, 3))(x).asnumpy())


def test_layer_norm_with_other_names() -> None:
    x = drawn(2, 4, 3)
    norm = nn.LayerNormExt(3)
    assert listed(norm) == [("weight", (3,), True), ("bias", (3,), True)]
    np.testing.assert_allclose(norm(x).asnumpy(), nn.LayerNorm((3,), epsilon=1e-5)(x).asnumpy())
    assert [name for name, *_ in listed(nn.LayerNormExt((4, 3), bias=False))] == ["weight"]
    bare = nn.LayerNormExt((3,), elementwise_affine=False)
    assert listed(bare) == [] and bare(x).tolist() == norm(x).tolist()
    assert repr(norm) == "LayerNormExt(normalized_shape=(3,), eps=1e-05, elementwise_affine=True)"


# Batch norm with more axes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("layer", "shape"), [(nn.BatchNorm1d, (4, 3, 5)), (nn.BatchNorm3d, (2, 3, 2, 2, 3))])
def test_batch_norm_of_more_axes(layer: Any, shape: tuple[int, ...]) -> None:
    norm, x = layer(3).set_train(), drawn(*shape)
    want = batch_norm(x.asnumpy(), np.ones(3), np.zeros(3))[0]
    np.testing.assert_allclose(norm(x).asnumpy(), want, rtol=1e-4, atol=1e-5)
    weights = drawn(*shape)
    assert gradcheck(lambda t: norm(t) * weights, x)
    with pytest.raises(ValueError, match=rf"{layer.__name__}: the input has shape \(2, 3, 1, 1\), expected \(N, 3"):
        norm(drawn(2, 3, 1, 1))


def test_batch_norm_3d_names_its_parameters_as_its_inner_layer_does() -> None:
    norm = nn.BatchNorm3d(2)
    assert [name for name, *_ in listed(nn.SequentialCell(norm))] == [
        "0.bn2d.moving_mean", "0.bn2d.moving_variance", "0.bn2d.gamma", "0.bn2d.beta",
    ]  # fmt: skip


# Group norm and instance norm ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(2, 4), (2, 4, 3), (2, 4, 2, 2)])
def test_group_norm(shape: tuple[int, ...]) -> None:
    gamma, x = Tensor([1.0, 2.0, 3.0, 4.0]), drawn(*shape)
    norm = nn.GroupNorm(2, 4, 0.1, gamma_init=gamma, beta_init="ones")
    want = group_norm(x.asnumpy(), gamma.asnumpy(), np.ones(4), 2, 0.1)
    np.testing.assert_allclose(norm(x).asnumpy(), want, rtol=1e-4, atol=1e-5)
    assert norm.set_train()(x).tolist() == norm.set_train(False)(x).tolist()
    weights = drawn(*shape)
    assert gradcheck(lambda t: norm(t) * weights, x, order=2)
    assert listed(norm) == [("gamma", (4,), True), ("beta", (4,), True)]
    assert repr(norm) == "GroupNorm(num_groups=2, num_channels=4)"


def test_parameters_that_are_not_trained_are_still_there() -> None:
    assert listed(nn.GroupNorm(2, 4, affine=False)) == [("gamma", (4,), False), ("beta", (4,), False)]
    assert listed(nn.InstanceNorm2d(1, affine=False)) == [
        ("mean", (1,), False), ("variance", (1,), False), ("gamma", (1,), False), ("beta", (1,), False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("layer", "shape"),
    [(nn.InstanceNorm1d, (2, 3, 4)), (nn.InstanceNorm2d, (2, 3, 2, 4)), (nn.InstanceNorm3d, (2, 3, 2, 2, 2))],
)
def test_instance_norm_uses_its_own_statistics_in_both_modes(layer: Any, shape: tuple[int, ...]) -> None:
    norm, x = layer(3, momentum=0.25, gamma_init=Tensor([1.0, 2.0, 3.0])), drawn(*shape)
    values = x.asnumpy()
    want = group_norm(values, np.array([1.0, 2.0, 3.0]), np.zeros(3), 3)
    np.testing.assert_allclose(norm(x).asnumpy(), want, rtol=1e-4, atol=1e-5)
    assert norm.moving_mean.tolist() == [0.0] * 3
    np.testing.assert_allclose(norm.set_train()(x).asnumpy(), want, rtol=1e-4, atol=1e-5)
    axes = tuple(range(2, x.ndim))
    np.testing.assert_allclose(norm.moving_mean.asnumpy(), 0.75 * values.mean((0, *axes)), rtol=1e-4, atol=1e-6)
    spread = values.var(axes, ddof=1).mean(0)
    np.testing.assert_allclose(norm.moving_variance.asnumpy(), 0.25 + 0.75 * spread, rtol=1e-4)
    weights = drawn(*shape)
    assert gradcheck(lambda t: norm(t) * weights, x)


# All of them --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        (nn.BatchNorm1d(4), (3, 4)), (nn.LayerNorm((4,)), (3, 4)), (nn.GroupNorm(2, 4), (3, 4)),
        (nn.InstanceNorm1d(4), (3, 4, 2)), (nn.LRN(), (3, 4, 1, 1)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("training", [True, False])
def test_float16_comes_back_as_float16_though_its_squares_overflow(
    layer: nn.Cell, shape: tuple[int, ...], training: bool
) -> None:
    layer.set_train(training)
    x = Tensor((DRAWS.normal(size=shape) * 500).astype(np.float16))
    y = layer(x)
    want = layer(x.astype(tc.float32))
    assert y.dtype is tc.float16 and want.dtype is tc.float32
    np.testing.assert_allclose(y.asnumpy(), want.asnumpy(), rtol=5e-3, atol=5e-3)
    assert grad(layer)(x).dtype is tc.float16
    for gradient in grad(layer, None, layer.trainable_params())(x) if layer.trainable_params() else ():
        assert gradient.dtype is tc.float32


def test_parameters_take_the_dtype_asked_for() -> None:
    for layer in (nn.BatchNorm2d(2, dtype=tc.float16), nn.LayerNorm((2,), dtype=tc.float16),
                  nn.GroupNorm(1, 2, dtype=tc.float16), nn.InstanceNorm2d(2, dtype=tc.float16),
                  nn.BatchNorm3d(2, dtype=tc.float16)):  # fmt: skip
        assert {q.dtype for q in layer.get_parameters()} == {tc.float16}


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda: nn.GroupNorm(3, 4), "GroupNorm: 4 channels cannot be split into 3 equal groups"),
        (lambda: nn.GroupNorm(0, 4), "GroupNorm: num_groups must be a positive int, got 0"),
        (lambda: nn.GroupNorm(2, 4)(drawn(2, 3)), r"GroupNorm: the input has shape \(2, 3\), expected \(N, 4, …\)"),
        (lambda: nn.InstanceNorm1d(2)(drawn(2, 2)), r"InstanceNorm1d: .* \(2, 2\), expected \(N, 2, L\)"),
        (lambda: nn.BatchNorm2d(2, data_format="NHWC"), r"BatchNorm2d: data_format must be 'NCHW'.*got 'NHWC'"),
        (lambda: nn.LRN(norm_region="WITHIN_CHANNEL")(drawn(1, 2)), "norm_region must be 'ACROSS_CHANNELS'"),
    ],
)
def test_norms_refuse(use: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        use()
