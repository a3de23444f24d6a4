"""The training that was done here, as the loop that a learner would write."""

from __future__ import annotations

from ..program import Program
from ..script import forward_of, weights_of

STEP = "value, gradients = step({inputs})", "optimizer(gradients)"


def in_short(program: Program, steps: int) -> str:
    """So many steps in one line."""
    call, move = (part.format(inputs=", ".join(program.input_names())) for part in STEP)
    return f"for _ in range({steps}): {call}; {move}"


def written(program: Program, rate: float | None, seed: int, steps: int) -> str:
    """Lines that make so many steps from the start, and leave the draws at the seed.

    Args:
        rate: of the plain SGD; None: the optimizer is given.
        seed: where the draws begin.
    """
    call, move = (part.format(inputs=", ".join(program.input_names())) for part in STEP)
    lines = [] if rate is None else [f"optimizer = tc.nn.SGD({weights_of(program)}, {rate:.6g})"]
    lines += [
        *forward_of(program),
        "step = tc.value_and_grad(forward, None, optimizer.parameters)",
        f"for _ in range({steps}):",
        f"    {call}",
        f"    {move}",
        f"tc.set_seed({seed})  # as before each run of the widget",
    ]
    return "\n".join(lines)
