"""What all tests share: browser tests go last."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # They are the slowest, and Playwright leaves an event loop running in this thread until the session
    # ends, under which no other test could start one of its own.
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
