"""Keys of a text field that are carried out in the order in which they were pressed."""

from __future__ import annotations

from textual import events
from textual.widget import Widget


class KeysInTurn(Widget):
    """A text field that carries out its own bindings as soon as their keys come; to be named behind Textual's field.

    Textual looks bindings up only when a key has gone from the field through everything around it to the app. Letters
    are typed at once, and so they would overtake a ⌫ or an arrow that was pressed before them.
    """

    async def on_key(self, event: events.Key) -> None:
        """Carry out what the field itself binds to the key; leave any other key to those around it."""
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            if not binding.priority and await self.app.run_action(binding.action, self):
                event.stop()
                event.prevent_default()
                return
