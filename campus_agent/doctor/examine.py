"""All the checks, in the order in which one rests on another."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass

from campus_agent.doctor.asking import Server
from campus_agent.doctor.check import Check, Status
from campus_agent.doctor.server import (
    check_address,
    check_json_schema,
    check_key,
    check_model,
    check_native_tools,
    check_streaming,
)
from campus_agent.doctor.surroundings import (
    Surroundings,
    Terminal,
    check_clock,
    check_knowledge_base,
    check_semantic,
    check_terminal,
)
from campus_agent.errors import SettingsError
from campus_agent.models.providers import Endpoint, resolve
from campus_agent.settings import Settings


@dataclass(frozen=True, slots=True)
class _ServerCheck:
    """A check of the server; when an essential one fails, those after it cannot be made."""

    name: str
    look: Callable[[Server], Awaitable[Check]]
    essential: bool = False


_SERVER = (
    _ServerCheck("address", check_address, essential=True),
    _ServerCheck("key", check_key, essential=True),
    _ServerCheck("model", check_model, essential=True),
    _ServerCheck("streaming", check_streaming),
    _ServerCheck("native tools", check_native_tools),
    _ServerCheck("JSON schema", check_json_schema),
)
_SURROUNDINGS = (check_clock, check_knowledge_base, check_semantic, check_terminal)


async def examine(settings: Settings, environ: Mapping[str, str], terminal: Terminal) -> AsyncGenerator[Check]:
    """Make every check, and yield each as it was made; one that cannot be made is yielded as skipped.

    Args:
        settings: what a run would use; its two timers of a reply bound each request to the server.
        environ: where keys come from.
        terminal: where the app would be drawn.
    """
    try:
        endpoint = resolve(settings, environ)
    except SettingsError as error:
        yield Check.failed("provider", error)
        for one in _SERVER:
            yield _skipped(one.name, "provider")
    else:
        yield _provider(endpoint)
        async for check in _of_server(endpoint, settings):
            yield check
    around = Surroundings(settings, terminal, environ)
    for look in _SURROUNDINGS:
        yield await look(around)


async def _of_server(endpoint: Endpoint | None, settings: Settings) -> AsyncGenerator[Check]:
    if endpoint is None:
        for one in _SERVER:
            yield Check(one.name, Status.NOT_APPLICABLE, "the offline model needs no server")
        return
    server, broken = Server(endpoint, settings), ""
    for one in _SERVER:
        if broken:
            yield _skipped(one.name, broken)
            continue
        check = await one.look(server)
        yield check
        if one.essential and check.status is Status.FAILED:
            broken = one.name


def _provider(endpoint: Endpoint | None) -> Check:
    if endpoint is None:
        return Check("provider", Status.OK, "offline model (not a language model)")
    return Check("provider", Status.OK, f"{endpoint.label}, model {endpoint.model or 'not named: the first it lists'}")


def _skipped(name: str, because: str) -> Check:
    return Check(name, Status.SKIPPED, f"skipped: the {because} has to work first")
