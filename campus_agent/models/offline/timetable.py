"""When something is on, put together from every passage about it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from campus_agent.models.offline.asked import Asked
from campus_agent.models.offline.case import Calls, Observations
from campus_agent.models.offline.finding import Finding, search
from campus_agent.models.offline.passages import Passage, quote, read_found, schedule_of
from campus_agent.models.offline.rows import is_part
from campus_agent.models.offline.schedule import Schedule
from campus_agent.models.offline.subject import Subject
from campus_agent.models.offline.vocabulary import WEEKDAYS

_MOST_QUOTES = 3


@dataclass(frozen=True, slots=True)
class Timetable:
    """The schedule of one thing, the passages that it was read from, and those of them that tell of the day asked."""

    schedule: Schedule
    passages: tuple[Passage, ...]
    telling: tuple[Passage, ...]
    subject: Subject

    @property
    def quotes(self) -> list[str]:
        """The passages that tell of the day, quoted."""
        return [quote(passage, self.subject.keys) for passage in self.telling[:_MOST_QUOTES]]


def timetable(finding: Finding, asked: Asked) -> Generator[Calls, Observations, Timetable]:
    """Read the schedule of the best passage; of a row with days of its own together with the rows of other days.

    When the rows that were found leave out a day that decides, they are searched for by that day.
    """
    best, wanted = finding.passages[0], finding.subject.stems
    if not is_part(best.row) or finding.dates():
        return Timetable(schedule_of(best, wanted), (best,), (best,), finding.subject)
    rows = _rows_of(best, finding.found)
    missing = [day for day in asked.needed if not any(schedule_of(row, wanted).names(day) for row in rows)]
    if missing:
        found = yield tuple(search(f"{best.name} {WEEKDAYS[day]}") for day in missing)
        more = [passage for text in found for passage in read_found(text).passages]
        rows = list(dict.fromkeys([*rows, *_rows_of(best, more)]))
    schedules = {row: schedule_of(row, wanted) for row in rows}
    telling = [row for row in rows if any(schedules[row].names(day) for day in asked.needed)]
    return Timetable(_merged(list(schedules.values())), tuple(rows), tuple(telling or rows), finding.subject)


def _rows_of(row: Passage, passages: Sequence[Passage]) -> list[Passage]:
    """Return the rows of the same table about the same thing, the row itself first."""
    same = [other for other in passages if (other.title, other.name) == (row.title, row.name) and is_part(other.row)]
    return list(dict.fromkeys([row, *same]))


def _merged(schedules: Sequence[Schedule]) -> Schedule:
    """Put the rows of a table together; they are uncertain where one is, or where two contradict each other."""
    merged = Schedule(tuple(rule for schedule in schedules for rule in schedule.rules), whole=False)
    opened = frozenset(day for schedule in schedules for day in schedule.days)
    certain = all(schedule.certain for schedule in schedules) and not opened & merged.closed_days
    return replace(merged, certain=certain)
