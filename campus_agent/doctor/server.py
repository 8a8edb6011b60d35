"""The checks of the server and the model on it: each asks one small thing and says what came of it."""

from __future__ import annotations

import json

from campus_agent.doctor.asking import GREETING, Server
from campus_agent.doctor.check import Check, Status
from campus_agent.errors import ModelError
from campus_agent.models.chat_model import ModelRequest, Reply, ToolSchema, UserMessage
from campus_agent.models.failures import NoSchemaSupport, NoToolSupport
from campus_agent.models.providers import OWN_KEY
from campus_agent.text import one_line

_ELSEWHERE = "Use --protocol json, or --protocol text where that fails too, or a model that calls tools (--model)."
_NO_SCHEMA = "Only --protocol json needs this; use native or text."


async def check_address(server: Server) -> Check:
    """Ask for the list of models, which shows that a server answers at the address."""
    name, url = "address", server.endpoint.base_url
    try:
        names = await server.names()
    except ModelError as error:
        if server.is_out_of_reach(error):
            return Check.failed(name, error)
        if server.is_about_the_key(error):
            return Check(name, Status.OK, f"{url} answers")
        found = one_line(f"{url} answers, but gives no list of models: {error.explanation.what}")
        return Check(name, Status.WARNING, found, "If the model fails too, check --base-url (most end in /v1).")
    return Check(name, Status.OK, f"{url} answers, and lists {len(names)} model{'' if len(names) == 1 else 's'}")


async def check_key(server: Server) -> Check:
    """Greet the model and say whether the server took the key; what else may be wrong is the model's check."""
    name, endpoint = "key", server.endpoint
    variable = f"api_key ({OWN_KEY})" if endpoint.key_variable == OWN_KEY else endpoint.key_variable
    found = f"{variable} is set" if endpoint.api_key else "none is set"
    try:
        await server.greeting
    except ModelError as error:
        return Check.failed(name, error) if server.is_about_the_key(error) else Check(name, Status.OK, found)
    return Check(name, Status.OK, f"{found}, and {'accepted' if endpoint.api_key else 'none was asked for'}")


async def check_model(server: Server) -> Check:
    """Greet the model and say whether it replied."""
    name = "model"
    try:
        said = await server.greeting
    except ModelError as error:
        advice = f"{error.explanation.next} `campus-agent models` lists what there is."
        return Check.failed(name, error, advice if "--model" in advice else "")
    model = one_line(said.model, 100)
    if said.reply == Reply(usage=said.reply.usage):
        return Check(name, Status.FAILED, f"{model} replied with nothing at all", "Choose another --model.")
    return Check(name, Status.OK, _line(f"{model} replied in {said.seconds:.1f} s", *said.notes))


async def check_streaming(server: Server) -> Check:
    """Greet the model once more, streamed, and say what is different about that."""
    name = "streaming"
    if not server.settings.stream:
        return Check(name, Status.NOT_APPLICABLE, "switched off (stream)")
    whole = await server.greeting
    try:
        said = await server.ask(GREETING, stream=True)
    except ModelError as error:
        return Check.failed(name, error, "Use --no-stream: whole replies do arrive.")
    notes = [note for note in said.notes if note not in whole.notes]
    if notes:
        return Check(name, Status.WARNING, _line(*notes), "Answers do come; --no-stream saves the detour.")
    return Check(name, Status.OK, f"the reply began after {said.began:.1f} s")


async def check_native_tools(server: Server) -> Check:
    """Offer one harmless tool, ask for it to be called, and say whether it was."""
    name = "native tools"
    tool = ToolSchema(
        "look_up_word",
        "Look a word up in the dictionary.",
        {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
    )
    request = ModelRequest(
        "Answer with the tools that you have.",
        (UserMessage("Look up the word 'campus' with the tool look_up_word."),),
        (tool,),
    )
    try:
        said = await server.ask(request)
    except NoToolSupport as error:
        return Check(name, Status.WARNING, one_line(error.explanation.what), _ELSEWHERE)
    except ModelError as error:
        return Check.failed(name, error)
    if not said.reply.calls:
        found = "the model answered without calling the tool it was asked to call"
        return Check(name, Status.WARNING, found, _ELSEWHERE)
    return Check(name, Status.OK, one_line(f"the model called {said.reply.calls[0].name or 'a tool without a name'}"))


async def check_json_schema(server: Server) -> Check:
    """Ask for a reply that follows a JSON schema, and say whether it does."""
    name = "JSON schema"
    request = ModelRequest(
        "Reply in JSON.",
        (UserMessage("Say hello."),),
        reply_schema={
            "type": "object",
            "properties": {"greeting": {"type": "string"}},
            "required": ["greeting"],
            "additionalProperties": False,
        },
    )
    try:
        said = await server.ask(request)
    except NoSchemaSupport as error:
        return Check(name, Status.WARNING, one_line(error.explanation.what), _NO_SCHEMA)
    except ModelError as error:
        return Check.failed(name, error)
    if _is_greeting(said.reply.text):
        return Check(name, Status.OK, "the reply follows the schema it was given")
    return Check(name, Status.WARNING, "the reply does not follow the schema it was given", _NO_SCHEMA)


def _is_greeting(text: str) -> bool:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and list(value) == ["greeting"] and isinstance(value["greeting"], str)


def _line(*parts: str) -> str:
    return one_line("; ".join(part.rstrip(".") for part in parts))
