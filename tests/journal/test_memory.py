from __future__ import annotations

from stored import TOOLS, agent, run

from campus_agent.journal.audit import audit_of
from campus_agent.journal.memory import turns_of
from campus_agent.models.chat_model import Reply, RequestedCall

BY_NAME = {tool.name: tool for tool in TOOLS}


def search(query: str = "AI Club", tool: str = "search_campus_info") -> RequestedCall:
    return RequestedCall(tool, {"query": query})


async def test_what_is_remembered_of_stored_runs_is_what_the_agent_itself_remembers() -> None:
    talking = agent(
        Reply("Let me see.", calls=(search(), RequestedCall("get_current_time", {})), thought="Hm."),
        "It meets on Friday.",
        "The AI Club meets every Thursday at 5 PM.",
        [search(tool="nonsense"), RequestedCall("search_campus_info", "{'query': 'room'}")],
        "It meets in room 204.",
        "I don't have that information — check with the USC AI Club.",
        "I don't have that information — check with the USC AI Club.",
    )
    runs = [[event async for event in talking.run(text)] for text in ("When?", "Where?", "Wifi?")]
    assert [run[-1].outcome for run in runs if run[-1].kind == "run_finished"] == ["answered", "answered", "refused"]
    assert turns_of(runs, talking.tools) == talking.conversation.turns
    assert [one.tool for turn in talking.conversation.turns for one in turn.evidence] == ["search_campus_info"] * 2


async def test_runs_that_did_not_complete_are_not_remembered() -> None:
    broken = agent([search()], RuntimeError("gone"))
    failed = [event async for event in broken.run("When?")]
    assert failed[-1].kind == "run_finished"
    assert not failed[-1].complete
    assert turns_of([failed, run(cut=True), [], run()[1:]], BY_NAME) == ()


def test_what_a_tool_that_is_gone_returned_is_no_evidence_any_more() -> None:
    (turn,) = turns_of([run(tool="old_tool")], BY_NAME)
    assert turn.evidence == ()
    assert len(turn.messages) == 4


async def test_the_audit_has_one_entry_for_each_call_that_was_asked_for_whatever_became_of_it() -> None:
    calls = [search(), search(tool="nonsense"), RequestedCall("search_campus_info", "{broken"), search()]
    talking = agent(calls, "The AI Club meets every Thursday at 5 PM.")
    events = [event async for event in talking.run("When?")]
    entries = audit_of(events)
    assert [(entry.tool, entry.status) for entry in entries] == [
        ("search_campus_info", "ok"),
        ("nonsense", "error"),
        ("search_campus_info", "error"),
        ("search_campus_info", "cached"),
    ]
    assert [entry.input for entry in entries] == [{"query": "AI Club"}] * 2 + ["{broken"] + [{"query": "AI Club"}]
    assert all(entry.output_length and entry.step == 1 for entry in entries)
    assert entries[1].latency_ms == 0
    assert entries[0].timestamp <= entries[1].timestamp


def test_a_call_that_a_cut_run_left_open_has_no_status() -> None:
    (entry,) = audit_of(run()[:3])
    assert (entry.status, entry.output_length, entry.latency_ms) == (None, None, None)
