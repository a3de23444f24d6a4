"""Files: written whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..texts import say


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """A file to write, which takes the place of ``path`` when all went well.

    Raises:
        FileNotFoundError: its folder does not exist.
        IsADirectoryError: ``path`` is a folder.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(say("errors.file_is_folder", path=path))
    if not path.parent.is_dir():
        raise FileNotFoundError(say("errors.file_no_folder", path=path, folder=path.parent))
    temporary = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        with open(temporary, "xb") as file:
            yield file
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
