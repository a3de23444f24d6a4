"""A rule or hook may wait for a gradient that another thread computes, on the same Parameters."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from teachcell import Parameter, Tensor, grad, nn


class Asking(nn.Cell):
    """Its rule has another thread differentiate the same Parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([3.0]), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return x * x

    def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
        with ThreadPoolExecutor(1) as pool:
            slope = pool.submit(lambda: grad(lambda: self.w * self.w, None, self.w)()).result(timeout=20)
        return (slope * dout,)


def test_a_rule_may_wait_for_another_threads_gradient() -> None:
    cell = Asking()

    def f(x: Tensor) -> Tensor:
        return cell(x * cell.w) * cell.w

    by_x, by_w = grad(f, 0, cell.w)(Tensor([1.0]))
    # the rule says 6: d/dx = 6 · w · w, d/dw = (x·w)² + 6 · x · w
    assert (by_x.item(), by_w.item()) == (54, 27)
