"""What is remembered of a conversation: whole turns, each with the evidence that its tools gave."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from campus_agent.guardrail.review import Evidence
from campus_agent.models.chat_model import Message
from campus_agent.text import one_line
from campus_agent.tools.tool import Source

_LONGEST = 60  # characters of a question that is let go


@dataclass(frozen=True, slots=True)
class Turn:
    """A question with all that followed, up to and with its answer.

    `evidence` holds what stays true after the run: what a search found does, what the clock said does not.
    """

    messages: tuple[Message, ...]
    evidence: tuple[Evidence, ...] = ()


class Conversation:
    """The turns that the model still sees; only whole ones are dropped, so no tool message loses its call.

    Args:
        keep: the most turns to remember; 0 makes every question a conversation of its own.
    """

    def __init__(self, keep: int) -> None:
        self._keep = keep
        self._turns: tuple[Turn, ...] = ()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Every turn that is remembered, oldest first."""
        return self._turns

    @property
    def messages(self) -> tuple[Message, ...]:
        """Everything said in them, oldest first."""
        return tuple(message for turn in self._turns for message in turn.messages)

    def remember(self, turns: Sequence[Turn]) -> str:
        """Remember these turns instead; return, in one line, which of the oldest were let go ("" for none)."""
        going = max(0, len(turns) - self._keep)
        self._turns = tuple(turns[going:])
        return _let_go(turns[:going])

    @property
    def sources(self) -> set[Source]:
        """Every passage that its evidence quotes."""
        return {source for turn in self._turns for one in turn.evidence for source in one.sources}

    def doubt(self, gone: Collection[Source]) -> None:
        """Let nothing that quotes one of these passages bear out another answer."""
        self._turns = tuple(
            replace(turn, evidence=tuple(one for one in turn.evidence if not any(s in gone for s in one.sources)))
            for turn in self._turns
        )

    def clear(self) -> None:
        """Forget everything."""
        self._turns = ()


def _let_go(turns: Sequence[Turn]) -> str:
    if not turns:
        return ""
    question = one_line(turns[0].messages[0].text, _LONGEST)
    return f'Memory: let go of "{question}"' + (f" and {len(turns) - 1} more." if turns[1:] else ".")
