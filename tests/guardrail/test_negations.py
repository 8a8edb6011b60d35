from __future__ import annotations

import pytest

from tests.guardrail.test_values_within_a_passage import unsupported

EXHIBIT = "The exhibit is open daily except on holidays."
KILN = "Only members may use the kiln."
ESSAYS = "Late essays are not accepted after June 3."
VAULT = "The vault is closed on Tuesdays."
GOWNS = "Do not take gowns home. They are cleaned on campus."
RELIEF = "The fund gives up to $400. It is a grant and is not paid back."
LECTURE = "The guest lecture is cancelled. The poetry night takes place."
FAIR = "The book fair takes place in the quad. A stall booking can be cancelled until May 2."

WRONG = [
    (EXHIBIT, "The exhibit is open on holidays."),
    (EXHIBIT, "You can visit the exhibit on holidays."),
    (EXHIBIT, "The exhibit is closed except on holidays."),
    (KILN, "Non-members may use the kiln."),
    (KILN, "Members may not use the kiln."),
    (ESSAYS, "Essays can be handed in after June 3."),
    (ESSAYS, "Late essays are accepted after June 3."),
    (VAULT, "The vault is not closed on Tuesdays."),
    (GOWNS, "Yes, you can take your gowns home to clean."),
    (RELIEF, "Yes, you have to pay back the fund."),
    (RELIEF, "You must pay it back."),
    (LECTURE, "The guest lecture takes place."),
    (LECTURE, "The guest lecture goes ahead as planned."),
    (LECTURE, "The guest lecture is not cancelled."),
    (LECTURE, "The poetry night is cancelled."),
    (FAIR, "The book fair is cancelled."),
]
RIGHT = [
    (EXHIBIT, "The exhibit is closed on holidays."),
    (EXHIBIT, "The exhibit is not open on holidays."),
    (EXHIBIT, "The exhibit is open daily except on holidays."),
    (KILN, "Non-members may not use the kiln."),
    (KILN, "Members may use the kiln."),
    (ESSAYS, "Essays are accepted until June 3."),
    (ESSAYS, "Essays cannot be handed in after June 3."),
    (VAULT, "The vault is not open on Tuesdays."),
    (VAULT, "The vault is closed on Tuesdays."),
    (GOWNS, "No, do not take your gowns home."),
    (RELIEF, "No, it is a grant and is not paid back."),
    (RELIEF, "The fund does not have to be paid back."),
    (LECTURE, "The guest lecture will not take place."),
    (LECTURE, "The poetry night takes place."),
    (FAIR, "The book fair does not take place in the gym."),
    (FAIR, "A booking cannot be cancelled after May 2."),
]
ASKED = {GOWNS: "Can I take my gowns home to clean?", RELIEF: "Do I have to pay back the fund?"}


@pytest.mark.parametrize(("text", "draft"), WRONG)
def test_what_a_passage_denies_in_other_words_may_not_be_affirmed(text: str, draft: str) -> None:
    assert unsupported("Rules", text, ASKED.get(text, "What are the rules?"), draft)


@pytest.mark.parametrize(("text", "draft"), RIGHT)
def test_what_a_passage_denies_may_be_denied_in_other_words(text: str, draft: str) -> None:
    assert not unsupported("Rules", text, ASKED.get(text, "What are the rules?"), draft)
