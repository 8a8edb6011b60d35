"""What a question asks: its kind, what an answer must hold, the words that say what it is about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from campus_agent.models.offline.moment import Moment


class Kind(Enum):
    """What has to be done to answer."""

    HELLO = auto()
    THANKS = auto()
    ABILITIES = auto()
    CLOCK = auto()  # what day or time is it
    COUNT = auto()  # how many days until something
    COMPARE = auto()  # which of two comes first
    WEIGH = auto()  # which of two costs, counts or holds more
    ON = auto()  # is something open, or on, at a moment
    HELD = auto()  # whether there are classes at a day
    AGENDA = auto()  # what is on at a moment
    LIST = auto()  # which things of a kind are there
    LOOK_UP = auto()  # anything else


class Want(Enum):
    """What a passage must hold to be an answer."""

    WHEN = auto()
    WHERE = auto()
    WHO = auto()
    COST = auto()
    CONTACT = auto()
    NUMBER = auto()
    HOW_TO_JOIN = auto()


@dataclass(frozen=True, slots=True)
class Question:
    """A question, read.

    Attributes:
        text: the question, slips in common words put right.
        kind: what has to be done to answer it.
        wants: what a passage must hold; one of them is enough.
        keys: the words that a passage must hold to be about the same thing, as typed.
        lights: words that only help to choose between passages, as typed.
        query: keys and lights in the order typed: what to search for.
        moment: the day or time that it speaks of.
        points: whether it points with a pronoun at something said before ("where is that?").
        polar: whether it wants a yes or a no.
        opening: whether it speaks of opening or closing, not of something that takes place.
        asks_closed: whether yes would mean closed.
        negated: whether it denies what it asks ("isn't it open?"), so that a yes could mean either.
        follows: the question that it leaves its verb to ("and the library?").
    """

    text: str
    kind: Kind
    wants: frozenset[Want]
    keys: tuple[str, ...]
    lights: tuple[str, ...]
    query: str
    moment: Moment
    points: bool
    polar: bool
    opening: bool
    asks_closed: bool
    negated: bool = False
    follows: Question | None = None

    @property
    def asks(self) -> str:
        """The text that says what is wanted: its own, or that of the question that it follows."""
        return self.follows.asks if self.follows else self.text

    @property
    def leans_back(self) -> bool:
        """Whether what it is about was said before, if anywhere."""
        return self.points or not self.keys
