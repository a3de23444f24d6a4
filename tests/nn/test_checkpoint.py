"""Checkpoints: plain arrays, whole files, nets that stay as they were when something is wrong."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, nn


def small_net(fill: str) -> nn.SequentialCell:
    return nn.SequentialCell(nn.Dense(2, 2, weight_init=fill, bias_init=fill), nn.BatchNorm1d(2))


def values(net: nn.Cell) -> list[object]:
    return [p.asnumpy().tolist() for p in net.get_parameters()]


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    net, other = small_net("ones"), small_net("zeros")
    net[1].moving_mean.set_data(Tensor([3.0, 4.0]))
    tc.save_checkpoint(net, tmp_path / "net.ckpt")
    found = tc.load_checkpoint(tmp_path / "net.ckpt", other)
    assert list(found) == [p.name for p in net.get_parameters()]
    assert values(other) == values(net)
    assert all(isinstance(p, Parameter) and p.name == name for name, p in found.items())


def test_the_ending_is_added_and_every_dtype_kept(tmp_path: Path) -> None:
    entries = [{"name": str(d), "data": Tensor([0, 1], d)} for d in (tc.bool_, tc.int8, tc.float16, tc.float64)]
    tc.save_checkpoint([*entries, {"name": "a/b ü", "data": Tensor(2.5)}], tmp_path / "some")
    found = tc.load_checkpoint(tmp_path / "some.ckpt")
    assert [str(p.dtype) for p in found.values()] == ["Bool", "Int8", "Float16", "Float64", "Float32"]
    assert found["a/b ü"].item() == 2.5


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 cut off"])
def test_a_broken_file_leaves_the_net_as_it_was(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.ckpt"
    path.write_bytes(content)
    net = small_net("ones")
    before = values(net)
    with pytest.raises(ValueError, match=r"broken\.ckpt is no checkpoint"):
        tc.load_checkpoint(path, net)
    assert values(net) == before


def test_a_truncated_archive_and_a_pickle_in_it_are_refused(tmp_path: Path) -> None:
    tc.save_checkpoint(small_net("ones"), tmp_path / "net.ckpt")
    whole = (tmp_path / "net.ckpt").read_bytes()
    (tmp_path / "half.ckpt").write_bytes(whole[: len(whole) // 2])
    with zipfile.ZipFile(tmp_path / "pickle.ckpt", "w") as archive:
        np.save(tmp_path / "x.npy", np.array([{"a": 1}], object), allow_pickle=True)
        archive.write(tmp_path / "x.npy", "0.npy")
        np.save(tmp_path / "names.npy", np.array(["0"]))
        archive.write(tmp_path / "names.npy", "names.npy")
    for name in ("half.ckpt", "pickle.ckpt"):
        with pytest.raises(ValueError, match="nothing was loaded"):
            tc.load_checkpoint(tmp_path / name)


def test_a_failed_write_keeps_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "net.ckpt"
    tc.save_checkpoint(small_net("ones"), path)
    before = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="no space"):
        tc.save_checkpoint(small_net("zeros"), path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["net.ckpt"]


def test_one_wrong_shape_changes_nothing(tmp_path: Path) -> None:
    net = nn.Dense(2, 1, weight_init="zeros", bias_init="zeros")
    good, bad = Parameter(Tensor([5.0]), name="bias"), Parameter(Tensor([[1.0, 2.0, 3.0]]), name="weight")
    with pytest.raises(RuntimeError, match=r"weight.*\(1, 3\).*\(1, 2\)"):
        tc.load_param_into_net(net, {"bias": good, "weight": bad})
    assert values(net) == [[[0.0, 0.0]], [0.0]]
    assert tc.load_param_into_net(net, {"bias": good, "extra": bad}) == (["weight"], ["extra"])
    assert net.bias.item() == 5


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda net: tc.load_param_into_net("net", {}), "Cell is needed, got str"),
        (lambda net: tc.load_param_into_net(net, [1]), "dict of name and Parameter, got list"),
        (lambda net: tc.load_param_into_net(net, {"w": Tensor(1.0)}), "'w' must be a Parameter, got Tensor"),
        (lambda net: tc.save_checkpoint(3, "x"), "save_checkpoint takes a Cell"),
        (lambda net: tc.save_checkpoint({"a": 1.0}, "x"), "'a' must be a name with a Tensor, got float"),
    ],
)
def test_what_cannot_be_saved_or_loaded_is_named(call: object, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        call(nn.Dense(1, 1))  # type: ignore[operator]


def test_parts_by_prefix_and_values_beside_the_net(tmp_path: Path) -> None:
    net, path = small_net("ones"), tmp_path / "net.ckpt"
    tc.save_checkpoint(list(net.get_parameters()), path, append_dict={"epoch": 3, "rate": 0.5})
    everything = tc.load_checkpoint(path)
    assert everything["epoch"].item() == 3 and everything["rate"].dtype is tc.float32
    name = next(iter(net.get_parameters())).name
    assert list(tc.load_checkpoint(path, specify_prefix=name)) == [name]
    assert list(tc.load_checkpoint(path, filter_prefix=["epoch", "rate"])) == [p.name for p in net.get_parameters()]


def test_integers_do_not_become_floats_and_strict_means_the_same_dtype(tmp_path: Path) -> None:
    net, path = nn.Cell(), tmp_path / "net.ckpt"
    net.w = Parameter(Tensor([1.0]), name="w")
    tc.save_checkpoint([{"name": "w", "data": Tensor([2.0], tc.float16)}], path)
    with pytest.raises(RuntimeError, match="Float16"):
        tc.load_checkpoint(path, net, strict_load=True)
    with pytest.raises(RuntimeError, match="Int64"):
        tc.load_param_into_net(net, {"w": Parameter(Tensor([2]))})
    assert net.w.item() == 1.0
    tc.load_checkpoint(path, net)
    assert net.w.item() == 2.0 and net.w.dtype is tc.float32
