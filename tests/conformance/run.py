#!/usr/bin/env python3
"""Run conformance cases against an implementation of the MindSpore front end.

    python tests/conformance/run.py [--impl teachcell] [--dir DIR] [-k WORD] [-v] [--json FILE]

A case is a script DIR/<area>/cases/*.py written for `mindspore`; what it must print stands in
DIR/<area>/expected/<same name>.txt, recorded from MindSpore 2.10.0 on a CPU.  Every `import mindspore...`
in a case resolves to the implementation's module of the same dotted name, so a case's source never
changes.  Each case runs in a process of its own; with --impl mindspore the suite checks itself.

Two outputs are equal when their texts agree token by token, numbers within rtol 1e-4 / atol 1e-4 (the
cases print four decimals).  Exit status 0 only when every selected case passes.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.abc
import importlib.util
import io
import json
import math
import multiprocessing
import os
import re
import runpy
import sys
import traceback
from collections import Counter
from importlib.machinery import ModuleSpec
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
SECONDS_PER_CASE = 60
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# The cases print four decimals: a last digit rounded the other way is the same number.
RTOL, ATOL = 1e-4, 1.01e-4


class MindSporeAlias(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Serves `mindspore` and its submodules from the implementation under test."""

    def __init__(self, implementation: str) -> None:
        self.implementation = implementation

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name.partition(".")[0] == "mindspore":
            return importlib.util.spec_from_loader(name, self)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return importlib.import_module(self.implementation + spec.name.removeprefix("mindspore"))

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to do: the implementation's module has already run."""


def tokens(text: str) -> list[str | float]:
    """The numbers of `text` as floats and everything between them as words."""
    found: list[str | float] = []
    at = 0
    for match in NUMBER.finditer(text):
        found += text[at : match.start()].split()
        found.append(float(match.group()))
        at = match.end()
    return found + text[at:].split()


def same_token(got: str | float, want: str | float) -> bool:
    if isinstance(got, float) and isinstance(want, float):
        return got == want or math.isclose(got, want, rel_tol=RTOL, abs_tol=ATOL)
    return got == want


def same(got: str, want: str) -> bool:
    """Whether two outputs agree, white space aside and numbers within the tolerance."""
    got_tokens, want_tokens = tokens(got), tokens(want)
    return len(got_tokens) == len(want_tokens) and all(map(same_token, got_tokens, want_tokens))


def run_here(implementation: str, path: Path, answer: Connection) -> None:
    """Body of a case's own process: run the script, answer with what it printed and its error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    if implementation != "mindspore":
        sys.meta_path.insert(0, MindSporeAlias(implementation))
    sys.argv = [str(path)]
    sys.stdout = io.StringIO()
    error = ""
    try:
        runpy.run_path(str(path), run_name="__main__")
    except BaseException:  # a case may also leave by SystemExit or KeyboardInterrupt
        error = traceback.format_exc(limit=-4)
    answer.send((sys.stdout.getvalue(), error))
    answer.close()
    os._exit(0)


def run_case(implementation: str, path: Path) -> tuple[str, str]:
    """What a case printed and its error text, from a forked process."""
    receive, send = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=run_here, args=(implementation, path, send))
    process.start()
    send.close()
    try:
        if not receive.poll(SECONDS_PER_CASE):
            return "", f"no answer in {SECONDS_PER_CASE} s"
        return receive.recv()
    except EOFError:
        return "", "the process died"
    finally:
        process.kill()
        process.join()


def case_name(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.stem}"


def case_paths(directory: Path = HERE) -> list[Path]:
    return sorted(directory.glob("*/cases/*.py"))


def judge(implementation: str, path: Path) -> str:
    """ "" when the case passes, else a report whose first line is the reason."""
    want = (path.parent.parent / "expected" / f"{path.stem}.txt").read_text(encoding="utf-8")
    got, error = run_case(implementation, path)
    if not error and same(got, want):
        return ""
    reason = error.strip().splitlines()[-1] if error else "output differs"
    return "\n".join([reason, "  want:", *indented(want), "  got:", *indented(got), *indented(error)])


def indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.splitlines()]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--impl", default="teachcell")
    parser.add_argument("--dir", type=Path, default=HERE)
    parser.add_argument("-k", default="", metavar="WORD", help="only cases whose area/name contains this")
    parser.add_argument("-v", action="store_true", help="show what differs")
    parser.add_argument("--json", type=Path, metavar="FILE", help='write {case: "" or its report} here')
    return parser.parse_args()


def main() -> int:
    args = parse_arguments()
    os.environ.setdefault("GLOG_v", "3")
    sys.path.insert(0, os.getcwd())
    if args.impl != "mindspore":
        try:
            importlib.import_module(args.impl)  # warm, so that each fork starts loaded
        except ImportError as error:
            sys.exit(f"cannot import {args.impl}: {error}")
    reports = {}
    for path in case_paths(args.dir):
        name = case_name(path)
        if args.k not in name:
            continue
        reports[name] = report = judge(args.impl, path)
        if report:
            print(f"FAIL {name}: {report if args.v else report.splitlines()[0]}")
    if args.json:
        args.json.write_text(json.dumps(reports, indent=1, sort_keys=True), encoding="utf-8")
    passed = Counter(name.partition("/")[0] for name, report in reports.items() if not report)
    for area, total in Counter(name.partition("/")[0] for name in reports).items():
        print(f"{area}: {passed[area]} of {total}")
    print(f"{passed.total()} passed, {len(reports) - passed.total()} failed")
    return 0 if reports and passed.total() == len(reports) else 1


if __name__ == "__main__":
    sys.exit(main())
