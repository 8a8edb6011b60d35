"""Reads suites of golden cases, from TOML or YAML; everything that is wrong with them is named before anything runs."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from campus_agent.errors import SettingsError
from campus_agent.evaluation.case import Case, Suite, known_keys
from campus_agent.settings import in_words, read_toml
from campus_agent.text import one_line, without_credentials

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

EXAMPLES = ("workshop", "grounded")
"""The suites that come with the program; they ask the bundled base."""

_MOST_BYTES = 1_000_000
_YAML = (".yaml", ".yml")
_WORDS = {
    "missing": "is missing",
    "model_type": "should be a table of keys",
    "dict_type": "should be a table of keys",
    "tuple_type": "should be a list in square brackets",
}


class SuiteError(SettingsError):
    """Suites that cannot be played as they are written (exit status 2)."""


def read_suites(paths: Sequence[str | Path]) -> tuple[Suite, ...]:
    """Read the suites in these files, each with its name, its own `now` and `kb` given to the cases that have none.

    Raises `SuiteError` naming everything that is wrong, with the file and the case.
    """
    suites: list[Suite] = []
    problems: list[str] = []
    for path in map(Path, paths):
        try:
            suites.append(_read(path, problems))
        except ValidationError:  # whose faults are among the problems
            continue
        except (OSError, ValueError) as error:
            reason = (error.strerror or type(error).__name__) if isinstance(error, OSError) else str(error)
            problems.append(f"{one_line(str(path), 200)}: {reason}")
    if problems:
        heading = (
            "A suite cannot be used" if len(problems) == 1 else f"There are {len(problems)} mistakes in the suites"
        )
        raise SuiteError(
            f"{heading}, so nothing was asked.",
            "\n".join(problems),
            "`campus-agent eval init` writes an example; docs/evaluation.md lists every key.",
        )
    return tuple(suites)


def example_path(name: str) -> Path:
    """Return where the shipped suite of this name stands."""
    return Path(__file__).with_name("examples") / f"{name}.toml"


def read_example(name: str) -> Suite:
    """Read the shipped suite of this name; its cases ask the bundled base."""
    from campus_agent.knowledge.bundled import bundled_base

    (suite,) = read_suites([example_path(name)])
    kb = (str(bundled_base()),)
    return suite.model_copy(update={"cases": tuple(case.model_copy(update={"kb": kb}) for case in suite.cases)})


def _read(path: Path, problems: list[str]) -> Suite:
    data = _bytes(path)
    values = _yaml(data) if path.suffix.lower() in _YAML else read_toml(data)
    try:
        suite = Suite.model_validate(values)
    except ValidationError as error:
        problems.extend(f"{path}{said}" for said in _said(error.errors(include_url=False), values))
        raise
    name = suite.name or path.stem
    cases = tuple(_settled(case, suite, path.parent) for case in suite.cases)
    for case in cases:
        lacking = [place for place in case.kb if "://" not in place and not os.path.exists(place)]
        problems.extend(f"{path}, case {case.name}: kb: there is nothing at {place}" for place in lacking)
    return suite.model_copy(update={"name": name, "cases": cases})


def _settled(case: Case, suite: Suite, folder: Path) -> Case:
    places = tuple(_placed(place, folder) for place in case.kb or suite.kb)
    return case.model_copy(update={"kb": places, "now": case.now or suite.now})


def _placed(place: str, folder: Path) -> str:
    return place if "://" in place else str(folder / os.path.expanduser(place))


def _bytes(path: Path) -> bytes:
    if not stat.S_ISREG(path.stat().st_mode):  # a device or a pipe may never end
        raise ValueError("it is not an ordinary file")
    with path.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError(f"it is over {_MOST_BYTES // 1_000_000} MB")
    return data


# ---- YAML ----------------------------------------------------------------------------------------------------------


def _yaml(data: bytes) -> dict[str, Any]:
    """Return what a YAML file holds, every value as it is written: YAML itself takes 17:00 for the number 1020."""
    import yaml

    loader: type[yaml.SafeLoader | yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        text = data.decode("utf-8-sig")
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=loader)):
            raise ValueError("it uses an alias (*name); write out what it stands for")
        values = _plain(yaml.compose(text, Loader=loader))
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None
    except yaml.YAMLError as error:
        raise ValueError(f"it is not valid YAML: {one_line(str(error), 300)}") from None
    except RecursionError:
        raise ValueError("it is not valid YAML: it is nested too deeply") from None
    if not isinstance(values, dict):
        raise ValueError("it should begin with keys, such as cases:")
    return values


def _plain(node: object) -> Any:  # noqa: ANN401 - texts, lists and tables
    import yaml

    match node:
        case yaml.MappingNode():
            names = [str(_plain(name)) for name, _ in node.value]
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise ValueError(f"line {node.start_mark.line + 1}: {twice} stands there twice")
            return {name: _plain(value) for name, (_, value) in zip(names, node.value, strict=True)}
        case yaml.SequenceNode():
            return [_plain(item) for item in node.value]
        case yaml.ScalarNode():
            return node.value
    return {}


# ---- what is wrong -------------------------------------------------------------------------------------------------


def _said(faults: Sequence[ErrorDetails], values: dict[str, Any]) -> Iterator[str]:
    """Say what is wrong, each with the case where it stands: ", case wifi: expect.fact: there is no such key"."""
    for fault in faults:
        location = fault["loc"]
        where, rest = "", location
        if len(location) > 1 and location[0] == "cases":
            where, rest = f", case {_name(values, location[1])}", location[2:]
        key = ".".join(f"{part + 1}" if isinstance(part, int) else one_line(part, 60) for part in rest)
        yield f"{where}: " + (f"{key}: " if key else "") + _reason(fault, location)


def _name(values: dict[str, Any], index: int | str) -> str:
    """Return what a case is called, else its number."""
    number = int(index)
    case = values["cases"][number]
    name = case.get("name") if isinstance(case, dict) else None
    return one_line(name, 80) if isinstance(name, str) and name.strip() else f"number {number + 1}"


def _reason(fault: ErrorDetails, location: tuple[int | str, ...]) -> str:
    if fault["type"] == "extra_forbidden":
        return "there is no such key" + _nearest(str(location[-1]), known_keys(location[:-1]))
    if fault["type"] in _WORDS:
        return _WORDS[fault["type"]]
    return without_credentials(in_words(fault))


def _nearest(name: str, known: Sequence[str]) -> str:
    from rapidfuzz import fuzz, process

    nearest = process.extractOne(name, known, scorer=fuzz.ratio, score_cutoff=60)
    return f"; did you mean {nearest[0]}?" if nearest else f"; there are {', '.join(known)}"


def check_tools(suites: Sequence[Suite], known: Sequence[str]) -> None:
    """Raise `SuiteError` when a case names a tool that is not among the `known` ones: it could never be called."""
    problems = [
        f"{suite.name}, case {case.name}: there is no tool {one_line(tool, 60)}{_nearest(tool, known)}"
        for suite in suites
        for case in suite.cases
        for tool in sorted(set().union(*(turn.expect.tools for turn in case.conversation)) - set(known))
    ]
    if problems:
        raise SuiteError("A suite names a tool that is not offered, so nothing was asked.", "\n".join(problems))
