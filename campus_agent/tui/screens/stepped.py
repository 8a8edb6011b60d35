"""A stage whose runs can be held, stepped through, and slowed down."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import compress
from typing import TYPE_CHECKING, Any

from textual import on, work
from textual.content import Content

from campus_agent.tui.asking import Performance
from campus_agent.tui.pace import MEANINGS, Pace, RunClock, Speed
from campus_agent.tui.screens.stage import StageScreen
from campus_agent.tui.stepping import Pause, Stepping

if TYPE_CHECKING:
    from campus_agent.tui.widgets.pause_card import PauseCard

_WAYS = {
    "F8": ("step mode", "a run pauses before each model call and each tool"),
    "F7": ("slow motion", "everything stays for a moment"),
    "F9": ("big type", "F2 changes between the chat and the trace"),
}
_AROUND = 4  # cells of the line around what is said on it
_DECIDE = "Paused: Space goes on, c runs to the end, Esc stops."


class SteppedScreen(StageScreen):
    """A stage whose runs can be held and slowed down."""

    def __init__(self, *, clock: Callable[[], float]) -> None:
        """Take a clock, in seconds that only grow."""
        run_clock = RunClock(clock)
        super().__init__(clock=clock, run_clock=run_clock)
        self.pace = Pace(run_clock)
        self.stepping = Stepping(self, run_clock, on=False)

    def begin_in_steps(self) -> None:
        """Begin in step mode."""
        self.stepping.switch(True)
        if self.is_mounted:
            self._say_how()

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
        from campus_agent.tui.widgets.pause_card import PauseCard

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
        from campus_agent.tui.screens.edit_arguments import EditArgumentsScreen

        if isinstance(self.app.screen, EditArgumentsScreen):
            self.app.screen.action_leave()  # the run has ended meanwhile: there is nothing left to edit
        had_focus = self._card_has_focus
        await self.query("PauseCard").remove()
        self._say_how()
        if self.playing is not None:
            self.playing.hold(False)
        if had_focus:
            self.set_focus(None)
            if not self.stepping.holding:
                self._free_focus()

    def on_pause_card_chosen(self, message: PauseCard.Chosen) -> None:
        """Do with the run that is held what the person chose."""
        match message.choice:
            case "go":
                message.pause.go()
            case "skip":
                from campus_agent.agent.gate import Skip

                message.pause.decide(Skip())
            case "to_the_end":
                self.stepping.to_the_end()
            case "edit":
                self._edit(message.pause)

    @work(group="edit", exclusive=True, exit_on_error=False)
    async def _edit(self, pause: Pause) -> None:
        """Let the person change the arguments of the act that is held, and run it with them."""
        from campus_agent.agent.gate import BeforeAct, Go
        from campus_agent.tui.screens.edit_arguments import EditArgumentsScreen

        if isinstance(pause.coming, BeforeAct):
            tool, before = pause.coming.tool, pause.coming.arguments
            edited = await self.app.push_screen_wait(EditArgumentsScreen(tool, before, check=self._checked(tool)))
            if edited is not None:
                pause.decide(Go() if edited == before else Go(edited))

    def _checked(self, tool: str) -> Callable[[str], dict[str, Any] | str]:
        """Return what reads edited arguments as the agent will: through its gatekeeper."""

        def check(text: str) -> dict[str, Any] | str:
            from campus_agent.tui.screens.edit_arguments import read_edited

            return read_edited(tool, text, self.stepping.agent.tools if self.stepping.agent else {})

        return check

    @property
    def _typing(self) -> bool:
        """Whether the person is writing something, which a pause does not interrupt."""
        return bool(getattr(self.focused, "text", ""))

    @property
    def _card_has_focus(self) -> bool:
        from campus_agent.tui.widgets.pause_card import PauseCard

        return isinstance(self.focused, PauseCard)

    def _focus_card(self) -> None:
        for card in self.query("PauseCard"):
            if all(node.display for node in card.ancestors_with_self):
                card.focus()

    def _free_focus(self) -> None:
        """Give the focus to the prompt when nothing has it."""
        if self.focused is None or self._card_has_focus:
            self.query_one("Prompt").focus()

    # ---- the card stays in hand when the screen changes ------------------------------------------------------------

    def action_trace(self) -> None:
        """Show or hide the trace."""
        super().action_trace()
        self.rearranged()

    def action_whole(self) -> None:
        """Give the trace the whole screen, and back."""
        super().action_whole()
        self.rearranged()

    def action_big_type(self) -> None:
        """Show one thing at a time, or everything again."""
        super().action_big_type()
        self._say_how()
        self.rearranged()

    def on_resize(self) -> None:
        """Keep the card that is in sight in hand."""
        self.rearranged()
        if self.is_mounted:
            self._say_how()

    def rearranged(self) -> None:
        """Give the focus to the card that is in sight now, unless the person is typing."""
        if self.stepping.pause is not None and not self._typing:
            self.call_after_refresh(self._focus_card)

    # ---- keys ------------------------------------------------------------------------------------------------------

    def action_step_mode(self) -> None:
        """Turn step mode on or off; a pause it does not end, but goes to its card."""
        if self.stepping.pause is None:
            self.stepping.switch(not self.stepping.on)
            self._say_how()
        elif self._card_has_focus:
            self.notify(_DECIDE, markup=False)
        else:
            self._focus_card()

    def action_pace(self, speed: Speed | None = None) -> None:
        """Show runs at `speed`; with none named, change between the true pace and slow motion."""
        chosen = speed or ("true" if self.pace.speed == "slow" else "slow")
        self.pace.change(chosen)
        if speed is not None:
            self.stepping.switch(speed == "step")
        self._say_how()
        if speed is not None:
            self.notify(f"{MEANINGS[chosen].capitalize()}.", markup=False)

    async def on_mount(self) -> None:
        """Say from the start how runs are shown, and whenever the focus comes to a pause or leaves it."""
        self.watch(self, "focused", self._say_how, init=False)
        self._say_how()

    def _say_how(self) -> None:
        """Say on the line above the prompt how runs are shown, when it is not the ordinary way."""
        title = Content("  ·  ").join(map(Content, self._ways()))
        asking = self.query_one("#asking")
        if asking.border_title != title.markup:
            asking.border_title = title

    def _ways(self) -> Iterable[str]:
        """Yield how runs are shown: one way with what it means if there is room, several by their names."""
        paused = self.stepping.pause is not None
        if paused and not self._card_has_focus:  # else it is in sight, and says it itself
            yield "paused: F8 goes to the keys that decide"
        on = (self.stepping.on and not paused, self.pace.speed == "slow", self.has_class("-big"))
        for way, (name, meaning) in compress(_WAYS.items(), on):
            said = f"{name}, {way} ends it: {meaning}"
            yield said if sum(on) == 1 and not paused and len(said) <= self.size.width - _AROUND else f"{name} ({way})"
