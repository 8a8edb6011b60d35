"""Wires settings, model, tools, knowledge and guardrail into an agent: the one place that knows them all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campus_agent.agent.agent import Agent
from campus_agent.agent.instructions import instructions
from campus_agent.errors import SettingsError
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.bounds import Stop
from campus_agent.knowledge.campus_file import CampusFile, read_campus_file, stamp_of
from campus_agent.knowledge.semantic.setting import search_by_meaning
from campus_agent.knowledge.suggestions import questions_of, topics_of
from campus_agent.layers import base_paths
from campus_agent.models.chat_model import ChatModel
from campus_agent.settings import REFUSAL, Settings
from campus_agent.text import one_line, plural
from campus_agent.tools.calendar import calendar_tools
from campus_agent.tools.campus import FollowedBase, search_tool
from campus_agent.tools.clock import CampusClock, clock_tool
from campus_agent.tools.tool import Tool


@dataclass(frozen=True, slots=True)
class About:
    """What a screen says of an assistant.

    Attributes:
        model: the model, such as "offline model (not a language model)".
        base: the knowledge base, such as "USC demo, 7 passages".
        questions: questions to begin with.
        problems: what could not be used of the base or the environment, a line each.
        topics: what the assistant is for.
        brief: the model where there is little room; "" for the part of `model` before a bracket.
    """

    model: str
    base: str
    questions: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    brief: str = ""


@dataclass(frozen=True, slots=True)
class Assistant:
    """An agent ready to be asked, and what a screen says of it."""

    agent: Agent
    about: About


def assemble(
    settings: Settings,
    *,
    tools: Sequence[Tool] = (),
    environ: Mapping[str, str] = os.environ,
    stop: Stop | None = None,
) -> Assistant:
    """Build the assistant that `settings` describe, with `tools` beside the built-in ones; keys come from `environ`.

    It imports and prepares all that the first question needs, which may take a second. `stop` is asked again and again
    while the base is read; once it says True, `LoadingStopped` is raised.
    Raises `KnowledgeError` when there is nothing to search and `SettingsError` when a setting cannot be met.
    """
    paths = base_paths(settings.kb)
    clock = CampusClock(settings.zone, settings.now)
    base = KnowledgeBase.load(paths, language=settings.language, now=clock.now(), stop=stop)
    settings = settings.model_copy(update={"language": base.language})  # that of "auto" is known by now
    without_meaning = search_by_meaning(base, settings, environ)
    base.prepare()
    campus = read_campus_file(paths)
    topics = settings.topics or topics_of(base.passages)
    followed = FollowedBase(base, clock.now)
    offered = (search_tool(followed), clock_tool(clock), *calendar_tools(clock), *tools)
    model, label = _model(settings, environ)
    judges = model.provider != "offline"  # which could only judge an answer by the rules that made it
    agent = Agent(
        model,
        _chosen(offered, settings.tool_names),
        instructions=_instructions(settings, base.name, topics),
        guardrail=_guardrail(settings, base.name, topics),
        budgets=settings.budgets,
        clock=clock,
        tool_errors=settings.tool_errors,
        history_turns=settings.history_turns,
        observation_chars=settings.observation_chars,
        verifier=settings.verifier and judges,
        reflection_rounds=settings.reflection_rounds if judges else 0,
        plan=settings.plan,
        renew=None if any("://" in path for path in paths) else _Following(settings, base, campus, paths),
        gone=followed.gone,
    )
    about = About(
        model=label,
        base=f"{base.name}, {plural(len(base.passages), 'passage')}",
        questions=campus.questions or questions_of(base.passages, english=base.language == "english"),
        problems=(
            *_unused(settings, environ, offline=not judges),
            *_left_out(settings, judges=judges),
            *filter(None, (without_meaning,)),
            *map(str, base.problems),
        ),
        topics=topics,
        brief="" if judges else "offline, no language model",
    )
    return Assistant(agent, about)


class _Following:
    """Lets what a base says of itself count from the next question on, where no setting of the person says otherwise.

    A `campus.toml` that is broken, or gone with its base, leaves all as it was; the next search says so.
    """

    def __init__(self, settings: Settings, base: KnowledgeBase, campus: CampusFile, paths: Sequence[str]) -> None:
        self._settings = settings
        self._base = base
        self._campus = self._first = campus
        self._paths = paths
        self._stamp: tuple[object, ...] = ()

    def __call__(self, agent: Agent) -> None:
        stamp = stamp_of(self._paths)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        campus = read_campus_file(self._paths)
        if campus == self._campus or campus.broken:
            return
        if not all(os.path.exists(path) for path in self._paths):
            return
        self._campus = campus
        update: dict[str, Any] = {}
        if self._settings.refusal == (self._first.refusal or REFUSAL):
            update["refusal"] = campus.refusal or REFUSAL
        if self._settings.topics == self._first.topics:
            update["topics"] = campus.topics
        settings = self._settings.model_copy(update=update)
        name = campus.name or self._base.name
        topics = settings.topics or topics_of(self._base.passages)
        agent.instructions = _instructions(settings, name, topics)
        agent.guardrail = _guardrail(settings, name, topics)
        if agent.model.provider == "offline":
            agent.model = _offline(settings)


def _instructions(settings: Settings, name: str, topics: Sequence[str]) -> str:
    return settings.system_prompt or instructions(
        base=name, topics=topics, refusal=settings.refusal, additional=settings.additional_instructions
    )


def _guardrail(settings: Settings, name: str, topics: Sequence[str]) -> Guardrail:
    return Guardrail(
        mode=settings.guardrail,
        refusal=settings.refusal,
        allowed=", ".join((name, *topics)),
        language=settings.language,
    )


def _offline(settings: Settings) -> ChatModel:
    from campus_agent.models.offline.model import OfflineModel

    return OfflineModel(refusal=settings.refusal, stream=settings.stream)


def _model(settings: Settings, environ: Mapping[str, str]) -> tuple[ChatModel, str]:
    """Make the model, and say what it is."""
    from campus_agent.models.providers import resolve

    endpoint = resolve(settings, environ)
    if endpoint is None:
        return _offline(settings), "offline model (not a language model)"

    from campus_agent.models.openai_chat import OpenAIChatModel
    from campus_agent.models.protocols import with_protocol

    model = OpenAIChatModel(
        endpoint,
        stream=settings.stream,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        request_retries=settings.request_retries,
        first_byte_timeout=settings.first_byte_timeout,
        idle_timeout=settings.idle_timeout,
    )
    model.warm()
    # In the text protocol one's own prompt explains the form too, so that form is checked here.
    prompt = settings.system_prompt if settings.protocol == "text" else None
    return with_protocol(
        model, settings.protocol, prompt=prompt
    ), f"{endpoint.model} · {endpoint.label}" if endpoint.model else endpoint.label


def _unused(settings: Settings, environ: Mapping[str, str], *, offline: bool) -> Iterator[str]:
    """Say that an address in the environment, or the name of a model, is not used, because no server is named."""
    address = environ.get("NIM_BASE_URL") and not environ.get("NVIDIA_API_KEY")
    if address and not (settings.provider or settings.base_url):
        yield "NIM_BASE_URL is set, but not used without NVIDIA_API_KEY; --provider nvidia uses it without a key."
    if offline and settings.model:
        yield f"The model {one_line(settings.model, 60)} is not asked: --provider or --base-url names its server."


def _left_out(settings: Settings, *, judges: bool) -> tuple[str, ...]:
    """Say that a second look was asked for, of a model that cannot give one."""
    wanted = {"--verifier": settings.verifier, "--reflection-rounds": settings.reflection_rounds}
    asked = [flag for flag, value in wanted.items() if value]
    if judges or not asked:
        return ()
    return (
        f"{' and '.join(asked)} left out: the offline model works by rules and has no second opinion. Its answers are "
        "checked in code all the same.",
    )


def _chosen(tools: Sequence[Tool], names: Sequence[str]) -> Sequence[Tool]:
    unknown = [name for name in names if name not in {tool.name for tool in tools}]
    if unknown:
        raise SettingsError(
            f"There is no tool named {', '.join(unknown)}.",
            "tool_names asks for it.",
            f"Choose from: {', '.join(tool.name for tool in tools)}.",
        )
    return [tool for tool in tools if not names or tool.name in names]
