"""Element-wise functions where the generated tests do not reach: whole numbers, edges, other forms, third order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, ops

INF, NAN = math.inf, math.nan


def same(got: Any, want: Any, dtype: Any = None) -> None:
    np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-6)
    assert dtype is None or got.dtype is dtype


# Arithmetic ----------------------------------------------------------------------------------------------------


def test_quotients_of_whole_numbers_stay_whole_where_they_are_rounded() -> None:
    x, y = Tensor([7, -7, 7, -7, -6], tc.int32), Tensor([2, 2, -2, -2, 3], tc.int32)
    same(ops.div(x, y), [3.5, -3.5, -3.5, 3.5, -2], tc.float32)
    same(x.div(y, rounding_mode="floor"), [3, -4, -4, 3, -2], tc.int32)
    same(ops.divide(x, y, rounding_mode="trunc"), [3, -3, -3, 3, -2], tc.int32)
    same(ops.fmod(x, y), [1, -1, 1, -1, 0], tc.int32)
    same(x.remainder(y), [1, 1, -1, -1, 0], tc.int32)
    same(ops.TruncateMod()(x, 2), [1, -1, 1, -1, 0], tc.int32)
    same(ops.Mod()(x, 2.5), [2, -2, 2, -2, -1], tc.float32)
    same(ops.truncate_div(Tensor([2**62 + 1]), Tensor([1])), [2**62 + 1], tc.int64)


def test_subtraction_may_scale_what_it_takes_away() -> None:
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    same(x.sub(y, alpha=2), [-5, -6])
    same(ops.subtract(x, y, alpha=0.5), [-0.5, 0])
    same(x.subtract(y), [-2, -2])


def test_float_power_is_always_float64() -> None:
    same(ops.float_power(Tensor([2, 3]), 2.5), [2**2.5, 3**2.5], tc.float64)
    same(Tensor([2.0], tc.float16).float_power(Tensor([-1])), [0.5], tc.float64)
    slope = grad(lambda x: ops.float_power(x, 3))(Tensor([2.0]))
    same(slope, [12], tc.float32)
    assert gradcheck(ops.float_power, Tensor([0.5, 2.0]), Tensor([1.5, -0.5]), order=2)


def test_functions_of_floats_take_whole_numbers_as_float32() -> None:
    for function in (
        ops.tan, ops.asin, ops.atan, ops.sinh, ops.asinh, ops.exp2, ops.log10, ops.expm1, ops.log1p, ops.reciprocal,
        ops.erf, ops.lgamma, ops.digamma, ops.bessel_j0, ops.bessel_k1e, ops.sinc, ops.logit, ops.deg2rad,
    ):  # fmt: skip
        same(function(Tensor([1, 1])), function(Tensor([1.0, 1.0])).asnumpy(), tc.float32)
    for function in (ops.atan2, ops.hypot, ops.logaddexp, ops.xlogy, ops.xdivy, ops.igamma, ops.zeta, ops.copysign):
        same(function(Tensor([2, 3]), Tensor([2, 4])), function(Tensor([2.0, 3.0]), [2.0, 4.0]).asnumpy(), tc.float32)
        assert function(Tensor([2.0], tc.float16), Tensor([3])).dtype is tc.float16
    assert ops.ldexp(Tensor([3, 1]), Tensor([2, -1])).tolist() == [12, 0.5]


def test_zero_takes_the_place_of_nan() -> None:
    zero, x, far = Tensor([0.0]), Tensor([2.0]), Tensor([INF])
    for value in (ops.div_no_nan(x, zero), ops.mul_no_nan(far, zero), ops.xdivy(zero, zero), ops.xlogy(zero, zero)):
        assert value.tolist() == [0]
    assert str(ops.mul_no_nan(zero, far).tolist()) == "[nan]"
    for function in (ops.xlogy, ops.xdivy):
        assert [g.tolist() for g in grad(function, (0, 1))(zero, zero)] == [[0], [0]]
    assert [g.tolist() for g in grad(ops.mul_no_nan, (0, 1))(Tensor([3.0]), zero)] == [[0], [3]]
    same(grad(ops.xlogy)(zero, x), [math.log(2)])
    same(grad(grad(ops.xlogy, 1))(zero, x), [0.5])


def test_sums_of_many() -> None:
    x, y = Tensor([1.0, 2.0]), Tensor([3, 4])
    same(ops.addn([x, y, x]), [5, 8], tc.float32)
    same(ops.AddN()((x, y)), [4, 6], tc.float32)
    same(ops.accumulate_n([y, y]), [6, 8], tc.int64)
    same(ops.Addcmul()(x, x, x, 3), [4, 14])
    same(x.addcdiv(x, Tensor([2.0, 4.0]), value=Tensor([2.0])), [2, 3])
    same(ops.lerp(x, Tensor([3.0, 6.0]), 0.25), [1.5, 3])


# Bounds and rounding -------------------------------------------------------------------------------------------


def test_clamp_takes_numbers_and_tensors() -> None:
    x = Tensor([1.0, 1.5, 2.0, 3.0])
    low, high = Tensor([1.0, 2.0, 1.0, 1.0]), Tensor(2.0)
    for clamp in (ops.clamp, ops.clip, Tensor.clamp, Tensor.clip):
        same(clamp(x, low, high), [1, 2, 2, 2])
    slopes = grad(ops.clamp, (0, 1, 2))(x, low, high)
    assert [g.tolist() for g in slopes] == [[1, 0, 1, 0], [0, 1, 0, 0], 1]
    same(ops.clamp(Tensor([1, 2, 3]), 1.5, 2.5), [1.5, 2, 2.5], tc.float32)
    same(ops.clamp(Tensor([1, 2, 3]), 2, None), [2, 2, 3], tc.int64)
    same(ops.clamp(x, 3, 1), [1, 1, 1, 1])
    assert str(ops.clamp(Tensor([NAN]), 0, 1).tolist()) == "[nan]"


def test_norms_clip_one_tensor_as_a_list_of_one() -> None:
    x = Tensor([3.0, 4.0])
    assert ops.clip_by_global_norm(x, 1.0).tolist() == ops.clip_by_global_norm([x], 1.0)[0].tolist()
    assert ops.clip_by_norm(x, 1.0).asnumpy() == pytest.approx([0.6, 0.8])


def test_clip_by_value_shares_the_gradient_on_a_bound_and_takes_several_tensors() -> None:
    x, y = Tensor([1.0, 1.5, 2.0, 3.0]), Tensor([4, 5])
    slopes = grad(ops.clip_by_value, (0, 1, 2))(x, Tensor([1.0]), Tensor([2.0]))
    assert [g.tolist() for g in slopes] == [[0.5, 1, 0.5, 0], [0.5], [1.5]]
    for several in ((x, y), [x, y]):
        clipped = ops.clip_by_value(several, 2.0, 4.5)
        assert type(clipped) is tuple and [t.tolist() for t in clipped] == [[2, 2, 2, 3], [4, 4]]
        assert clipped[1].dtype is tc.int64


def test_nan_loses_against_numbers_in_fmax_and_fmin() -> None:
    x, y = Tensor([1.0, NAN, 2.0, NAN]), Tensor([NAN, 1.0, 2.0, NAN])
    assert str(ops.fmax(x, y).tolist()) == str(ops.fmin(x, y).tolist()) == "[1.0, 1.0, 2.0, nan]"
    for function in (ops.fmax, ops.fmin):
        assert [g.tolist() for g in grad(function, (0, 1))(x, y)] == [[1, 0, 0.5, 0.5], [0, 1, 0.5, 0.5]]


def test_what_is_not_finite_is_replaced_and_gets_no_gradient() -> None:
    x = Tensor([NAN, INF, -INF, 1.5])
    largest = float(np.finfo(np.float32).max)
    same(ops.nan_to_num(x), [0, largest, -largest, 1.5])
    same(x.nan_to_num(7.0, 8.0), [7, 8, -largest, 1.5])
    same(ops.NanToNum(neginf=-9.0)(x), [0, largest, -9, 1.5])
    assert grad(ops.nan_to_num)(x).tolist() == [0, 0, 0, 1]
    same(ops.nan_to_num(Tensor([1, 2])), [1, 2], tc.int64)


def test_steps_and_signs() -> None:
    x, values = Tensor([-2.5, 0.0, 2.5]), Tensor([5.0, 6.0, 7.0])
    same(ops.heaviside(x, values), [0, 6, 1])
    assert [g.tolist() for g in grad(ops.heaviside, (0, 1))(x, values)] == [[0, 0, 0], [0, 1, 0]]
    same(Tensor([-1, 0]).heaviside(Tensor([5, 6])), [0, 6], tc.int64)
    same(ops.round(Tensor([0.25, 1.35]), decimals=1), [0.2, 1.4])
    same(ops.Round()(x), [-2, 0, 2])
    same(ops.Rint()(x), [-2, 0, 2])
    same(x.trunc(), [-2, 0, 2])
    same(x.frac(), [-0.5, 0, 0.5])
    same(x.sgn(), [-1, 0, 1])
    assert ops.signbit(Tensor([-0.0, 0.0, -1.0])).tolist() == [True, False, True]
    same(ops.copysign(x, -0.0), [-2.5, 0, -2.5])
    assert ops.nextafter(Tensor([1.0]), Tensor([2.0])).item() == 1 + 2**-23
    for function in (ops.floor, ops.ceil, ops.trunc, ops.round, ops.sign):
        same(function(Tensor([3, -3])), function(Tensor([3.0, -3.0])).asnumpy(), tc.int64)


# Orders above two ----------------------------------------------------------------------------------------------


def nth(function: Any, order: int) -> Any:
    for _ in range(order):
        function = grad(function)
    return function


@pytest.mark.parametrize(
    ("function", "at", "order", "want"),
    [
        (ops.sinc, 0.0, 2, -(math.pi**2) / 3),
        (ops.sinc, 0.0, 3, 0),
        (ops.sinc, 0.0, 4, math.pi**4 / 5),
        (ops.bessel_j0, 0.0, 4, 3 / 8),
        (ops.bessel_i1, 0.0, 3, 3 / 8),
        (ops.tan, 0.0, 3, 2),
        (ops.asin, 0.0, 3, 1),
        (ops.atanh, 0.0, 5, 24),
        (ops.erfinv, 0.0, 3, (math.sqrt(math.pi) / 2) ** 3 * 2),
        (ops.lgamma, 1.0, 4, math.pi**4 / 15),
        (ops.hypot, 3.0, 3, None),
        (ops.logit, 0.5, 3, 32),
        (lambda x: ops.zeta(x, x), 2.0, 3, None),
        (lambda x: ops.igamma(x, 2 * x), 1.5, 3, None),
        (lambda x: ops.igammac(x, 2 * x), 1.5, 3, None),
        (lambda x: ops.betainc(x, 2 * x, x / 4), 1.5, 3, None),
    ],
)
def test_higher_orders(function: Any, at: float, order: int, want: float | None) -> None:
    if function is ops.hypot:
        function = lambda x: ops.hypot(x, 4.0)  # noqa: E731
    x = Tensor(np.array(at))
    if want is None:
        h = 1e-4
        lower = nth(function, order - 1)
        want = ((lower(x + h) - lower(x - h)) / (2 * h)).item()
    np.testing.assert_allclose(nth(function, order)(x).item(), want, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize(
    ("function", "slope"),
    [
        (ops.asinh, 1 / 300), (ops.acosh, 1 / 300), (ops.atan, 1 / 90000), (lambda x: 300 / x, -1 / 300),
        (lambda x: ops.atan2(x, 300.0), 1 / 600), (lambda x: ops.hypot(x, 300.0), math.sqrt(0.5)),
    ],
)  # fmt: skip
def test_slopes_in_float16_do_not_overflow_on_the_way(function: Any, slope: float) -> None:
    found = grad(function)(Tensor(300.0, tc.float16))
    np.testing.assert_allclose(found.asnumpy(), slope, rtol=2e-3, atol=1e-7)


def test_logit_limits_what_lies_outside_of_eps() -> None:
    x = Tensor([0.0, 0.1, 0.5, 1.0])
    same(ops.logit(x), [-INF, math.log(1 / 9), 0, INF])
    same(x.logit(0.2), [-math.log(4), -math.log(4), 0, math.log(4)])
    assert grad(lambda x: ops.logit(x, 0.2))(x).tolist() == [0, 0, 4, 0]


# Special functions ---------------------------------------------------------------------------------------------


def test_polygamma_takes_its_order_first_as_a_number_or_a_tensor() -> None:
    x = Tensor([1.0, -0.5])
    for n in (1, Tensor(1), np.int64(1)):
        same(ops.polygamma(n, x), [math.pi**2 / 6, 8.9348022])
    same(ops.Polygamma()(Tensor(0), x), ops.digamma(x).asnumpy())


def test_mvlgamma_of_one_is_lgamma() -> None:
    x = Tensor([0.5, 2.5])
    same(ops.Mvlgamma(1)(x), ops.lgamma(x).asnumpy())
    same(Tensor([3.0]).mvlgamma(2), [1.5501949939575674])


def test_outside_of_their_domain_special_functions_are_nan_without_a_warning() -> None:
    x = Tensor([-1.0, 0.0])
    for function in (ops.bessel_k0, ops.bessel_k1e, ops.bessel_y1, ops.erfinv, ops.acosh, ops.log2):
        function(x)
    assert str(ops.igamma(x, 1.0).tolist()) == "[nan, 1.0]"
    assert str(ops.zeta(Tensor([2.0, 1.0]), Tensor([1.0, 1.0])).tolist()[1]) == "inf"
    assert str(ops.betainc(Tensor(1.0), Tensor(2.0), Tensor([0.5, 1.5])).tolist()) == "[0.75, nan]"


def test_shapes_of_gamma_and_beta_far_from_one() -> None:
    """Beside central differences in double precision, where the integrand is a narrow peak or a sharp corner."""
    for a, x in ((0.02, 0.5), (300.0, 280.0), (300.0, 330.0), (5.0, 60.0)):
        assert gradcheck(ops.igamma, Tensor(np.array(a)), Tensor(np.array(x)), atol=1e-9)
    for a, b, x in ((0.05, 2.0, 0.3), (50.0, 60.0, 0.5), (3.0, 0.1, 0.99)):
        assert gradcheck(ops.betainc, *[Tensor(np.array(v)) for v in (a, b, x)], atol=1e-9)


# Comparison, bits, selection -----------------------------------------------------------------------------------


def test_allclose_is_a_bool() -> None:
    x = Tensor([1.0, NAN])
    assert x.allclose(x) is False and x.allclose(x, equal_nan=True) is True
    assert ops.IsClose(rtol=0.5)(Tensor([1.0]), Tensor([1.4])).tolist() == [True]
    assert ops.ApproximateEqual(0.2)(Tensor([1.0, 2.0]), Tensor([1.1, 3.0])).tolist() == [True, False]


def test_questions_about_values() -> None:
    x = Tensor([1.0, 2.0])
    assert ops.is_floating_point(x) is True and Tensor([1]).is_floating_point() is False
    assert ops.is_nonzero(Tensor([2.0])) is True and ops.is_nonzero(Tensor(0)) is False
    same(ops.EqualCount()(Tensor([1, 2, 3]), Tensor([1, 2, 4])), [2], tc.int64)
    assert ops.eps(x).tolist() == ops.Eps()(x).tolist() == [2**-23, 2**-23]
    assert grad(ops.CheckNumerics())(x).tolist() == [1, 1]
    assert [t.tolist() for t in ops.IdentityN()((x, Tensor(3)))] == [[1, 2], 3]


def test_bits_as_methods_and_classes() -> None:
    x, y = Tensor([6, 5], tc.int16), Tensor([3, 1], tc.int16)
    same(x.bitwise_and(y), [2, 1], tc.int16)
    same(ops.BitwiseXor()(x, y), [5, 4], tc.int16)
    same(x.bitwise_left_shift(1), [12, 10], tc.int16)
    same(ops.bitwise_right_shift(x, 1), [3, 2], tc.int16)
    same(ops.Invert()(x), [-7, -6], tc.int16)
    same(ops.population_count(x), [2, 2], tc.uint8)
    same(x.gcd(y), [3, 1], tc.int16)


def test_dtypes_by_name() -> None:
    x = Tensor([1.0, 2.0])
    names = {"bool": tc.bool_, "byte": tc.uint8, "short": tc.int16, "double": tc.float64, "half": tc.float16}
    for name, dtype in names.items():
        assert getattr(x, name)().dtype is dtype
