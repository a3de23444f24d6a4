"""What a clone holds: nothing that ties it to one machine or registry, and no link that leads nowhere."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

# Written in pieces, so that this file does not find itself.
FOLDERS = ["/" + name + "/" for name in ("home", "opt", "private", "root", "tmp", "work", "Users")]
HOSTS = ["py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "un" + "pkg.com", "js" + "delivr.net"]
OPTIONS = ["--index" + "-url", "--extra-index" + "-url", "--find" + "-links", "--trusted" + "-host"]
STRAY = re.compile(rf"(?<![\w.~$}}])(?:{'|'.join(FOLDERS)})|{'|'.join(map(re.escape, HOSTS + OPTIONS))}")
LINK = re.compile(r"\]\(([^)#:]+)\)|lab/tree/(\S+\.ipynb)")


def tracked(*patterns: str) -> list[Path]:
    command = ["git", "ls-files", "-z", "--", *patterns]
    names = subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout
    return [path for name in names.split("\0")[:-1] if (path := REPOSITORY / name).exists()]


def test_no_file_names_a_folder_of_one_machine_or_a_registry() -> None:
    stray = []
    for path in tracked():
        text = path.read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            stray += [f"{path.relative_to(REPOSITORY)}:{number}: {hit}" for hit in STRAY.findall(line)]
    assert not stray, "\n".join(stray)


@pytest.mark.parametrize("line", ["cd /ho" + "me/me", "'/wo" + "rk/x'", "-i https://py" + "pi.org/simple"])
def test_stray_lines_are_recognized(line: str) -> None:
    assert STRAY.search(line)


@pytest.mark.parametrize("line", ["tests/wo" + "rk/x", "./tm" + "p/x", "https://example.org/wo" + "rk/"])
def test_other_lines_are_not(line: str) -> None:
    assert not STRAY.search(line)


def test_links_between_the_documents_lead_somewhere() -> None:
    lost = [
        f"{document.name}: {target}"
        for document in tracked("*.md")
        for pair in LINK.findall(document.read_text(encoding="utf-8"))
        for target in filter(None, pair)
        if not (document.parent / target).exists()
    ]
    assert not lost, "\n".join(lost)
