"""What the commands of `trace` share: the journal they read, and the flags that narrow a list down."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from campus_agent.cli.flags import loaded
from campus_agent.text import one_line

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from campus_agent.journal.records import RunRow
    from campus_agent.journal.store import Journal
    from campus_agent.settings import Settings

_SHOWN_OF_ID = 8  # characters: enough to be the only one that begins so


def journal_of(settings: Settings) -> Journal:
    """Open the journal that the settings name. Raises `JournalError`."""
    from campus_agent.journal.opening import journal_path
    from campus_agent.journal.store import Journal

    return Journal(journal_path(settings.journal_path))


def short(id: str) -> str:
    """Return as much of an id as a person needs."""
    return one_line(id[:_SHOWN_OF_ID])


def ending(row: RunRow) -> str:
    """Return how a run ended, with its sign."""
    return f"{row.outcome.sign} {row.outcome.words}" if row.outcome else "✕ cut"


def filtered(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags that narrow a list down, and hand it what they come to as `wanted`."""

    @functools.wraps(command)
    def narrowed(
        *arguments: Any,  # noqa: ANN401 - whatever else the command takes
        tool: str | None,
        outcome: str | None,
        answered_by: str | None,
        day: str | None,
        since: str | None,
        until: str | None,
        min_seconds: float | None,
        max_seconds: float | None,
        **more: Any,  # noqa: ANN401 - the same
    ) -> Any:  # noqa: ANN401 - what the command returns
        from campus_agent.journal.records import Filter

        zone = loaded(click.get_current_context()).settings.zone
        first, end = _span(day, since, until, zone)
        wanted = Filter(tool, _outcome(outcome), answered_by, first, end, min_seconds, max_seconds)
        return command(*arguments, wanted=wanted, **more)

    for option in reversed(_options()):
        narrowed = option(narrowed)
    return narrowed


def _options() -> list[Callable[[Any], Any]]:
    return [
        click.option("--tool", metavar="NAME", help="Only runs that asked for this tool."),
        click.option("--outcome", metavar="NAME", help="Only runs that ended so: answered, refused, ... or cut."),
        click.option("--answered-by", metavar="TEXT", help="Only runs of a model with this in its name."),
        click.option("--day", metavar="DATE", help="Only runs of this day, such as 2026-06-13 (campus time)."),
        click.option("--since", metavar="DATE", help="Only runs from this day, or date and time, on."),
        click.option("--until", metavar="DATE", help="Only runs up to this day, or date and time."),
        click.option("--min-seconds", type=click.FloatRange(min=0), help="Only runs that took at least so long."),
        click.option("--max-seconds", type=click.FloatRange(min=0), help="Only runs that took at most so long."),
    ]


def _outcome(name: str | None) -> Any:  # noqa: ANN401 - an Outcome, "cut" or None
    from campus_agent.agent.outcome import Outcome
    from campus_agent.journal.records import CUT

    if name is None or name == CUT:
        return name
    try:
        return Outcome(name.lower().replace("-", "_").replace(" ", "_"))
    except ValueError:
        raise click.UsageError(f"No run ends as {name!r}; choose from {', '.join(Outcome)}, {CUT}.") from None


def _span(
    day: str | None, since: str | None, until: str | None, zone: ZoneInfo
) -> tuple[datetime | None, datetime | None]:
    """Return the first moment that is wanted, and the one before which it ends."""
    if day is not None and (since or until):
        raise click.UsageError("--day goes without --since and --until.")
    since, until = (day, day) if day is not None else (since, until)
    first = _moment(since, zone) if since else None
    end = _moment(until, zone, whole_day=True) if until else None
    return first, end


def _moment(text: str, zone: ZoneInfo, *, whole_day: bool = False) -> datetime:
    """Read a day or a date and time; with `whole_day`, a day stands for its end. Without an offset: campus time."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise click.UsageError(f"{text!r} is not a date such as 2026-06-13, or 2026-06-13T10:00.") from None
    if whole_day and _is_day(text):
        try:
            moment += timedelta(days=1)
        except OverflowError:
            raise click.UsageError(f"{text!r} is too far away.") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text.strip())
    except ValueError:
        return False
    return True
