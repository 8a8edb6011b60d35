"""That the offline model never says yes, no, open or closed wrongly: many timetables, many hours, several bases."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.knowledge.base import KnowledgeBase
from tests.models.test_offline_model import REFUSAL, Campus

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SHORT = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONDAY = datetime(2026, 4, 6)

Week = dict[int, tuple[int, int]]
"""Weekday to the hours from and to; a day that is left out is closed. An end before its start is after midnight."""

WEEKS: tuple[Week, ...] = (
    dict.fromkeys(range(5), (9, 17)),
    dict.fromkeys(range(4), (16, 23)) | dict.fromkeys((4, 5), (16, 1)),
    dict.fromkeys((0, 2, 4), (8, 12)) | {5: (10, 14)},
    dict.fromkeys((1, 2, 3), (14, 22)) | dict.fromkeys((5, 6), (10, 18)),
    {4: (20, 2), 5: (21, 3)},
)


def _half_day(hour: int) -> str:
    return f"{hour % 12 or 12}{'pm' if hour >= 12 else 'am'}"


def _spaced_half_day(hour: int) -> str:
    return f"{hour % 12 or 12} {'PM' if hour >= 12 else 'AM'}"


def _clock(hour: int) -> str:
    return f"{hour:02}:00"


def _list_of(
    written: Callable[[int], str], names: tuple[str, ...], dash: str, *, closed: bool
) -> Callable[[Week], str]:
    def text(week: Week) -> str:
        told = [f"{names[day]} {written(start)}{dash}{written(end)}" for day, (start, end) in sorted(week.items())]
        shut = [f"{names[day]} closed" for day in range(7) if day not in week] if closed else []
        return f"The Fossil Room is open {', '.join([*told, *shut])}."

    return text


def _sentences(week: Week) -> str:
    return " ".join(
        f"On {DAYS[day]}s the Fossil Room is open from {_spaced_half_day(start)} to {_spaced_half_day(end)}."
        for day, (start, end) in sorted(week.items())
    )


SENTENCES = (
    _list_of(_half_day, SHORT, "-", closed=True),
    _list_of(_half_day, DAYS, " to ", closed=False),
    _list_of(_clock, SHORT, "-", closed=False),
    _list_of(_clock, DAYS, "–", closed=True),
    _list_of(_spaced_half_day, SHORT, " - ", closed=False),
    _sentences,
)


def _markdown(text: Callable[[Week], str]) -> Callable[[Week], tuple[str, str]]:
    def base(week: Week) -> tuple[str, str]:
        return (
            "rooms.md",
            f"# Rooms\n\n## Fossil Room\n\n{text(week)}\n\n## Map Room\n\nOpen daily from 1 AM to 2 AM.\n",
        )

    return base


def _rows(header: str, closed: str) -> Callable[[Week], tuple[str, str]]:
    def base(week: Week) -> tuple[str, str]:
        lines = [header]
        for day in range(7):
            hours = f"{_clock(week[day][0])},{_clock(week[day][1])}" if day in week else closed
            lines += [f"Fossil Room,{DAYS[day]},{hours}", f"Map Room,{DAYS[day]},01:00,02:00"]
        return "hours.csv", "\n".join(lines)

    return base


def _columns(week: Week) -> tuple[str, str]:
    cells = [f"{_clock(week[day][0])}-{_clock(week[day][1])}" if day in week else "closed" for day in range(7)]
    other = ["01:00-02:00"] * 7
    return "hours.csv", f"place,{','.join(DAYS)}\nFossil Room,{','.join(cells)}\nMap Room,{','.join(other)}\n"


def _objects(week: Week) -> tuple[str, str]:
    hours = [{"day": DAYS[day], "from": _clock(start), "to": _clock(end)} for day, (start, end) in week.items()]
    return "places.json", json.dumps([{"name": "Fossil Room", "opening_hours": hours}])


WHOLE = (*map(_markdown, SENTENCES), _columns, _rows("place,day,opens,closes", "closed,"))
PARTS = (_rows("place,day,start,end", "closed,"), _objects)


def _load(folder: Path, name: str, text: str) -> KnowledgeBase:
    (folder / name).write_text(text, encoding="utf-8")
    return KnowledgeBase.load([folder / name])


def _is_open(week: Week, moment: datetime) -> bool:
    for back in (0, 1):
        start, end = week.get((moment.weekday() - back) % 7, (0, 0))
        hour = moment.hour + moment.minute / 60 + 24 * back
        if start <= hour < (end if end > start else end + 24) and (start, end) != (0, 0):
            return True
    return False


def _said(answer: str) -> bool | None:
    """Return whether an answer begins with a verdict, and which."""
    if re.match(r"(?:Yes\b|The Fossil Room (?:is|was) open\b(?! today until| today, but))", answer):
        return True
    return False if re.match(r"No\b|The Fossil Room is closed\b", answer) else None


def _moments(seed: int) -> list[datetime]:
    chosen = random.Random(seed)
    return [MONDAY + timedelta(minutes=30 * chosen.randrange(7 * 48)) for _ in range(12)]


@pytest.mark.parametrize("week", WEEKS)
@pytest.mark.parametrize("form", range(len(WHOLE)))
def test_open_now_is_told_and_told_right_in_every_form_of_timetable(tmp_path, week, form):
    base = _load(tmp_path, *WHOLE[form](week))
    for moment in _moments(form):
        answer = Campus(base, moment).ask("Is the Fossil Room open right now?").answer
        assert _said(answer) is _is_open(week, moment), (moment, answer)


@pytest.mark.parametrize("week", WEEKS)
@pytest.mark.parametrize("form", range(len(PARTS)))
def test_rows_that_may_not_all_be_found_never_lead_to_a_wrong_word(tmp_path, week, form):
    base = _load(tmp_path, *PARTS[form](week))
    for moment in _moments(form):
        answer = Campus(base, moment).ask("is the fossil room open now?").answer
        assert _said(answer) in (_is_open(week, moment), None), (moment, answer)


@pytest.mark.parametrize("week", WEEKS)
@pytest.mark.parametrize("form", range(len(WHOLE)))
def test_a_date_is_judged_by_its_own_weekday(tmp_path, week, form):
    base = _load(tmp_path, *WHOLE[form](week))
    for ahead in range(1, 8):
        day = MONDAY + timedelta(days=ahead)
        campus = Campus(base, MONDAY)
        answer = campus.ask(f"Will the Fossil Room be open on {day:%B} {day.day}?").answer
        assert _said(answer) is (day.weekday() in week), (day, answer)
        review = Guardrail(refusal=REFUSAL).review(answer, question="", evidence=campus.evidence)
        assert [fact.text for fact in review.unsupported] == []


def test_in_the_small_hours_a_row_alone_does_not_tell_that_the_night_before_is_over(tmp_path):
    base = _load(tmp_path, "hours.csv", "place,day,opens,closes\nFossil Room,Monday,16:00,23:00\n")
    question = "is the fossil room open now?"
    assert _said(Campus(base, MONDAY.replace(hour=1)).ask(question).answer) is None
    assert _said(Campus(base, MONDAY.replace(hour=9)).ask(question).answer) is False


QUALIFIED = [
    "The Fossil Room is open Monday to Friday 9am-5pm. It is closed in August.",
    "The Fossil Room is open daily from 10 AM to 8 PM from June to August.",
    "The Fossil Room is open Monday to Friday 9am-5pm, except on public holidays.",
    "The Fossil Room is open Monday to Friday 9am-5pm, Wednesday only until 4 PM.",
    "The Fossil Room is open Monday to Friday 9am-5pm during term.",
    "The Fossil Room is open Monday to Friday 9am-5pm by appointment.",
    "The Fossil Room is usually open Monday to Friday 9am-5pm.",
    "The Fossil Room is open Monday to Friday 9am-5pm. Women only on Thursdays.",
    "The Fossil Room is open Monday to Friday 9am-5pm until further notice.",
    "The Fossil Room is open Monday to Friday 9am-5pm unless a class is held there.",
    "The Fossil Room is open Monday to Friday 9am-5pm from April 20, 2026.",
    "The Fossil Room is open Monday to Friday 9am-5pm. It is temporarily closed.",
    "The Fossil Room is not open on Mondays, 9am-5pm.",
    "The Fossil Room is open on Mondays or Tuesdays, 9am-5pm.",
    "The Fossil Room is open every other Monday 9am-5pm.",
    "The Fossil Room is open M-F 9am-5pm.",
    "The Fossil Room is open mon-fri 9am-5pm.",
    "The Fossil Room is open 9am-5pm.",
    "The Fossil Room is open Monday to Friday 9am-5pm, last entry at 4 PM.",
    "The Fossil Room is open Monday to Friday 9am-5pm; the Fossil Room has other hours in the exam season.",
    "The Fossil Room is open Mondays from half past nine to 5 PM.",
    "The Fossil Room is open Mondays; the hours change weekly.",
]


@pytest.mark.parametrize("text", QUALIFIED)
@pytest.mark.parametrize(
    "question",
    [
        "Is the Fossil Room open now?",
        "Is the Fossil Room open today?",
        "Is the Fossil Room open on Monday?",
        "Is the Fossil Room open on Saturday?",
        "Is the Fossil Room open on April 13?",
        "Is the Fossil Room open tomorrow?",
        "Is the Fossil Room open tonight?",
    ],
)
def test_hours_with_an_exception_or_unread_words_are_quoted_without_a_verdict(tmp_path, text, question):
    base = _load(tmp_path, "rooms.md", f"# Rooms\n\n## Fossil Room\n\n{text}\n")
    answer = Campus(base, MONDAY.replace(hour=11)).ask(question).answer
    assert text in answer
    assert re.fullmatch(r"(?:It is \w+day, [\w ,:]+\.|Tomorrow is [\w ,]+\.)?", answer.replace(text, "").strip()), (
        answer
    )


def test_a_closure_in_another_passage_takes_the_verdict_away(tmp_path):
    hours = "The Fossil Room is open Monday to Friday 9am-5pm."
    closure = "The Fossil Room is closed from April 3 to April 10, 2026 for repairs."
    base = _load(tmp_path, "rooms.md", f"# Rooms\n\n## Fossil Room\n\n{hours}\n\n## Repairs\n\n{closure}\n")
    answer = Campus(base, MONDAY.replace(hour=11)).ask("Is the Fossil Room open now?").answer
    assert _said(answer) is None
    assert hours in answer
    assert closure in answer


def test_two_places_that_the_question_may_mean_are_both_quoted(tmp_path):
    base = _load(
        tmp_path,
        "rooms.md",
        "# Museum\n\n## Main museum\n\nThe main museum is open daily from 9 AM to 5 PM.\n\n"
        "## Toy museum\n\nThe toy museum is open on Saturdays from 9 AM to 5 PM.\n",
    )
    answer = Campus(base, MONDAY.replace(hour=11)).ask("Is the museum open now?").answer
    assert answer.startswith("It is Monday, April 06, 2026")
    assert "main museum is open daily" in answer
    assert "toy museum is open on Saturdays" in answer


# ---- events: before, during, after ---------------------------------------------------------------------------------

CHOIR = "The choir rehearses on Mondays at 6 PM in the chapel."
FENCING = "Fencing practice takes place on Mondays from 6 PM to 8 PM in hall 2."
EVENTS = f"# Events\n\n## Choir\n\n{CHOIR}\n\n## Fencing\n\n{FENCING}\n"


@pytest.mark.parametrize(
    ("question", "hour", "start"),
    [
        ("Is the choir rehearsing right now?", 9, "Not yet: it begins at 6 PM."),
        ("Is the choir rehearsing right now?", 19, "It began at 6 PM today; when it ends is not given."),
        ("Is the choir today?", 9, "Yes, today at 6 PM."),
        ("Is the choir today?", 23, "It began at 6 PM today; when it ends is not given."),
        ("Is there choir this morning?", 9, "No, not this morning."),
        ("Is there choir tonight?", 9, "Yes, today at 6 PM."),
        ("Is fencing on right now?", 17, "Not yet: it begins at 6 PM."),
        ("Is fencing on right now?", 19, "Yes, it is on right now."),
        ("Is fencing on right now?", 20, "It was on today until 8 PM, and is over."),
        ("Can I still go to fencing today?", 21, "It was on today until 8 PM, and is over."),
        ("Is fencing tomorrow?", 9, "No, not tomorrow."),
        ("Is there fencing on April 13?", 9, "Yes, on Monday, April 13, 2026."),
        ("Is there fencing on Friday, April 17?", 9, "No, not on Friday, April 17, 2026."),
        ("Is there fencing on 2026-04-14?", 9, "No, not on Tuesday, April 14, 2026."),
        ("Is there fencing on Monday, April 14?", 9, "No, not on Tuesday, April 14, 2026."),
    ],
)
def test_an_event_is_judged_by_the_clock_as_far_as_its_times_are_told(tmp_path, question, hour, start):
    campus = Campus(_load(tmp_path, "events.md", EVENTS), MONDAY.replace(hour=hour))
    answer = campus.ask(question).answer
    assert answer.startswith(start)
    review = Guardrail(refusal=REFUSAL).review(answer, question=question, evidence=campus.evidence)
    assert [fact.text for fact in review.unsupported] == []


@pytest.mark.parametrize(
    "question",
    [
        "Is fencing not on Monday?",
        "Is fencing on Monday at 7?",
        "Is fencing on Monday before 7 PM?",
        "Is fencing on Monday until 9 PM?",
        "Is the choir on Monday at 7 PM?",
        "Is fencing next month?",
        "Was there fencing yesterday?",
    ],
)
def test_a_question_that_is_not_followed_to_the_end_gets_no_yes_and_no_no(tmp_path, question):
    answer = Campus(_load(tmp_path, "events.md", EVENTS), MONDAY).ask(question).answer
    assert not re.match(r"Yes|No\b", answer)


@pytest.mark.parametrize(
    ("question", "hour", "start"),
    [
        ("Is the Fossil Room open today?", 18, "The Fossil Room was open today until 5 PM; now it is closed."),
        ("Is the Fossil Room open today?", 8, "The Fossil Room is open today, but closed right now: it is Monday"),
        ("Can I still visit the Fossil Room today?", 18, "The Fossil Room was open today until 5 PM"),
        ("Is the Fossil Room open tonight?", 9, "The Fossil Room is closed tonight."),
        ("Is the Fossil Room open this afternoon?", 9, "The Fossil Room is open today until 5 PM."),
        ("Is the Fossil Room open at noon?", 9, "The Fossil Room is open at that time today."),
        ("Is the Fossil Room open at noon on Saturday?", 9, "No."),
        ("Is the Fossil Room open at 7 PM on Monday?", 9, "No."),
        ("Is the Fossil Room open on Friday evening?", 9, "No."),
        ("Is the Fossil Room open the day after tomorrow?", 9, "The Fossil Room is open the day after tomorrow."),
    ],
)
def test_a_part_of_the_day_or_an_hour_is_held_against_the_hours(tmp_path, question, hour, start):
    base = _load(tmp_path, "a.md", "# Fossil Room\n\nThe Fossil Room is open Monday to Friday from 9 AM to 5 PM.\n")
    assert Campus(base, MONDAY.replace(hour=hour)).ask(question).answer.startswith(start)


# ---- one date ------------------------------------------------------------------------------------------------------

FAIRS = (
    "event,date,time,hall\nKite Fair,2026-04-09,18:00,East\nSeed Swap,11 April 2026,10:00,West\n"
    "Lamp Parade,every Thursday,21:00,Yard\n"
)


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Is there a kite fair on April 9?", "Yes, on Thursday, April 09, 2026."),
        ("Is there a kite fair on April 10?", "No, not on Friday, April 10, 2026."),
        ("Is the seed swap today?", "No, not today."),
        ("Is the seed swap on 2026-04-11?", "Yes, on Saturday, April 11, 2026."),
    ],
)
def test_an_event_of_one_date_is_on_at_that_date_however_it_is_written(tmp_path, question, start):
    assert Campus(_load(tmp_path, "fairs.csv", FAIRS), MONDAY).ask(question).answer.startswith(start)


@pytest.mark.parametrize(
    ("question", "named", "not_named"),
    [
        ("What's on on April 9?", ["Kite Fair", "Lamp Parade"], "Seed Swap"),
        ("What's happening on 2026-04-11?", ["Seed Swap"], "Kite Fair"),
        ("What's on on Thursday, April 16?", ["Lamp Parade"], "Kite Fair"),
    ],
)
def test_what_is_on_at_a_date_is_found_in_every_form(tmp_path, question, named, not_named):
    answer = Campus(_load(tmp_path, "fairs.csv", FAIRS), MONDAY).ask(question).answer
    assert [name for name in named if name not in answer] == []
    assert not_named not in answer


def test_no_is_not_said_where_another_showing_may_be_meant(tmp_path):
    text = "event,date\nFilm Night: Ants,2026-04-08\nFilm Night: Bees,2026-04-15\n"
    base = _load(tmp_path, "films.csv", text)
    assert Campus(base, MONDAY).ask("Is there a film night on April 15?").answer.startswith("Yes, on Wednesday")
    assert not Campus(base, MONDAY).ask("Is there a film night on April 16?").answer.startswith(("Yes", "No"))


@pytest.mark.parametrize(
    "text",
    [
        "Applications for the kite fair close on April 9, 2026.",
        "The kite fair is not on April 9, 2026.",
        "The kite fair was moved from April 9, 2026 to the yard.",
        "The kite fair runs from April 8 to April 10, 2026.",
    ],
)
def test_a_date_that_is_a_limit_or_a_range_gives_no_verdict(tmp_path, text):
    base = _load(tmp_path, "a.md", f"# Kite fair\n\n{text}\n")
    answer = Campus(base, MONDAY).ask("Is the kite fair on April 9?").answer
    assert answer == text


# ---- counting ------------------------------------------------------------------------------------------------------


def test_days_to_something_that_is_not_on_every_week_count_to_the_weekday_alone(tmp_path):
    base = _load(tmp_path, "a.md", "# Choir\n\nThe choir meets on Thursdays at 6 PM during term.\n")
    answer = Campus(base, MONDAY).ask("How many days until the choir meets?").answer
    assert answer.startswith("The next Thursday is in 3 days, on April 09, 2026. The choir meets on Thursdays")


def test_what_is_not_certain_is_not_compared(tmp_path):
    text = "# Choir\n\nThe choir meets on Thursdays during term.\n\n# Fencing\n\nFencing is on Fridays.\n"
    answer = Campus(_load(tmp_path, "a.md", text), MONDAY).ask("Which is sooner, choir or fencing?").answer
    assert answer == "The choir meets on Thursdays during term. Fencing is on Fridays."
