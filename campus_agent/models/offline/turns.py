"""The conversation as the offline model reads it: what was asked, what came back, what was answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from campus_agent.knowledge.words import fold
from campus_agent.models.chat_model import AssistantMessage, Message, ToolMessage, UserMessage
from campus_agent.models.offline.items import items_of
from campus_agent.models.offline.passages import Passage, read_found
from campus_agent.models.offline.rows import lists_people, written
from campus_agent.models.offline.sections import sections, sentences

SEARCH = "search_campus_info"

_SENT_BACK = "Your draft"  # how the loop begins when it returns a draft


@dataclass(slots=True)
class Turn:
    """A question and what followed.

    Attributes:
        question: what the person asked.
        steps: for each message of the model with tool calls, what came back: tool and observation, in the order asked.
        answer: what the model said last.
        sent_back: whether the loop returned a draft.
    """

    question: str
    steps: list[list[tuple[str, str]]] = field(default_factory=list)
    answer: str = ""
    sent_back: bool = False

    @property
    def passages(self) -> list[Passage]:
        """Every passage that the searches of this turn returned, each once."""
        texts = [text for step in self.steps for tool, text in step if tool == SEARCH]
        return list(dict.fromkeys(passage for text in texts for passage in read_found(text).passages))


def read_turns(messages: Sequence[Message]) -> list[Turn]:
    """Read the messages of a request into turns; the last is the one to answer.

    What the loop says on the person's behalf (after an observation, or about a draft) is no question.
    """
    turns: list[Turn] = []
    for before, message in zip((None, *messages), messages, strict=False):
        match message:
            case UserMessage(text) if not turns:
                turns.append(Turn(text))
            case UserMessage(text) if text.startswith(_SENT_BACK):
                turns[-1].sent_back = True
            case UserMessage(text) if isinstance(before, AssistantMessage) and not before.calls:
                turns.append(Turn(text))
            case AssistantMessage() if turns and message.calls:
                turns[-1].steps.append([])
            case AssistantMessage() if turns:
                turns[-1].answer = message.text
            case ToolMessage() if turns and turns[-1].steps:
                turns[-1].steps[-1].append((message.tool, message.text))
    return turns


def spoken_of(turns: Sequence[Turn], refusal: str) -> list[Passage]:
    """Return the passages that the last of these turns spoke of, in the order of its answer.

    They may come from the searches of earlier turns. An answer that quotes none, as another model's may, counts as
    speaking of the first passage that its turn found; the refusal line speaks of none.
    """
    if not turns or turns[-1].answer.strip() == refusal.strip():
        return []
    answer = turns[-1].answer
    known = list(dict.fromkeys(passage for turn in turns for passage in turn.passages))
    said = sorted((one for one in known if _place(one, answer) >= 0), key=lambda one: _place(one, answer))
    return [_as_told(passage, answer) for passage in said or turns[-1].passages[:1]]


def _as_told(passage: Passage, answer: str) -> Passage:
    """Return of a list of people those of whom an answer told, of a list of dates the one item that it quoted.

    Any other passage comes back as it is.
    """
    items = [item for item in items_of(passage) if fold(item.text) in fold(answer)]
    if len(items) == 1:
        return items[0]
    row = passage.row if lists_people(passage.row) else ()
    told = [cell for cell in row if fold(written([cell])) in fold(answer)]
    return replace(passage, text=written(told)) if told else passage


def _place(passage: Passage, answer: str) -> int:
    """Return where an answer quotes a part of a passage, -1 when it does not."""
    parts = [part for section in sections(passage.text) for part in (section, *sentences(section)) if len(part) > 5]
    places = [place for part in parts if (place := fold(answer).find(fold(part.rstrip(".")))) >= 0]
    cells = [place for cell in passage.row if (place := fold(answer).find(fold(written([cell])))) >= 0]
    places += [place for item in items_of(passage) if (place := fold(answer).find(fold(item.text))) >= 0]
    several = len(cells) > 1 or lists_people(passage.row)
    return min([*places, *(cells if several else [])], default=-1)  # of a row perhaps a cell, and what it is of
