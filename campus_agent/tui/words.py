"""The words, signs and colours that the screen uses for what a run does and how it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual.content import Content

from campus_agent.agent.outcome import Outcome
from campus_agent.text import one_line, sanitize

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
FRAMES_PER_SECOND = 10


@dataclass(frozen=True, slots=True)
class Ending:
    """How an outcome is shown: a sign, words and a style, so that nothing hangs on colour alone."""

    sign: str
    words: str
    style: str

    @property
    def content(self) -> Content:
        """The sign and the words in their style."""
        return Content.styled(f"{self.sign} {self.words}", self.style)


GOOD, CALM, CAUTION, BAD = "$text-success", "$muted bold", "$text-warning", "$text-error"

ACTING = Content.styled("▸ acting", "$acting bold")
OBSERVE = Content.styled("◂ observe", "$observing bold")
GROUNDED = Content.styled("✓ grounded", GOOD)

_ENDINGS = {
    Outcome.ANSWERED: Ending("●", "answered", GOOD),
    Outcome.REFUSED: Ending("○", "refused", CALM),
    Outcome.STEP_LIMIT: Ending("◐", "step limit", CAUTION),
    Outcome.CALL_LIMIT: Ending("◐", "call limit", CAUTION),
    Outcome.DEADLINE: Ending("◐", "out of time", CAUTION),
    Outcome.CANCELLED: Ending("■", "cancelled", CALM),
    Outcome.MALFORMED: Ending("✕", "unreadable reply", BAD),
    Outcome.TRUNCATED: Ending("◐", "cut short", CAUTION),
    Outcome.FILTERED: Ending("✕", "withheld by the provider", BAD),
    Outcome.TOOL_FAILED: Ending("✕", "tool failed", BAD),
    Outcome.PROVIDER_ERROR: Ending("✕", "provider error", BAD),
}


def ending(outcome: Outcome) -> Ending:
    """Return how `outcome` is shown."""
    return _ENDINGS[outcome]


def plural(count: int, word: str) -> str:
    """Return `count` with `word`, such as "1 step" and "2 steps"."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def duration(milliseconds: float) -> str:
    """Return a length of time as a person says it: "6 ms", "1.4 s", "2 min 5 s"."""
    if milliseconds < 999.5:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def doing(tool: str, arguments: dict[str, Any] | None) -> str:
    """Return what a call of `tool` does, such as "counting days to Thursday"."""
    given = arguments or {}
    match tool:
        case "search_campus_info":
            return "searching campus info"
        case "get_current_time":
            return "reading the clock"
        case "days_until_weekday":
            return f"counting days to {one_line(str(given.get('weekday', 'that day')), 20)}"
        case "days_until_date":
            return f"counting days to {one_line(str(given.get('date', 'that date')), 20)}"
    return f"running {one_line(tool, 30)}"


def plain(text: str, style: str = "") -> Content:
    """Return text from outside as content: made safe, and never read as markup."""
    return Content.styled(sanitize(text), style) if style else Content(sanitize(text))


def line(text: str, limit: int = 0, style: str = "") -> Content:
    """Return text from outside as one line of content, at most `limit` characters (0: any length)."""
    return plain(one_line(text, limit), style)
