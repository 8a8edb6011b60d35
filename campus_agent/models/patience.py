"""How long a server asks to wait before it is asked again, read from its headers and said in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from campus_agent.text import plural


def asked_to_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that `retry-after-ms` or `retry-after` (seconds, or a date) ask for; None where none does."""
    milliseconds, seconds = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if milliseconds:
            return max(0.0, float(milliseconds) / 1000)
        return max(0.0, float(seconds)) if seconds else None
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(seconds or "") - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def patience(seconds: float | None) -> str:
    """Return what to tell a person to do first, such as "Wait 2 minutes"; `seconds` is None where nobody said."""
    if seconds is None or not 1 <= seconds < 100 * 3600:
        return "Wait a little"
    if seconds < 100:
        return f"Wait {plural(math.ceil(seconds), 'second')}"
    if seconds < 100 * 60:
        return f"Wait {plural(math.ceil(seconds / 60), 'minute')}"
    return f"Wait {plural(math.ceil(seconds / 3600), 'hour')}"
