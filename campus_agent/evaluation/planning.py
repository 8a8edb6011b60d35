"""Settles how each case is played: on which base, at which moment, with which settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from campus_agent.assemble import About, assemble
from campus_agent.evaluation.case import Case, Suite
from campus_agent.evaluation.playing import Planned
from campus_agent.evaluation.suite import check_tools
from campus_agent.layers import Loaded
from campus_agent.settings import Settings


@dataclass(frozen=True, slots=True)
class Plan:
    """The cases as they are played, and what is said of each assistant that plays some of them.

    Attributes:
        cases: in the order of the suites.
        assistants: one for each base.
        model: the model's name; "" while a server has not been asked for it.
        provider: who serves it.
    """

    cases: tuple[Planned, ...]
    assistants: tuple[About, ...]
    model: str
    provider: str


def plan(suites: Sequence[Suite], load: Callable[..., Loaded]) -> Plan:
    """Plan the cases of suites; `load` reads the settings, with further flags such as `kb` when there are any.

    A flag wins over the case, the case over its suite, and the suite over all other settings. One assistant for each
    base is built on trial, so that what cannot work is said before anything is asked.

    Raises:
        SettingsError: a setting cannot be met, or a case names a tool that is not offered.
        KnowledgeError: a base has nothing to search.
    """
    given = load()
    of_bases: dict[tuple[str, ...], Loaded] = {}
    planned: list[Planned] = []
    for suite in suites:
        for case in suite.cases:
            kb = () if given.origins["kb"] == "flag" else case.kb
            if kb not in of_bases:
                of_bases[kb] = load(kb=kb) if kb else given
            planned.append(Planned(str(suite.name), case, _settled(of_bases[kb], case)))
    assistants = [assemble(one.settings) for one in of_bases.values()]
    agent = assistants[0].agent
    check_tools(suites, tuple(agent.tools))
    about = tuple(dict.fromkeys(assistant.about for assistant in assistants))
    return Plan(tuple(planned), about, agent.model.name, agent.model.provider)


def _settled(one: Loaded, case: Case) -> Settings:
    if case.now is None or one.origins["now"] == "flag":
        return one.settings
    return one.settings.model_copy(update={"now": case.now})
