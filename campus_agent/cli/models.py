"""`campus-agent models`: what the configured server offers."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from campus_agent.cli.flags import Command, loaded
from campus_agent.cli.output import as_json, aside, result
from campus_agent.errors import SettingsError
from campus_agent.text import one_line

if TYPE_CHECKING:
    from campus_agent.models.providers import Endpoint
    from campus_agent.settings import Settings


@click.command(cls=Command)
@click.option("--json", "one_object", is_flag=True, help="Print one JSON object instead.")
@click.pass_context
def models(context: click.Context, one_object: bool) -> int:
    """List the models that the configured server offers, the chosen one marked with *."""
    settings = loaded(context).settings
    endpoint = _endpoint(settings)
    if endpoint:
        import asyncio

        names, chosen = asyncio.run(_served(endpoint, settings)), endpoint.model
    else:
        names, chosen = _offline()
    if one_object:
        provider, address = (endpoint.provider, endpoint.base_url) if endpoint else ("offline", None)
        as_json({"provider": provider, "base_url": address, "models": names, "chosen": chosen})
        return 0
    for name in names:
        result(f"{'*' if name == chosen else ' '} {one_line(name)}")
    aside(_remark(endpoint, names, chosen))
    return 0


def _endpoint(settings: Settings) -> Endpoint | None:
    """Return where to ask; a hosted server, which needs a model to be named, can be asked for its list without one."""
    from campus_agent.models.providers import resolve

    try:
        return resolve(settings, os.environ)
    except SettingsError:
        if settings.model:
            raise
        named = resolve(settings.model_copy(update={"model": "any"}), os.environ)
        return replace(named, model=None) if named else None


async def _served(endpoint: Endpoint, settings: Settings) -> list[str]:
    from campus_agent.models.openai_chat import OpenAIChatModel

    model = OpenAIChatModel(endpoint, first_byte_timeout=settings.first_byte_timeout)
    try:
        return await model.models()
    finally:
        await model.aclose()


def _offline() -> tuple[list[str], str]:
    from campus_agent.models.offline.model import OfflineModel

    return [OfflineModel.name], OfflineModel.name


def _remark(endpoint: Endpoint | None, names: list[str], chosen: str | None) -> str:
    """Say in a line what the list does not."""
    if endpoint is None:
        return "The offline model is the one there is; it needs no server. For others: --provider or --base-url."
    if not names:
        return f"{endpoint.label} lists no models."
    if not chosen:
        return "No model is named; choose one with --model."
    if chosen not in names:
        return f"{one_line(chosen)}, the model that is chosen, is not among them."
    return f"{len(names)} model{'' if len(names) == 1 else 's'} on {endpoint.label}"
