"""What the tests of the screen get besides: the folder where the snapshot plugin collects its report."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_FOLDER = "TEXTUAL_SNAPSHOT_TEMPDIR"


@pytest.fixture(scope="session")
def report_folder() -> str | None:
    return os.environ.get(_FOLDER)


@pytest.fixture(autouse=True)
def snapshot_report(report_folder: str | None, isolation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if report_folder is not None:
        monkeypatch.setenv(_FOLDER, report_folder)
