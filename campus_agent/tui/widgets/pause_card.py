"""The card of a run that is held: what is about to happen, and the keys that decide."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from campus_agent.agent.events import AnswerWithdrawn, Event, Observed, StepStarted
from campus_agent.agent.gate import BeforeAct, BeforeModel, Purpose
from campus_agent.text import plural
from campus_agent.tui.keys import KEYS, bindings
from campus_agent.tui.record import Record
from campus_agent.tui.stepping import Pause
from campus_agent.tui.widgets.following import FollowingPane
from campus_agent.tui.widgets.row import Paragraph, Row
from campus_agent.tui.words import flowing, line, unbroken, wrapped

Choice = Literal["go", "skip", "edit", "to_the_end"]
_PAUSED = Content.styled("‖ paused", "$primary bold")
_ONLY_ACTS = ("choose('skip')", "choose('edit')")
_DIM = "$muted"
_ASIDE: dict[Purpose, str] = {
    "step": "",
    "plan": "for a plan",
    "critic": "to criticise the draft",
    "rewrite": "to write the draft anew",
    "verifier": "whether the draft stands in what was observed",
}
_LONGEST = 300  # characters of an argument


class PauseCard(Vertical, can_focus=True):
    """The card of a run that is held. It takes the focus, so that its keys do not type into the prompt."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("pause")
    key_place = "pause"

    @dataclass
    class Chosen(Message):
        """The person decided."""

        pause: Pause
        choice: Choice

    def __init__(self, pause: Pause, record: Record) -> None:
        """Take the pause and what has happened in the run so far."""
        self._pause = pause
        self._seen = False
        self.key_words = dict.fromkeys(_ONLY_ACTS, "") if isinstance(pause.coming, BeforeModel) else {}
        super().__init__(Row(_PAUSED, _coming(pause.coming, record)), _Keys(_keys(self.key_words)))

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the card; only from then on it takes a key: one that came before was pressed for something else."""
        self._seen = True
        return super().render_lines(crop)

    def action_choose(self, choice: Choice) -> None:
        """Decide, once the card has been seen; a model call can neither be skipped nor edited."""
        if not self._seen:
            return
        if f"choose('{choice}')" not in self.key_words:
            self.post_message(self.Chosen(self._pause, choice))
        else:
            self.notify("Only a tool call can be skipped or edited.", markup=False, timeout=3)

    def focus(self, scroll_visible: bool = True) -> Self:
        """Take the focus and come into sight: all of it, or, where there is no room for that, its end with the keys."""
        super().focus(scroll_visible=False)
        if scroll_visible:
            self.query_ancestor(FollowingPane).follow()
        return self

    def on_click(self, event: Click) -> None:
        """Take the focus."""
        event.stop()
        self.focus()


class _Keys(Widget):
    """The keys that decide, none of them broken across lines; a click on one does what it does."""

    def __init__(self, keys: Content) -> None:
        super().__init__(classes="keys")
        self._said = keys

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(wrapped(self._said, width))

    def render(self) -> Content:
        return flowing(self._said, self.content_size.width)

    def action_choose(self, choice: Choice) -> None:
        self.query_ancestor(PauseCard).action_choose(choice)


def _keys(words: Mapping[str, str]) -> Content:
    """Return the keys that decide, each of which can be clicked."""
    shown = [key for key in KEYS if key.place == "pause" and words.get(key.action, key.word)]
    said = [
        *((key.action, key.label, key.word) for key in shown),
        ("screen.stop", "Esc", "stop"),
    ]
    return Content("  ").join(
        Content.from_markup(f"[@click={action}][$primary bold]{label}[/]{unbroken(f' {word}')}[/]")
        for action, label, word in said
    )


def _coming(coming: BeforeModel | BeforeAct, record: Record) -> list[Paragraph]:
    match coming:
        case BeforeModel(step, of, "step"):
            last = " (the last)" if step == of else ""
            return [
                Paragraph(Content.styled(f"before step {step} of {of}{last}: the model is asked", "bold")),
                *_prompt(record),
            ]
        case BeforeModel(purpose=purpose):
            return [Paragraph(Content.styled(f"before the model is asked {_ASIDE[purpose]}", "bold"))]
        case BeforeAct(tool=tool, arguments=arguments):
            return [
                Paragraph(Content.assemble(("before running ", "bold"), line(tool, 80, "bold $acting"))),
                *(
                    Paragraph(
                        line(json.dumps(value, ensure_ascii=False, default=str), _LONGEST),
                        line(name, 24, _DIM) + Content("  "),
                    )
                    for name, value in arguments.items()
                ),
            ]


def _prompt(record: Record) -> Iterable[Paragraph]:
    """Say how large the prompt is that the model is about to read, and what is new in it."""
    started = [event for event in record.events if isinstance(event, StepStarted)]
    sizes = [event.prompt_chars for event in started[-2:] if event.prompt_chars is not None]
    if sizes:
        grown = f", {sizes[-1] - sizes[0]:+,} since the last call" if len(sizes) == 2 else ""
        yield Paragraph(Content(f"{plural(sizes[-1], 'character')}{grown}"), Content.styled("prompt  ", _DIM))
    for position, said in enumerate(_new(record.events, len(started))):
        yield Paragraph(said, Content.styled("new     " if position == 0 else " " * 8, _DIM))


def _new(events: Iterable[Event], step: int) -> list[Content]:
    """Return what was added to the prompt since the last call, in words."""
    if step <= 1:
        return [Content("your question, under the instructions and the list of tools")]
    found: list[Content] = []
    for event in events:
        match event:
            case Observed() if event.step == step - 1:
                found.append(line(event.tool, 60) + Content(_became(event)))
            case AnswerWithdrawn(reason="rejected") if event.step == step - 1:
                found.append(Content("the draft was sent back: something in it is not supported"))
    return found or [Content("a word on how to go on")]


def _became(event: Observed) -> str:
    return " was skipped" if event.status == "skipped" else f" returned {plural(event.length, 'character')}"
