"""A stage whose runs can be held, stepped through, and slowed down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual import on, work
from textual.content import Content

from campus_agent.agent.gate import BeforeAct, Go, Skip
from campus_agent.tui.asking import Performance
from campus_agent.tui.pace import MEANINGS, SPEEDS, Pace, RunClock, Speed
from campus_agent.tui.screens.edit_arguments import EditArgumentsScreen
from campus_agent.tui.screens.stage import StageScreen
from campus_agent.tui.stepping import Pause, Stepping
from campus_agent.tui.widgets.pause_card import PauseCard

_ON = "Step mode is on: a run pauses before each model call and each tool. F8 turns it off."
_OFF = "Step mode is off."


class SteppedScreen(StageScreen):
    """A stage whose runs can be held and slowed down."""

    def __init__(self, *, clock: Callable[[], float], step: bool) -> None:
        """Take a clock, in seconds that only grow, and whether to begin in step mode."""
        run_clock = RunClock(clock)
        super().__init__(clock=clock, run_clock=run_clock)
        self.pace = Pace(run_clock)
        self.stepping = Stepping(self, run_clock, on=step)

    async def perform(self, performance: Performance) -> None:
        """Perform a run; the focus that the cards of its pauses took goes back to the prompt."""
        self.stepping.begin()
        try:
            await super().perform(performance)
        finally:
            self._free_focus()

    # ---- a pause ---------------------------------------------------------------------------------------------------

    @on(Stepping.Held)
    async def _hold(self, message: Stepping.Held) -> None:
        """Show what is about to happen, in the trace and under the question: one of the two is in sight."""
        if message.pause.over or self.playing is None:
            return
        for place in (self.playing.trace, self.playing.turn):
            await place.mount(PauseCard(message.pause, self.playing.record))
        self.playing.hold(True)
        self._say_how()
        if not self._typing:
            self._focus_card()

    @on(Stepping.Released)
    async def _release(self, message: Stepping.Released) -> None:
        """Take the cards away. Until the next pause keys go nowhere: one that came too late must not be typed."""
        if isinstance(self.app.screen, EditArgumentsScreen):
            self.app.screen.action_leave()  # the run has ended meanwhile: there is nothing left to edit
        had_focus = isinstance(self.focused, PauseCard)
        await self.query(PauseCard).remove()
        self._say_how()
        if self.playing is not None:
            self.playing.hold(False)
        if had_focus:
            self.set_focus(None)
            if not self.stepping.holding:
                self._free_focus()

    @on(PauseCard.Chosen)
    def _choose(self, message: PauseCard.Chosen) -> None:
        match message.choice:
            case "go":
                message.pause.decide(Go())
            case "skip":
                message.pause.decide(Skip())
            case "to_the_end":
                self.stepping.to_the_end()
            case "edit":
                self._edit(message.pause)

    @work(group="edit", exclusive=True, exit_on_error=False)
    async def _edit(self, pause: Pause) -> None:
        """Let the person change the arguments of the act that is held, and run it with them."""
        if isinstance(pause.coming, BeforeAct):
            tool, before = pause.coming.tool, pause.coming.arguments
            edited = await self.app.push_screen_wait(EditArgumentsScreen(tool, before, check=self._checked(tool)))
            if edited is not None:
                pause.decide(Go() if edited == before else Go(edited))

    def _checked(self, tool: str) -> Callable[[str], dict[str, Any] | str]:
        """Return what reads edited arguments as the agent will: through its gatekeeper."""

        def check(text: str) -> dict[str, Any] | str:
            from campus_agent.agent.gatekeeper import judge
            from campus_agent.models.chat_model import RequestedCall

            verdict = judge(RequestedCall(tool, text), self.stepping.agent.tools if self.stepping.agent else {})
            return verdict.observation if verdict.tool is None else verdict.arguments or {}

        return check

    @property
    def _typing(self) -> bool:
        """Whether the person is writing something, which a pause does not interrupt."""
        return bool(getattr(self.focused, "text", ""))

    def _focus_card(self) -> None:
        for card in self.query(PauseCard):
            if all(node.display for node in card.ancestors_with_self):
                card.focus()

    def _free_focus(self) -> None:
        """Give the focus to the prompt when nothing has it."""
        if self.focused is None or isinstance(self.focused, PauseCard):
            self.query_one("Prompt").focus()

    # ---- the card stays in hand when the screen changes ------------------------------------------------------------

    def action_trace(self) -> None:
        """Show or hide the trace."""
        super().action_trace()
        self._follow_card()

    def action_whole(self) -> None:
        """Give the trace the whole screen, and back."""
        super().action_whole()
        self._follow_card()

    def action_big_type(self) -> None:
        """Show one thing at a time, or everything again."""
        super().action_big_type()
        self._follow_card()

    def on_resize(self) -> None:
        """Keep the card that is in sight in hand."""
        self._follow_card()

    def _follow_card(self) -> None:
        """Give the focus to the card that is in sight now, unless the person is typing."""
        if self.stepping.pause is not None and not self._typing:
            self.call_after_refresh(self._focus_card)

    # ---- keys ------------------------------------------------------------------------------------------------------

    def action_step_mode(self) -> None:
        """Turn step mode on or off; in a pause, first go back to its card when the focus is elsewhere."""
        if self.stepping.pause is not None and not isinstance(self.focused, PauseCard):
            self._focus_card()
            return
        self.stepping.switch(not self.stepping.on)
        self._say_how()
        self.notify(_ON if self.stepping.on else _OFF, markup=False, timeout=4)

    def action_pace(self, speed: Speed | None = None) -> None:
        """Show runs at `speed`; with none named, change between the true pace and slow motion."""
        chosen = speed or ("true" if self.pace.speed == "slow" else "slow")
        if chosen not in SPEEDS:
            self.notify(f"There is no such pace. There are: {', '.join(SPEEDS)}.", severity="warning", markup=False)
            return
        self.pace.change(chosen)
        if speed is not None:
            self.stepping.switch(speed == "step")
        self._say_how()
        self.notify(f"{MEANINGS[chosen].capitalize()}.", markup=False)

    async def on_mount(self) -> None:
        """Say from the start how runs are shown."""
        self._say_how()

    def _say_how(self) -> None:
        """Say on the line above the prompt how runs are shown, when it is not the ordinary way."""
        held = self.stepping.pause is not None
        said = [
            *(["paused: F8 goes to the keys that decide"] if held else ["step mode"] if self.stepping.on else []),
            *(["slow"] if self.pace.speed == "slow" else []),
        ]
        self.query_one("#asking").border_title = Content(" · ".join(said))
