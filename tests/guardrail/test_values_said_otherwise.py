from __future__ import annotations

import pytest

from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.guardrail.review import Evidence
from tests.guardrail.triples import REFUSAL


def _unsupported(passage: str, draft: str, question: str, clock: str = "") -> tuple[str, ...]:
    evidence = [Evidence(tool="search_campus_info", text=passage, sources=())]
    if clock:
        evidence.append(Evidence(tool="get_current_time", text=clock, sources=()))
    review = Guardrail(refusal=REFUSAL).review(draft, question=question, evidence=evidence)
    return tuple(fact.text for fact in review.unsupported)


LOANS = "- Kit › Loans: Cameras are lent for 4 days, tripods for 9. (k.md, line 1)"
BRUNCH = "- Elm Hall › Hours: Breakfast 8–11:30, lunch 12:00–14:00. Sunday: brunch 9–13. (e.md, line 1)"
PASSES = "- Pool › Passes: A day pass is valid for 24 hours, a trial pass for 72 hours. (p.md, line 1)"
SHOP = "- Shop › Prices: Mug: $7.25. Cap: $18.50. (s.md, table)"
FILMS = (
    "- Cinema › Films (table): Film: Northern Lights | Length: 2 h 15 min. "
    "Film: Grey Sea | Length: 1 h 30 min. (c.csv, rows 1-2)"
)
LOAD = "- Registrar › Load: Part time is 6 to 11 credits. Full time is 12 to 18 credits. (r.md, line 1)"
CLINIC = (
    "- Clinic › Contact: The clinic is in Reed House 12, Mon–Fri 9 AM–4 PM. "
    "Phone 555-0144, nurse line until 9 PM daily. (c.md, line 1)"
)
HIKES = "- Hikes › Weather: Hikes are cancelled above 95 °F or in storms. Notice goes out by 7 AM. (h.md, line 1)"
DESK = "- Desk › Hours: Mon–Thu 7:30–24:00, Fri 7:30–20, Sat–Sun 10–18. (d.md, line 3)"
GARDEN = "- Garden › Rules: Each plot gives 4 work hours in spring and 3 in fall. (g.md, line 3)"
TABLE = (
    "- Labs (table): Lab: Fir | Printer: yes | Seats: 20. Lab: Oak | Printer: no | Seats: 32. "
    "Lab: Ash | Printer: yes | Seats: 12. (l.csv, rows 1-3)"
)
VAN = "- Van › Times: The van leaves at 7:10 AM, 12:30 PM and 6:45 PM from Gate 2. (v.md, line 1)"


@pytest.mark.parametrize(
    ("passage", "question", "draft"),
    [
        (LOANS, "How long is a loan?", "Tripods are lent for nine days."),
        (BRUNCH, "When is brunch?", "Sunday brunch is from 9 AM to 1 PM."),
        (PASSES, "How long is the pass good?", "The trial pass works for three days."),
        (SHOP, "price of a mug", "A mug is seven dollars and twenty-five cents."),
        (FILMS, "how long is the film", "Grey Sea is one and a half hours long."),
        (CLINIC, "How can I call the clinic?", "Call the clinic on 555-0144."),
        (HIKES, "is the hike on in heat", "Hikes don't go ahead above 95 °F."),
        (DESK, "hours on friday", "On Fridays it's open from 7:30 AM to 8 PM."),
        (GARDEN, "work hours", "Four hours in spring and three in fall."),
        (TABLE, "Which labs have a printer?", "Two labs have a printer: Fir and Ash."),
        (VAN, "When does the van go?", "There are three departures: 7:10 AM, 12:30 PM and 6:45 PM."),
    ],
)
def test_a_value_may_be_said_in_other_words(passage: str, question: str, draft: str) -> None:
    assert _unsupported(passage, draft, question) == ()


@pytest.mark.parametrize(
    ("passage", "question", "draft"),
    [
        (LOANS, "How long is a tripod loan?", "Tripods are lent for four days."),
        (BRUNCH, "When is brunch?", "Sunday brunch is from 9 AM to 3 PM."),
        (PASSES, "How long is the pass good?", "The trial pass works for two days."),
        (SHOP, "price of a cap", "A cap is eighteen dollars and twenty-five cents."),
        (FILMS, "how long is Grey Sea", "Grey Sea is two and a half hours long."),
        (LOAD, "Is 9 credits full time?", "Yes, it is."),
        (CLINIC, "How can I call the clinic?", "Call the clinic on 555-0145."),
        (DESK, "hours on friday", "On Fridays it's open from 7:30 AM to midnight."),
        (VAN, "When does the van go?", "It makes four trips a day from Gate 2."),
    ],
)
def test_another_value_in_other_words_is_found(passage: str, question: str, draft: str) -> None:
    assert _unsupported(passage, draft, question)
