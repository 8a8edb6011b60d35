"""YAML: told like JSON, with the files of a Rasa chatbot (questions, answers, rules) as its intents."""

from __future__ import annotations

from collections.abc import Iterator

from campus_agent.knowledge.encoding import Unreadable
from campus_agent.knowledge.formats import rasa
from campus_agent.knowledge.formats.json_facts import facts
from campus_agent.knowledge.passage import Passage, Problem

_MOST_CHARACTERS = 5_000_000
_MOST_NODES = 500_000  # with each alias counted as all that it stands for
_NOTHING = ("~", "null", "Null", "NULL")


def read_yaml(text: str, source: str) -> Iterator[Passage | Problem]:
    """Yield the passages of each document in a YAML file.

    Every value is read as it is written: YAML itself takes 17:30 for the number 1050 and `no` for a truth value.

    Raises:
        Unreadable: no YAML, or an alias that stands for more than any base holds, such as for itself.
    """
    if len(text) > _MOST_CHARACTERS:
        raise Unreadable(f"it is over {_MOST_CHARACTERS // 1_000_000} MB; cut it into smaller files")
    values = [value for value in _documents(text) if value is not None]
    for value in values:
        yield from rasa.passages(value, source) if rasa.is_chatbot(value) else facts(value, source)


def _documents(text: str) -> list[object]:
    import yaml

    loader: type[yaml.SafeLoader | yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return [_Value().of(node) for node in yaml.compose_all(text, Loader=loader)]
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise Unreadable(f"the YAML is broken here ({error.problem})", line) from None
    except (yaml.YAMLError, ValueError) as error:
        raise Unreadable(f"the YAML cannot be read ({error})") from None


class _Value:
    """Turns the nodes of one document into plain values and counts them; nothing that a tag names is made."""

    def __init__(self) -> None:
        self._nodes = 0

    def of(self, node: object) -> object:
        import yaml

        self._nodes += 1
        if self._nodes > _MOST_NODES:
            raise Unreadable(f"its aliases stand for over {_MOST_NODES:,} values; write out what they mean")
        match node:
            case yaml.MappingNode():
                return {str(self.of(name)): self.of(value) for name, value in node.value}
            case yaml.SequenceNode():
                return [self.of(item) for item in node.value]
            case yaml.ScalarNode():
                return None if not node.style and node.value in _NOTHING else node.value
        return None
