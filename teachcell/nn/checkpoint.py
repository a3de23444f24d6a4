"""Checkpoints: the Parameters of a net in one file of plain arrays, written whole or not at all.

The file is a NumPy ``.npz`` archive: ``names`` and one array per name, ``0``, ``1``, …. Nothing in it is ever
unpickled or executed, so a file from a stranger can at worst fail to load.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..core.files import replacing
from ..core.tensor import Tensor
from ..texts import say
from .cell import Cell
from .parameter import Parameter

Entries = Sequence[Mapping[str, Any]]


def save_checkpoint(
    save_obj: Cell | Entries | Iterable[Parameter] | Mapping[str, Tensor], ckpt_file_name: str | Path,
    integrated_save: bool = True, async_save: bool = False, append_dict: Mapping[str, Any] | None = None,
    *, choice_func: Callable[[str], bool] | None = None,
) -> None:  # fmt: skip
    """Write the Parameters of a net, by stored name.

    Args:
        save_obj: a Cell; a list of Parameters or of ``{"name": …, "data": Tensor}``; or a dict of name and Tensor.
        ckpt_file_name: the file; ``.ckpt`` is added when missing. An older file is replaced only when the new
            one is complete.
        integrated_save, async_save: accepted for old code; without effect.
        append_dict: numbers and Tensors to save beside them, such as the epoch.
        choice_func: told a Parameter's name, says whether to save it; by default all are.

    Raises:
        TypeError: ``save_obj`` is none of these.
        ValueError: two Parameters have one name.
    """
    names, arrays = [], []
    extra = {name: value if isinstance(value, Tensor) else Tensor(value) for name, value in (append_dict or {}).items()}
    chosen = [(name, p) for name, p in _entries(save_obj) if choice_func is None or choice_func(name)]
    for name, tensor in (*chosen, *_entries(extra)):
        if name in names:
            raise ValueError(say("errors.parameter_same_name", name=name))
        names.append(name)
        arrays.append(tensor._array)
    with replacing(_with_suffix(ckpt_file_name)) as file:
        members: dict[str, Any] = {str(i): array for i, array in enumerate(arrays)}
        np.savez(file, names=np.array(names, str), **members)


def _with_suffix(name: str | Path) -> Path:
    path = Path(name)
    return path if path.suffix == ".ckpt" else path.with_name(f"{path.name}.ckpt")


def _entries(save_obj: Any) -> Iterable[tuple[str, Tensor]]:
    if isinstance(save_obj, Cell):
        found = [(p.name, p) for p in save_obj.get_parameters()]
    elif isinstance(save_obj, Mapping):
        found = list(save_obj.items())
    elif isinstance(save_obj, (list, tuple)) and all(isinstance(e, Parameter) for e in save_obj):
        found = [(p.name, p) for p in save_obj]
    elif isinstance(save_obj, (list, tuple)) and all(isinstance(e, Mapping) and "data" in e for e in save_obj):
        found = [(e.get("name"), e["data"]) for e in save_obj]
    else:
        raise TypeError(say("checkpoint.save_kind", got=type(save_obj).__name__))
    for name, tensor in found:
        if not isinstance(name, str) or not isinstance(tensor, Tensor):
            raise TypeError(say("checkpoint.save_entry", name=name, got=type(tensor).__name__))
    return found


def load_checkpoint(
    ckpt_file_name: str | Path, net: Cell | None = None, strict_load: bool = False,
    filter_prefix: str | Sequence[str] | None = None, *, specify_prefix: str | Sequence[str] | None = None,
    choice_func: Callable[[str], bool] | None = None,
) -> dict[str, Parameter]:  # fmt: skip
    """Read a checkpoint into a dict of name and Parameter, and into ``net`` if one is given.

    Args:
        ckpt_file_name: the file.
        net: the Cell to load into.
        strict_load: as in :func:`load_param_into_net`.
        filter_prefix: beginnings of names to leave out.
        specify_prefix: beginnings of the names to take; by default all.
        choice_func: told a name, says whether to take it; by default all are.

    Raises:
        ValueError: there is no such file, it is no checkpoint, or no name in it was chosen; the net stays as it was.
    """
    path = Path(ckpt_file_name)
    if not path.is_file():
        raise ValueError(say("checkpoint.missing", path=path))
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            names = [str(name) for name in archive["names"]]
            arrays = [archive[str(i)] for i in range(len(names))]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, struct.error) as error:
        raise ValueError(say("checkpoint.broken", path=path, why=error)) from None
    found = {
        name: Parameter(Tensor(array), name=name)
        for name, array in zip(names, arrays, strict=True)
        if name.startswith(_beginnings(specify_prefix, ""))
        and not name.startswith(_beginnings(filter_prefix))
        and (choice_func is None or choice_func(name))
    }
    if names and not found:
        raise ValueError(say("checkpoint.none_chosen", path=path, names=", ".join(names)))
    if net is not None:
        load_param_into_net(net, found, strict_load)
    return found


def _beginnings(prefix: str | Sequence[str] | None, *default: str) -> tuple[str, ...]:
    """One or several beginnings of names, as ``str.startswith`` takes them."""
    return default if prefix is None else (prefix,) if isinstance(prefix, str) else tuple(prefix)


def _without_common_beginning(given: Mapping[str, Parameter], own: list[str]) -> Mapping[str, Parameter]:
    if not own or any(name in given for name in own):
        return given
    beginnings = [name.removesuffix(own[0]) for name in given if name.endswith(f".{own[0]}")]
    if len(beginnings) != 1 or any(beginnings[0] + name not in given for name in own):
        return given
    return {name.removeprefix(beginnings[0]): p for name, p in given.items()}


def load_param_into_net(
    net: Cell, parameter_dict: Mapping[str, Parameter], strict_load: bool = False
) -> tuple[list[str], list[str]]:
    """Copy Parameters into a net by stored name; nothing changes if one does not fit.

    Where all names differ by one beginning only, such as ``"net."`` of a Cell around the net, it is left out.

    Returns:
        (names of the net that were not found, names that were not used).

    Raises:
        TypeError: no Cell, no dict, or a value that is no Parameter.
        RuntimeError: another shape, or integers for floats; with ``strict_load`` any other dtype.
    """
    if not isinstance(net, Cell):
        raise TypeError(say("errors.not_a_cell", got=type(net).__name__))
    if not isinstance(parameter_dict, Mapping):
        raise TypeError(say("checkpoint.dict", got=type(parameter_dict).__name__))
    for name, value in parameter_dict.items():
        if not isinstance(value, Parameter):
            raise TypeError(say("checkpoint.dict_value", name=name, got=type(value).__name__))
    own = net.parameters_dict()
    parameter_dict = _without_common_beginning(parameter_dict, list(own))
    shared = [name for name in own if name in parameter_dict]
    for name in shared:
        mine, new = own[name], parameter_dict[name]
        kinds = mine._array.dtype.kind, new._array.dtype.kind
        if mine.shape != new.shape or kinds[0] != kinds[1] or (strict_load and mine.dtype is not new.dtype):
            got, wanted = f"{new.shape} {new.dtype}", f"{mine.shape} {mine.dtype}"
            raise RuntimeError(say("checkpoint.shape", name=name, got=got, wanted=wanted))
    for name in shared:
        own[name].set_data(parameter_dict[name])
    return [n for n in own if n not in parameter_dict], [n for n in parameter_dict if n not in own]
