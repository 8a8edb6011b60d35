from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from postgres_server import Server, binaries

from campus_agent.agent.agent import Agent
from campus_agent.agent.outcome import Outcome
from campus_agent.errors import SearchFailed
from campus_agent.guardrail.guardrail import Guardrail
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.campus_file import CampusFile
from campus_agent.knowledge.passage import Passage
from campus_agent.knowledge.postgres import base as remote
from campus_agent.knowledge.postgres.address import parsed
from campus_agent.knowledge.postgres.push import push
from campus_agent.models.chat_model import RequestedCall
from campus_agent.models.scripted import ScriptedModel
from campus_agent.settings import REFUSAL
from campus_agent.tools.campus import FollowedBase, search_tool


def clubs(day: str) -> KnowledgeBase:
    return KnowledgeBase("clubs", [Passage(f"Club {n}", f"Club {n} meets on {day}.", "clubs.md", n) for n in (1, 2, 3)])


def day_of(base: KnowledgeBase) -> str:
    return base.search("club meets").passages[0].passage.text.split()[-1]


@pytest.fixture
def address(server: Server, database: str) -> str:
    push(clubs("Monday"), CampusFile(), parsed(server.address(database)))
    return server.address(database)


@pytest.fixture
def replica(server: Server) -> Iterator[Server]:
    programs = binaries()
    assert programs is not None
    one = Server(programs, copy_of=server)
    yield one
    one.remove()


def test_a_connection_that_was_closed_is_a_search_that_is_tried_again(server: Server, database: str, address: str):
    base = KnowledgeBase.load([address])
    server.disconnect(database)
    assert day_of(base) == "Monday."


def test_a_server_whose_process_is_killed_recovers_under_its_readers(server: Server, database: str, address: str):
    base = KnowledgeBase.load([address])
    (process,) = server.backends(database)
    os.kill(process, signal.SIGKILL)  # after which the server starts afresh by itself
    assert day_of(base) == "Monday."


def test_a_server_that_was_restarted_is_searched_again(server: Server, address: str):
    base = KnowledgeBase.load([address])
    server.stop()
    server.start()
    assert day_of(base) == "Monday."


def test_a_server_that_hangs_is_given_up_and_another_connection_taken(
    server: Server, database: str, address: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(remote, "_LONGEST_TRY", 0.3)
    base = KnowledgeBase.load([address])
    (process,) = server.backends(database)
    os.kill(process, signal.SIGSTOP)
    try:
        assert day_of(base) == "Monday."
    finally:
        os.kill(process, signal.SIGCONT)


async def test_an_outage_is_a_search_that_failed_and_not_nothing_found(
    server: Server, address: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(remote, "_PATIENCE", 0.2)
    base = KnowledgeBase.load([address])
    server.stop()
    try:
        with pytest.raises(SearchFailed, match=f"PostgreSQL on 127.0.0.1:{server.port} does not answer"):
            base.search("club")
        with pytest.raises(SearchFailed):
            base.refresh()
        with pytest.raises(SearchFailed):
            base.passages[0]
        model = ScriptedModel([[RequestedCall("search_campus_info", {"query": "club"}, "c1")], REFUSAL])
        guardrail = Guardrail(refusal=REFUSAL)
        agent = Agent(model, [search_tool(FollowedBase(base))], instructions="Answer.", guardrail=guardrail)
        result = await agent.ask("When does the club meet?")
    finally:
        server.start()
    assert result.outcome is Outcome.TOOL_FAILED
    assert result.steps[0].status == "error"
    assert "does not answer" in str(result.steps[0].observation)
    assert day_of(base) == "Monday."


def test_readers_go_on_with_a_replica_when_the_first_host_dies(
    server: Server, database: str, address: str, replica: Server
):
    hosts = f"127.0.0.1:{server.port},127.0.0.1:{replica.port}"
    base = KnowledgeBase.load([f"postgresql://campus@{hosts}/{database}"])
    assert day_of(base) == "Monday."
    server.stop()
    try:
        assert day_of(base) == "Monday."
        assert KnowledgeBase.load([replica.address(database)]).search("club meets").found
    finally:
        server.start()


def test_a_push_passes_over_a_replica_and_the_replica_follows(
    server: Server, database: str, address: str, replica: Server
):
    hosts = f"127.0.0.1:{replica.port},127.0.0.1:{server.port}"
    reader = KnowledgeBase.load([replica.address(database)])
    push(clubs("Friday"), CampusFile(), parsed(f"postgresql://campus@{hosts}/{database}"))
    assert day_of(KnowledgeBase.load([address])) == "Friday."
    replica.catch_up(server)
    assert day_of(reader) == "Friday."
