"""What every test gets: a home of its own, no keys in the environment, a fixed zone, no network but loopback."""

from __future__ import annotations

import os
import socket
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

SATURDAY = datetime(2026, 6, 13, 17, 0, tzinfo=UTC)  # 10 AM on campus; each look at the clock is a second later
_OURS = ("CAMPUS_AGENT_", "OPENAI_", "NVIDIA_", "NIM_", "TEXTUAL")
_PLAIN = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")


@pytest.fixture(autouse=True)
def isolation(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the test an empty home and data folder and an environment that says nothing, on a clock of its own."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(_OURS) or name in _PLAIN or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
    monkeypatch.setenv("TZ", "UTC")
    moments = count()
    monkeypatch.setattr("campus_agent.tools.clock.real_time", lambda: SATURDAY + timedelta(seconds=next(moments)))
    monkeypatch.setattr(socket.socket, "connect", _loopback_only(socket.socket.connect))
    return home


def _loopback_only(connect: Any) -> Any:
    def guarded(self: socket.socket, address: Any) -> Any:
        if isinstance(address, tuple) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise OSError(f"tests stay on this machine, yet one connects to {address[0]}")
        return connect(self, address)

    return guarded
