"""Whether a question asks about the classes of a day, whichever they are."""

from __future__ import annotations

import re

from campus_agent.knowledge.words import fold
from campus_agent.models.offline.question import Kind, Question
from campus_agent.models.offline.vocabulary import MONTHS, SOFT_WORDS

_WHAT_WE_DO = re.compile(
    r"^(?:and |so )?what (?:are|do|will|did) (?:we|you|they)\b.*"
    r"\b(?:do|doing|cover|covering|learn|learning|have|having)\b",
    re.IGNORECASE,
)
# "Is there school on Monday?", "classes on October 12?": about no class or school of its own.
_HELD = re.compile(
    r"^(?:(?:and|so|but)\W+)*(?:(?:is|are|will) there (?:be )?|do (?:we|i|you) (?:still )?have |(?:is|are) )?"
    r"(?:any |still )*(?:the )?(?:school|class|classes|college|campus|university|lectures?)"
    r"(?: held| on| off| open| closed| in session| cancel\w*)?\b"
    rf"(?= (?:on|today|tonight|tomorrow|this|next|the|mon|tue|wed|thu|fri|sat|sun|{'|'.join(MONTHS)})|\W*$)",
    re.IGNORECASE,
)


def kind_of_classes(question: Question) -> Kind | None:
    """Return the kind of a question about the classes of a day, whichever they are; None for any other."""
    if not question.moment.names_day or any(fold(key) not in SOFT_WORDS for key in question.keys):
        return None
    if _HELD.match(question.text):
        return Kind.HELD
    return Kind.AGENDA if _WHAT_WE_DO.match(question.text) else None
