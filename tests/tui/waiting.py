"""Waiting in the tests of the app: for what the screen comes to show, never for a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from textual.pilot import Pilot


async def until(pilot: Pilot[Any], holds: Callable[[], object]) -> None:
    """Return when `holds` does and the screen has come to rest; fail when that never comes."""
    for _ in range(1_000):
        await pilot.pause()
        if holds():
            await pilot.pause()
            return
        await asyncio.to_thread(lambda: None)  # what works on another thread gets its turn
    raise AssertionError("what the test waits for did not come")
