"""What a question wants to be told: a time, a place, a person, a price."""

from __future__ import annotations

import re

from campus_agent.models.offline.question import Want

_ASKS = re.compile(r"\b(?:what|who|which|how|why|should|do i|need)\b", re.IGNORECASE)
_WANTS = (
    (Want.WHERE, r"\b(?:what|which) (?:room|building|floor|place|street)\b|\blocated\b|\blocation\b|\baddress\b"
                 r"|\bdirections?\b|\bget to\b"),
    (Want.WHEN, r"\bwhat (?:time|days?|hours)\b|\bwhich days?\b|\bhow (?:often|late|early)\b|\buntil when\b"
                r"|\bhow long (?:is|are)\b.*\bopen\b"
                r"|^(?:and |so )?(?:what is )?(?:the )?(?:first|last|final) day (?:of|to|for)\b"),
    (Want.WHO, r"\bwho\b|\bwhom\b|\bwhose\b"),
    (Want.COST, r"\bhow much\b|\bcosts?\b|\bprices?\b|\bwhat (?:is|are)\b.*\bfees?\b|^(?:is|are)\b.*\bfree\b"),
    (Want.CONTACT, r"\bphone\b|\be-?mail\b|\btelephone\b|\bwebsite\b|\bhow (?:do|can) i (?:contact|reach)\b"),
    (Want.NUMBER, r"\bhow many\b|\bwhat percent(?:age)?\b|\bhow much\b.*(?:\bworth\b|\bof (?:the|my|our) grade\b)"),
    (Want.CONTACT, r"\bwho (?:do|should|can|must) (?:i|we) (?:call|contact|phone|ask|tell|e-?mail|write|talk|speak)\b"),
    (Want.HOW_TO_JOIN, r"\bhow (?:do|can|could|would|should|to)\b.*\b(?:join|register|sign up|enroll?|become)\b"),
)  # fmt: skip

# A room that is named without a question for anything else: "room of the workshop".
_ROOM = re.compile(r"^(?!how\b|can\b|could\b|do\b|does\b|may\b).*\broom\b", re.IGNORECASE)

_WHO_HAS = re.compile(
    r"^(?:(?:and|so) )?(?:who(?: else)?|which \w+s) (?:has|have|holds?|offers?|keeps?|works?)\b", re.IGNORECASE
)

# Help may come from what is no person, and be had where no place is said.
_NOT_WANTED = (
    (Want.WHO, r"\bwho (?:can |could |will |may )?(?:helps?|assists?|supports?)\b"),
    (Want.WHERE, r"\bwhere (?:can|could|do|may|might) (?:i|we|students?) (?:learn|study|(?:get|find|ask for) help)\b"),
)


def wants_of(text: str, *, counts: bool, opening: bool) -> frozenset[Want]:
    """Return what a question wants.

    Args:
        text: the question.
        counts: whether it asks how long it is until something.
        opening: whether it speaks of opening or closing.
    """
    wants = {want for want, pattern in _WANTS if re.search(pattern, text, re.IGNORECASE)}
    wants |= {want for word, want in (("when", Want.WHEN), ("where", Want.WHERE)) if _asks(text, word)}
    wants -= {want for want, pattern in _NOT_WANTED if re.search(pattern, text, re.IGNORECASE)}
    if Want.NUMBER in wants:
        wants -= {Want.COST} if "how many" not in text.casefold() else set()
        wants -= {Want.NUMBER} if counts else set()
    if not wants and opening:
        wants.add(Want.WHEN)
    if not wants and _ROOM.search(text):
        wants.add(Want.WHERE)
    return frozenset(wants)


def asks_who_has(text: str) -> bool:
    """Say whether a question asks who of several has, holds or offers something."""
    return _WHO_HAS.match(text) is not None


def _asks(text: str, word: str) -> bool:
    """Say whether `when` or `where` asks; in "what do I bring when I come" it does not."""
    found = re.search(rf"\b{word}\b", text, re.IGNORECASE)
    if found is None:
        return False
    before = text[: found.start()]
    return not _ASKS.search(before) or re.search(r"\b(?:and|or|know|tell me)\s*$", before, re.IGNORECASE) is not None
