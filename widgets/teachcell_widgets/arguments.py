"""What is wrong with the arguments of a widget, in its own name."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from teachcell.core.absent import nearest
from teachcell.lens.training.trainer import check_optimizer
from teachcell.texts import say


def check_arguments(cls: Any, optimizer: Any, unknown: Mapping[str, Any]) -> None:
    """TypeError for what is no optimizer, or an argument that widgets of this class do not have."""
    check_optimizer(optimizer)
    for name in unknown:
        parameters = inspect.signature(cls.__init__).parameters.values()
        known = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
        near = nearest(name, known)
        text = say("explorer.no_argument", cls=cls.__name__, name=name, known=", ".join(known))
        raise TypeError(text + say("errors.nearest_name", near=near) if near else text)
