"""Hooks around ``state_dict`` and ``load_state_dict``; paths of Cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teachcell import Parameter, Tensor, nn


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(1, 1)
        self.seq = nn.SequentialCell(nn.Dense(1, 1))


def test_hooks_of_saving_run_from_the_outside_in_and_back() -> None:
    net, seen = Net(), []  # type: ignore[var-annotated]
    for name, cell in (("net", net), ("fc", net.fc)):
        cell.register_state_dict_pre_hook(lambda c, prefix, keep, n=name: seen.append((n, "pre", prefix, keep)))
        cell.register_state_dict_post_hook(
            lambda c, found, prefix, meta, n=name: seen.append((n, "post", prefix, list(found)))
        )
    net.state_dict(keep_vars=True)
    assert seen == [
        ("net", "pre", "", True), ("fc", "pre", "fc.", True), ("fc", "post", "fc.", ["fc.weight", "fc.bias"]),
        ("net", "post", "", ["fc.weight", "fc.bias", "seq.0.weight", "seq.0.bias"]),
    ]  # fmt: skip


def test_a_hook_may_add_and_rename() -> None:
    net = nn.Dense(1, 1)

    def rename(cell: Any, found: Any, prefix: str, meta: Any) -> None:
        found[prefix + "w"] = found.pop(prefix + "weight")

    def back(cell: Any, given: Any, prefix: str, *_: Any) -> None:
        given[prefix + "weight"] = given.pop(prefix + "w")

    outer = nn.SequentialCell(net)
    saving = net.register_state_dict_post_hook(rename)
    net.register_load_state_dict_pre_hook(back)
    state = outer.state_dict(prefix="a.")
    assert sorted(state) == ["a.0.bias", "a.0.w"]
    saving.remove(), saving.remove()
    assert sorted(outer.state_dict()) == ["0.bias", "0.weight"]
    assert outer.load_state_dict({"0.w": Tensor([[7.0]]), "0.bias": Tensor([1.0])}) == ([], [])
    assert net.weight.item() == 7.0
    kept: dict[str, Any] = {}
    assert net.state_dict(destination=kept) is kept and set(kept) == {"weight", "bias"}


def test_hooks_of_saving_have_no_say_in_loading() -> None:
    net = nn.Dense(1, 1)
    saved = net.state_dict() | {"epoch": 3}
    net.register_state_dict_pre_hook(lambda *_: pytest.fail("called"))
    net.register_state_dict_post_hook(lambda *_: pytest.fail("called"))
    assert net.load_state_dict(saved, strict=False) == ([], ["epoch"])  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="epoch"):
        net.load_state_dict(saved)  # type: ignore[arg-type]


def test_a_hook_after_loading_decides_what_strict_sees() -> None:
    net = nn.Dense(1, 1)
    handle = net.register_load_state_dict_post_hook(lambda cell, keys: keys.missing_keys.clear())
    assert net.load_state_dict({"weight": Tensor([[3.0]])}) == ([], []) and net.weight.item() == 3.0
    handle.remove()
    with pytest.raises(RuntimeError, match="bias"):
        net.load_state_dict({"weight": Tensor([[5.0]])})
    assert net.weight.item() == 3.0

    def fail(cell: Any, keys: Any) -> None:
        assert cell.weight.item() == 5.0
        raise ZeroDivisionError

    net.register_load_state_dict_post_hook(fail)
    with pytest.raises(ZeroDivisionError):
        net.load_state_dict({"weight": Tensor([[5.0]])}, strict=False)
    assert net.weight.item() == 3.0  # nothing changes if something fails


def test_paths_of_cells() -> None:
    net = Net()
    assert net.get_sub_cell("seq.0") is net.seq[0] and net.get_sub_cell("") is net
    with pytest.raises(AttributeError, match="seq.1"):
        net.get_sub_cell("seq.1")
    net.update_cell_prefix()
    assert (net.param_prefix, net.fc.param_prefix, net.seq[0].param_prefix) == ("", "fc", "seq.0")
    assert list(net.parameters_dict()) == ["fc.weight", "fc.bias", "seq.0.weight", "seq.0.bias"]
    assert all(new is old for old, new in net.init_parameters_data().items())
    p = Parameter(np.ones(1, np.float32), name="p")
    assert (p.cache_enable, p.sliced, p.key) == (False, False, -1)
