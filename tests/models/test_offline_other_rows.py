"""The offline model where another row, another person or another thing than the one asked about would be at hand."""

from __future__ import annotations

from datetime import datetime

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.models.chat_model import UserMessage
from tests.models.test_offline_model import REFUSAL, Campus

TUESDAY = datetime(2026, 3, 3, 9)

HALL = """# Kestrel Hall

## Opening hours

| Day | Opens | Closes |
|---|---|---|
| Monday | 9:00 AM | 7:00 PM |
| Tuesday | 11:00 AM | 7:00 PM |
| Wednesday | 9:00 AM | 7:00 PM |
| Thursday | 9:00 AM | 7:00 PM |
| Friday | 9:00 AM | 4:00 PM |
| Saturday | 10:00 AM | 2:00 PM |
| Sunday | closed | closed |

## Team

- Hall keeper: Runa Solberg, runa@kestrel.example, 555-0171
- Music tutor: Piet Anker, 555-0172
- Ticket office: Mona Adeyo, tickets@kestrel.example

## Kitchen

The kitchen of the hall is open Monday to Thursday from 8:00 AM to 6:00 PM and Friday from 8:00 AM to noon.

## Evening of songs

The evening of songs is on Thursday, March 12, 2026 at 7:30 PM. The alumni office pays.

## Drums

| Item | Loan | Deposit |
|---|---|---|
| Drums | 3 days | $60 |
| Flutes | 2 weeks | $15 |

Drums may not leave the hall.

## Weather

No lesson is held outdoors when the wind is above 40 km/h.

## Debts

If you owe more than $15 you cannot borrow until it is paid.
"""

TALKS = """Talk,Date,Subject,Text,Speaker
1,2026-02-24,Opening,none,Orla Finch
2,2026-03-03,Rivers,"Moss, Water, ch. 2",Bram Tully
3,2026-03-10,Lakes,"Moss, Water, ch. 5",Orla Finch
4,2026-03-17,Seas,"Ito, Tides",Sana Virk
"""

ROOMS = """Room,Seats,Hourly price,Equipment,Remarks
Attic,12,$9,"piano, screen",
Cellar,30,$14,none,members only; no food
Terrace,18,$11,"screen, grill",
"""

COURSE = """# Water seminar

2 credits, taught in spring. The seminar meets on Tuesdays at 2:00 PM in Kestrel Hall. There is no meeting on
March 24, 2026.

## Teacher

The seminar is taught by Professor Lena Hoyt. Write to l.hoyt@kestrel.example.

## Late work

A late essay loses a tenth of its points for each day.

## Helpers

Teaching assistants get free copies. A jury has five members.

## Essays

Apply to Joris Pell by March 20, 2026 if you want to write on the sea.
"""

STEPS = """# Winding up

## Leaving in June

### Bachelor students

| Step | Deadline |
|---|---|
| Application to graduate | March 27, 2026 |
| Portfolio uploaded | May 4, 2026 |

### Doctoral students

| Step | Deadline |
|---|---|
| Application to graduate | March 20, 2026 |
| Dissertation uploaded | May 18, 2026 |

## Coming in autumn, Graduate School

| Program | Deadline |
|---|---|
| Bachelor programs | June 1, 2026 |
| Doctoral programs | April 1, 2026 |
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("rows")
    for name, text in (
        ("hall.md", HALL),
        ("talks.csv", TALKS),
        ("rooms.csv", ROOMS),
        ("course.md", COURSE),
        ("steps.md", STEPS),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return KnowledgeBase.load([folder])


def _asked(base: KnowledgeBase, *questions: str) -> str:
    """Return the answer to the last of some questions, which the guardrail lets through as it stands."""
    campus = Campus(base, TUESDAY)
    *_, answer = [campus.ask(question).answer for question in questions]
    review = Guardrail(refusal=REFUSAL).review(answer, question=questions[-1], evidence=campus.evidence)
    assert [fact.text for fact in review.unsupported] == [], answer
    return answer


@pytest.mark.parametrize(
    ("questions", "part", "other"),
    [
        (("when does kestrel hall close today",), "Day: Tuesday; Closes: 7:00 PM", "Sunday"),
        (("when does kestrel hall close on friday",), "4:00 PM", "7:00 PM"),
        (("is the kitchen open now", "till when on friday"), "noon", "in 3 days"),
        (("is the kitchen open now", "what time on friday"), "noon", "in 3 days"),
        (("what talk is on march 10", "who is the speaker"), "Orla Finch", "Bram"),
        (("what is the subject today",), "Rivers", "Lakes"),
        (("who is the speaker on march 17",), "Sana Virk", "Bram"),
        (("who is the hall keeper", "whats her email"), "runa@kestrel.example", "tickets@"),
        (("who is the hall keeper", "and her phone number?"), "555-0171", "555-0172"),
        (("when do doctoral students have to apply to graduate", "and bachelor students"), "March 27", "June"),
        (("when do phd students have to apply to graduate",), "March 20", "April"),
        (("can i take drums home",), "may not leave", "Loan"),
        (("can i take drums home", "how long can i have them"), "3 days", "2 weeks"),
    ],
)
def test_the_day_row_or_person_that_is_spoken_of_is_kept(base, questions, part, other):
    answer = _asked(base, *questions)
    assert part in answer
    assert other not in answer


def test_whoever_speaks_twice_has_both_days_named(base):
    answer = _asked(base, "when does orla finch speak")
    assert "2026-02-24" in answer
    assert "2026-03-10" in answer


@pytest.mark.parametrize(
    "questions",
    [
        ("who is the speaker",),  # every row of the table has a speaker
        ("whats professor hoyts phone number",),
        ("who is the music tutor", "whats his email"),
        ("is there extra credit",),
        ("till when on friday",),  # nothing was spoken of
        ("can i hire a car at the hall",),
        ("whats the biggest room",),  # one row does not tell
        ("who is the speaker tomorrow",),  # the talks are on other days
    ],
)
def test_what_stands_nowhere_of_the_thing_in_question_is_not_told_of_another(base, questions):
    assert _asked(base, *questions) == REFUSAL


@pytest.mark.parametrize(
    ("questions", "part"),
    [
        (("hwo many members has a jury",), "five members"),
        (("how many ppl are on a jury",), "five members"),
        (("do TAs get free copies",), "Teaching assistants get free copies"),
        (("who do i write to for an essay on the sea",), "Joris Pell"),
        (("i hand in the essay late, what happens",), "a tenth of its points"),
        (("can we have a lesson outdoors if the wind is 50 km/h",), "above 40 km/h"),
        (("i owe 20 dollars can i still borrow",), "cannot borrow"),
        (("when is the evening of songs", "who pays"), "The alumni office pays"),
        (("do we have class on march 24",), "no meeting on March 24"),
        (("whats more expensive the attic or the cellar",), "The cellar is more expensive."),
    ],
)
def test_a_question_in_other_words_or_with_an_amount_of_its_own_is_answered(base, questions, part):
    assert part in _asked(base, *questions)


def test_a_thing_without_what_another_row_has_is_told_with_what_it_has(base):
    assert _asked(base, "does the cellar have a piano") == "This is all that I found. Room: Cellar; Equipment: none."


def test_that_a_place_is_open_is_nothing_that_is_on(base):
    assert "Opens" not in _asked(base, "whats on tomorrow")


def test_a_draft_that_was_sent_back_is_quoted_of_the_same_day(base):
    campus = Campus(base, TUESDAY)
    campus.ask("is kestrel hall open today")
    campus.messages.append(UserMessage('Your draft states what no tool returned: "7 PM". Write the answer again.'))
    reply = campus.model.reply(campus.request())
    assert "Day: Tuesday" in reply.text
    assert "It is" not in reply.text
