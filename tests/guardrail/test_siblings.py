from __future__ import annotations

import pytest

from tests.guardrail.test_values_said_otherwise import _unsupported

FEES = "- Kiln › Fees: A shelf costs $14 a month for members and $22 a month for guests. (k.md, line 1)"
ABROAD = "- Abroad › Dates: Apply by March 3 for the fall term and by October 9 for the spring term. (a.md, line 1)"
HALLS = "- Halls › Booking: Bookings need 3 working days, or 12 if a sound system is used. (h.md, line 1)"
RATES = (
    "- Rates (table): Hall: Birch | Room: single | Rent: $4,100. Hall: Birch | Room: double | Rent: $3,300. "
    "Hall: Maple | Room: single | Rent: $4,500. Hall: Maple | Room: double | Rent: $3,700. (r.csv, rows 1-4)"
)
HUTS = (
    "- Huts (table): Hut: Osprey Lodge | Valley: Upper Tarn | Heating: wood. "
    "Hut: Finch Hut | Valley: Lower Tarn | Heating: gas boiler. (h.csv, rows 1-2)"
)
COURSES = (
    "- Courses (table): Course: Arabic 1 | Room: Voss 210 | Fee: $90. "
    "Course: Arabic 2 | Room: Voss 212 | Fee: $110. (lang.csv, rows 1-2)"
)
DESK = "- Desk › Hours (table): Term: Mon–Fri 9 AM–6 PM. Summer: Tue, Thu 10:00 AM–1:00 PM only. (d.md, table)"
PLACES = (
    "- Tutors › Places: Main: Sorrel Hall, Mon–Fri 10 AM–6 PM. "
    "Satellite: Dunlin Dorm lounge, Sun–Wed 7–10 PM, no booking needed. (loc.md, line 1)"
)
VAN = "- Van › Fare: The van is $3, cash only. (v.md, line 1)"
TRAM = "- Tram › Fares: Single trip: $3.10 paper, $2.70 in the app. Day pass: $8. (t.md, table)"
BADGES = (
    "- Access › Badges: Badges cost $15 and are ordered online. (b.md, line 1)\n"
    "- Access › Desk: The desk is in Room 14 of Alder Hall, Mon–Fri 9 AM–5 PM. (d.md, line 1)"
)
SEASON = (
    "- Season (table): Show: Paper Moons | Hall: Quay | Dates: May 6–16. "
    "Show: The Ferry | Hall: Quay | Dates: Apr 2–12. (s.csv, rows 1-2)"
)
CLOCK = "Wednesday, April 07, 2027 at 2:05 PM EDT"


@pytest.mark.parametrize(
    ("passage", "question", "draft"),
    [
        (FEES, "What does a shelf cost?", "Members pay $14 a month for a shelf, guests $22."),
        (ABROAD, "deadlines abroad", "- Fall: March 3\n- Spring: October 9"),
        (HALLS, "notice for a hall", "Normally 3 working days; with a sound system it's 12."),
        (RATES, "rents at Maple", "At Maple:\n\n- Single: $4,500\n- Double: $3,700"),
        (RATES, "cheaper single?", "Birch has the cheaper single."),
        (HUTS, "Tell me about Osprey Lodge", "**Osprey Lodge**\n- Valley: Upper Tarn\n- Heating: wood"),
        (
            HUTS,
            "Which hut where?",
            "| Hut | Valley |\n|---|---|\n| Osprey Lodge | Upper Tarn |\n| Finch Hut | Lower Tarn |",
        ),
        (COURSES, "fees?", "| Course | Fee |\n|---|---|\n| Arabic 1 | $90 |\n| Arabic 2 | $110 |"),
        (DESK, "summer hours?", "In summer:\n- Tuesday: 10 AM–1 PM\n- Thursday: 10 AM–1 PM"),
        (PLACES, "Where can I go without booking?", "The Dunlin Dorm lounge needs no booking."),
        (VAN, "can I pay by card", "No, the van takes cash only."),
        (TRAM, "app or paper ticket, what's cheaper?", "The app is cheaper: $2.70 instead of $3.10."),
        (BADGES, "Where is the desk?", "The access desk is in Room 14 of Alder Hall."),
    ],
)
def test_what_is_said_of_the_right_row_or_clause_passes(passage: str, question: str, draft: str) -> None:
    assert _unsupported(passage, draft, question) == ()


@pytest.mark.parametrize(
    ("passage", "question", "draft"),
    [
        (FEES, "What does a shelf cost?", "Guests pay $14 a month for a shelf."),
        (RATES, "rents at Maple", "At Maple:\n\n- Single: $4,100\n- Double: $3,700"),
        (RATES, "cheaper single?", "Maple has the cheaper single."),
        (HUTS, "Tell me about Osprey Lodge", "**Osprey Lodge**\n- Valley: Upper Tarn\n- Heating: gas boiler"),
        (
            HUTS,
            "Which hut where?",
            "| Hut | Valley |\n|---|---|\n| Osprey Lodge | Upper Tarn |\n| Finch Hut | Upper Tarn |",
        ),
        (COURSES, "fees?", "| Course | Fee |\n|---|---|\n| Arabic 1 | $110 |\n| Arabic 2 | $90 |"),
        (DESK, "summer hours?", "In summer it is open Tuesday and Friday, 10 AM to 1 PM."),
        (PLACES, "Where can I go without booking?", "You don't need a booking at Sorrel Hall."),
        (TRAM, "app or paper ticket, what's cheaper?", "A paper ticket is cheaper."),
        (BADGES, "Where can I pick up a badge?", "Badges cost $15 and can be picked up in Room 14 of Alder Hall."),
    ],
)
def test_what_belongs_to_another_row_or_clause_is_found(passage: str, question: str, draft: str) -> None:
    assert _unsupported(passage, draft, question)


def test_what_is_on_at_the_date_of_the_clock_is_running_now() -> None:
    right = "Yes, The Ferry is currently running in the Quay, until April 12."
    assert _unsupported(SEASON, right, "is The Ferry on now?", CLOCK) == ()
