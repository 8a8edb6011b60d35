"""Notifications: each said once, few at a time, and no longer than can be read where the terminal is small."""

from __future__ import annotations

from textual.app import App
from textual.notifications import Notify, SeverityLevel

from campus_agent.text import one_line, sanitize

_LONGEST = 1_500  # characters
_MOST = 3
_NARROW, _LOW = 30, 10  # cells, lines; a smaller terminal has room for one line


class Notifying(App[int]):
    """An app whose notifications do not pile up: the newest few are shown, and what is said again is shown once."""

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a notification: whoever wrote it, as text that is made safe, and no longer than can be read."""
        said, title = sanitize(message[:_LONGEST]), one_line(title, 80)
        if self._small:
            said, title = one_line(f"{title}: {said}" if title else said, max(2, self.size.width - 3)), ""
        super().notify(said, title=title, severity=severity, timeout=timeout, markup=False)

    def on_notify(self, event: Notify) -> None:
        """Make room for a notification: the same one from before goes, and the oldest of too many."""
        others, new = list(self._notifications), event.notification
        same = [old for old in others if (old.title, old.message) == (new.title, new.message)]
        kept = [old for old in others if old not in same]
        most = 0 if self._small else _MOST - 1
        for old in [*same, *kept[: max(0, len(kept) - most)]]:
            self._unnotify(old, refresh=False)

    @property
    def _small(self) -> bool:
        return self.size.width < _NARROW or self.size.height < _LOW
