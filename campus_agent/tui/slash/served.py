"""Which models the server in the settings offers, for completing their names."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING

from campus_agent.errors import CampusAgentError

if TYPE_CHECKING:
    from campus_agent.settings import Settings

_PATIENCE = 3.0  # seconds; a list that takes longer is no help while typing


class ServedModels:
    """Asks the server that the settings name for its models, once, and remembers what it said.

    Calling it waits for the server, at most some seconds, so it belongs in a thread.
    """

    def __init__(self, settings: Callable[[], Settings | None]) -> None:
        """Take what says which settings are in force, None while they are being read."""
        self._settings = settings
        self._known: dict[tuple[str | None, str | None], tuple[str, ...]] = {}
        self._one_at_a_time = Lock()

    def __call__(self) -> tuple[str, ...]:
        """Return the names; none for the offline model, or when the server does not answer in time."""
        settings = self._settings()
        if settings is None:
            return ()
        server = (settings.provider, settings.base_url)
        with self._one_at_a_time:
            if server not in self._known:
                try:
                    self._known[server] = asyncio.run(_listed(settings))
                except CampusAgentError:
                    self._known[server] = ()
            return self._known[server]


async def _listed(settings: Settings) -> tuple[str, ...]:
    from campus_agent.models.openai_chat import OpenAIChatModel
    from campus_agent.models.providers import resolve

    # A hosted server wants a model to be named, whichever, and is asked for its list without one all the same.
    endpoint = resolve(settings if settings.model else settings.model_copy(update={"model": "any"}), os.environ)
    if endpoint is None:
        return ()
    model = OpenAIChatModel(endpoint, first_byte_timeout=_PATIENCE, request_retries=0)
    try:
        return tuple(await model.models())
    finally:
        await model.aclose()
