from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.folder import documents_of
from campus_agent.knowledge.formats import yaml_facts
from campus_agent.knowledge.formats.yaml_facts import read_yaml
from campus_agent.knowledge.passage import Passage, Problem
from campus_agent.knowledge.reading import read_documents

NLU = """
version: "3.1"
nlu:
- intent: hours
  examples: |
    - when are you [open](state)
    - opening times on [Monday]{"entity": "day"}
- intent: ask_fees
  examples:
  - text: what does it cost
  - "- how much is it"
- lookup: cities
  examples: |
    - Rome
"""
DOMAIN = """
intents: [hours, ask_fees, greet]
responses:
  utter_hours:
  - text: "The desk is open from 9:00
      to 17:00."
  - text: "We are open from 9:00 to 17:00."
  - text: "The desk is open from {from} to {to}."
    buttons: [{title: Ok, payload: /ok}]
  utter_fee_list:
  - text: Each course costs 500 dollars.
  - image: fees.png
"""
RULES = """
rules:
- rule: Tell the fees
  steps:
  - intent: ask_fees
  - action: action_log
  - action: utter_fee_list
"""


def told(text: str) -> list[tuple[str, str]]:
    return [(item.title, item.text) for item in read_yaml(text, "desk.yml") if isinstance(item, Passage)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- question: When?\n  answer: At 17:30\n", [("When?", "At 17:30")]),
        ("- name: Desk\n  opens: 9:30\n  open on Sunday: no\n  phone: 0123\n  fax: ~\n", None),
        ("clubs:\n  AI Club: Meets on Thursday at five.\n", [("clubs › AI Club", "Meets on Thursday at five.")]),
        ("- It is open.\n---\n- It is shut.\n", [("Desk", "It is open."), ("Desk", "It is shut.")]),
        ("base: &a [The pool is open.]\nmore: *a\n", [("base", "The pool is open."), ("more", "The pool is open.")]),
        ("a: !!python/object/apply:os.system ['touch x']\n", [("a", "touch x")]),
        ("nlu: soon\nrules: none\n", [("nlu", "soon"), ("rules", "none")]),
        ("", []),
        ("~", []),
    ],
)  # fmt: skip
def test_values_are_told_as_they_are_written(text: str, expected: list[tuple[str, str]] | None):
    desk = [("Desk", "name: Desk; opens: 9:30; open on Sunday: no; phone: 0123")]
    assert told(text) == (desk if expected is None else expected)


def test_the_answers_of_a_chatbot_are_found_by_the_questions_that_stand_in_other_files(tmp_path: Path):
    for name, text in {"domain.yml": DOMAIN, "data/nlu.yml": NLU, "data/rules.yaml": RULES}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    passages, problems = read_documents(documents_of(tmp_path).documents)
    assert problems == []
    assert [(passage.title, passage.text, passage.phrasings) for passage in passages] == [
        ("hours", "The desk is open from 9:00 to 17:00.", ("when are you open", "opening times on Monday")),
        ("hours", "We are open from 9:00 to 17:00.", ("when are you open", "opening times on Monday")),
        ("fee list", "Each course costs 500 dollars.", ("what does it cost", "how much is it")),
    ]


def test_a_chatbot_whose_rules_go_in_circles_ends(tmp_path: Path):
    rules = "rules:\n" + "".join(
        f"- steps:\n  - intent: {intent}\n  - action: utter_{answer}\n" for intent, answer in (("a", "b"), ("b", "a"))
    )
    (tmp_path / "all.yml").write_text(f"{rules}responses:\n  utter_a:\n  - text: The pool is open.\n")
    ((passage,), _) = read_documents(documents_of(tmp_path).documents)
    assert passage.phrasings == ()


LAUGHS = "a0: &a0 [ha, ha]\n" + "".join(f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(12))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: [1, 2", "the YAML is broken here"),
        ("a: b: c", "the YAML is broken here"),
        ("a: *nobody", "the YAML is broken here"),
        ("[" * 100_000, "the YAML is broken here"),
        ("a: \x07", "the YAML cannot be read"),
        (LAUGHS, "its aliases stand for over"),
    ],
    ids=["open", "twice", "alias", "deep", "control", "laughs"],
)
def test_broken_yaml_is_named(text: str, reason: str):
    with pytest.raises(Unreadable, match=reason):
        told(text)


def test_the_line_where_yaml_breaks_is_named():
    with pytest.raises(Unreadable) as caught:
        told("a: 1\nb: 2\nc: [\n")
    assert caught.value.line == 4


def test_an_alias_of_itself_ends():
    with pytest.raises((Unreadable, RecursionError)):
        told("a: &a [*a]")


def test_a_document_that_is_far_too_large_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(yaml_facts, "_MOST_CHARACTERS", 10)
    with pytest.raises(Unreadable, match="cut it into smaller files"):
        told("a: The pool is open.")


PARTS = ("nlu:", "rules:", "responses:", "\n", "- ", "  ", "steps:", "intent: a", "utter_a:", "&a ", "*a")


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(PARTS)))
def test_no_text_breaks_the_reader(parts: list[str]):
    items: list[Passage | Problem] = []
    with contextlib.suppress(Unreadable, RecursionError):
        items.extend(read_yaml("".join(parts), "a.yml"))
    assert all(item.source == "a.yml" for item in items)
