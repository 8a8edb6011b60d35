"""The words, signs and colours that the screen uses for what a run does and how it ends."""

from __future__ import annotations

from typing import Any

from textual.content import Content

from campus_agent.agent.outcome import Outcome
from campus_agent.text import one_line, plural, sanitize

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
FRAMES_PER_SECOND = 10
_NO_BREAK, _HOLDS = "\u00a0", "\u2800"  # the second is as wide, and no space to Textual
THINKING, WRITING, DRAFT = "thinking", "writing", "a draft"  # of a model: the same in the chat and in the trace
WAITING = "waiting"  # what does not happen yet, while the run is held


GOOD, CALM, CAUTION, BAD = "$text-success", "$muted bold", "$text-warning", "$text-error"
DIM = "$muted"

ACTING = Content.styled("▸ acting", "$acting bold")
OBSERVE = Content.styled("◂ observe", "$observing bold")
GROUNDED = Content.styled("✓ grounded", GOOD)
SUPPORTS = Content.styled("✓ ", GOOD)  # before a passage that the answer rests on
FAILED = Content.styled("✕ ", BAD)

CUT = Content.styled("✕ cut off: this run has no end", BAD)  # of a run that a crash, say, ended

_STYLES = {
    Outcome.ANSWERED: GOOD,
    Outcome.REFUSED: CALM,
    Outcome.STEP_LIMIT: CAUTION,
    Outcome.CALL_LIMIT: CAUTION,
    Outcome.DEADLINE: CAUTION,
    Outcome.CANCELLED: CALM,
    Outcome.TRUNCATED: CAUTION,
}


def ending(outcome: Outcome) -> Content:
    """Return how `outcome` is shown: sign, words and style, so that nothing hangs on colour alone."""
    return Content.styled(f"{outcome.sign} {outcome.words}", ending_style(outcome))


def ending_style(outcome: Outcome) -> str:
    """Return the style of `outcome`."""
    return _STYLES.get(outcome, BAD)


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


def bar(value: float, largest: float, cells: int, *, before: float | None = None) -> Content:
    """Return a bar of `cells` cells that shows `value` beside the `largest`; what is not nothing shows at least one.

    What it has grown by since it was `before` stands out, by one cell at least; None for no growth.
    """
    full = _cells(value, largest, cells)
    new = max(1, full - _cells(before, largest, cells)) if before is not None and value > before else 0
    return Content.assemble(("▰" * (full - new), "$muted"), ("▰" * new, "$primary"), ("▱" * (cells - full), "$rule"))


def _cells(value: float, largest: float, cells: int) -> int:
    share = value / largest if largest > 0 else 0.0
    return min(cells, max(round(share * cells), 1)) if value > 0 else 0


def rounded(number: int) -> str:
    """Return a number in at most five cells: all of it up to 9,999, then "12k", "205k", "1.2M"."""
    if number < 10_000:
        return f"{number:,}"
    if number < 999_500:
        return f"{number / 1_000:.0f}k"
    return f"{number / 1_000_000:.1f}M" if number < 99_950_000 else f"{number / 1_000_000:.0f}M"


def plain(text: str, style: str = "") -> Content:
    """Return text from outside as content: made safe, and never read as markup."""
    return Content.styled(sanitize(text), style) if style else Content(sanitize(text))


def beginning(text: str, most: int, style: str = "") -> Content:
    """Return text from outside as content: all of it, or its first `most` characters and how many more there are."""
    if len(text) <= most:
        return plain(text, style)
    return plain(text[:most], style) + Content.styled(f" … {plural(len(text) - most, 'more character')}", "$muted")


def unbroken(text: str) -> str:
    """Return `text` so that `wrapped` ends no line within it."""
    return text.replace(" ", _NO_BREAK)


def wrapped(text: Content, width: int) -> list[Content]:
    """Return the lines of at most `width` cells of `text`; unlike a line of Textual's, none ends at a no-break space.

    Only what alone is wider than `width` is broken within.
    """
    held = Content(text.plain.replace(_NO_BREAK, _HOLDS), list(text.spans))
    return [Content(one.plain.replace(_HOLDS, _NO_BREAK), list(one.spans)) for one in held.wrap(max(1, width))]


def flowing(text: Content, width: int) -> Content:
    """Return `text` as it is to be drawn at `width` cells; one that `wrapped` need not hold together stays as it is."""
    return Content("\n").join(wrapped(text, width)) if _NO_BREAK in text.plain else text


def line(text: str, limit: int = 0, style: str = "") -> Content:
    """Return text from outside as one line of content, at most `limit` characters (0: any length)."""
    return plain(one_line(text, limit), style)
