"""Reads the settings of one start from every layer: flag > environment > file > base > default."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import SecretStr, ValidationError
from pydantic_core import ErrorDetails

from campus_agent.errors import SettingsError
from campus_agent.settings import Settings, in_words, read_toml
from campus_agent.text import MASK, one_line, without_credentials

PREFIX = "CAMPUS_AGENT_"
CONFIG_VARIABLE = f"{PREFIX}CONFIG"

_MOST_BYTES = 1_000_000  # of a configuration file
_PATHS = ("kb",)  # settings whose values are places on the disk
_BOOLEANS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, and where each value came from.

    Attributes:
        settings: every value, checked.
        origins: for each setting "flag", "environment CAMPUS_AGENT_X", "file PATH", "base NAME" or "default".
    """

    settings: Settings
    origins: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Given:
    value: Any
    origin: str


_Layer = dict[str, _Given]


def load(
    flags: Mapping[str, Any], *, environ: Mapping[str, str] = os.environ, config: str | Path | None = None
) -> Loaded:
    """Read every layer and return the settings with the origin of each.

    Args:
        flags: what was given by hand, by the setting's name; None and () mean not given. Text is read as the
            setting's type asks.
        environ: the environment. A variable with nothing but spaces in it counts as unset.
        config: a TOML file to read instead of the one that `config_path` finds; it has to exist.

    Raises:
        SettingsError: names everything that is wrong, where it stands and what would be right.
    """
    problems: list[str] = []
    path, named = _find_config(environ, config)
    given = {
        **_from_file(path, problems, must_exist=named),
        **_from_environment(environ, problems),
        **_from_flags(flags, problems),
    }
    kb = given["kb"].value if "kb" in given else ()
    if isinstance(kb, tuple) and all(isinstance(path, str) and path.strip() and "\0" not in path for path in kb):
        given = {**_from_base(kb), **given}
    settings = _checked(given, problems)
    origins = {name: given[name].origin if name in given else "default" for name in Settings.model_fields}
    return Loaded(settings, origins)


def config_path(*, environ: Mapping[str, str] = os.environ, config: str | Path | None = None) -> Path:
    """Return where the configuration file is looked for: `config`, CAMPUS_AGENT_CONFIG, else the standard place."""
    return _find_config(environ, config)[0]


def base_paths(kb: Iterable[str]) -> tuple[str, ...]:
    """Return the places of the knowledge base: those of the `kb` setting, or the bundled demo when there are none."""
    from campus_agent.knowledge.bundled import bundled_base

    return tuple(kb) or (str(bundled_base()),)


def setting_type(name: str) -> type:
    """Return what a setting holds: bool, int, float, datetime, SecretStr, tuple (of texts) or str."""
    annotation = Settings.model_fields[name].annotation
    for part in (annotation, *get_args(annotation)):
        if part in (bool, int, float, datetime, SecretStr):
            return part  # type: ignore[no-any-return]  # the types just listed
    return tuple if get_origin(annotation) is tuple else str


def masked(value: object) -> object:
    """Return a value as it may be shown: keys, and the user and password of an address, are replaced by a mask."""
    match value:
        case SecretStr():
            return MASK
        case str():
            return without_credentials(value)
        case tuple() | list():
            return tuple(masked(part) for part in value)
        case _:
            return value


# ---- the layers ----------------------------------------------------------------------------------------------------


def _find_config(environ: Mapping[str, str], config: str | Path | None) -> tuple[Path, bool]:
    """Return the file's path, and whether somebody named it."""
    named = str(config) if config else environ.get(CONFIG_VARIABLE, "").strip()
    if named:
        return Path(_home(named)), True
    from platformdirs import user_config_path

    return user_config_path("campus-agent", appauthor=False) / "config.toml", False


def _from_file(path: Path, problems: list[str], *, must_exist: bool) -> _Layer:
    try:
        values = read_toml(_bytes(path))
    except FileNotFoundError:
        if must_exist:
            problems.append(f"{path}: there is no such configuration file")
        return {}
    except OSError as error:
        problems.append(f"{path}: the configuration file cannot be read: {error.strerror}")
        return {}
    except ValueError as error:
        problems.append(f"{path}: {error}")
        return {}
    layer = {}
    for name, value in values.items():
        if _is_known(name, f"file {path}", problems):
            layer[name] = _Given(_placed(name, _typed(name, value), path.parent), f"file {path}")
    return layer


def _bytes(path: Path) -> bytes:
    """Return what is in a file, if that is not too much; raise `ValueError` in words for a person otherwise."""
    if not stat.S_ISREG(path.stat().st_mode):  # a device or a pipe may never end, or never begin
        raise ValueError("the configuration file is not an ordinary file")
    with path.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError(f"the configuration file is over {_MOST_BYTES // 1_000_000} MB")
    return data


def _from_environment(environ: Mapping[str, str], problems: list[str]) -> _Layer:
    layer = {}
    for variable, text in sorted(environ.items()):
        if not variable.startswith(PREFIX) or variable == CONFIG_VARIABLE or not text.strip():
            continue
        name = variable.removeprefix(PREFIX).lower()
        if _is_known(name, f"environment {variable}", problems):
            value = _listed(text) if setting_type(name) is tuple else text
            layer[name] = _Given(_placed(name, _read(name, value)), f"environment {variable}")
    return layer


def _from_flags(flags: Mapping[str, Any], problems: list[str]) -> _Layer:
    layer = {}
    for name, value in flags.items():
        if value is None or value == ():
            continue
        if _is_known(name, "flag", problems):
            layer[name] = _Given(_placed(name, _read(name, value)), "flag")
    return layer


def _from_base(kb: tuple[str, ...]) -> _Layer:
    from campus_agent.knowledge.campus_file import read_campus_file

    paths = base_paths(kb)
    campus = read_campus_file(paths)
    name = campus.name or os.path.basename(os.path.realpath(paths[0]))
    return {key: _Given(_typed(key, value), f"base {name}") for key, value in campus.settings().items()}


def _listed(text: str) -> tuple[str, ...]:
    """Split a list in the environment; an address has separators in it, so it reaches to the next one or the end."""
    separator = re.escape(os.pathsep)
    rest, *addresses = re.split(rf"(?:^|{separator})(?=[a-z][a-z0-9+.-]+://)", text.strip(), flags=re.IGNORECASE)
    return tuple(part for part in (*rest.split(os.pathsep), *addresses) if part.strip())


# ---- one value -----------------------------------------------------------------------------------------------------


def _typed(name: str, value: Any) -> Any:  # noqa: ANN401 - whatever the layer holds
    """Return the value as the model wants it: lists as tuples, and no value at all for a blank optional text."""
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, str) and not value.strip() and Settings.model_fields[name].default is None:
        return None
    return value


def _read(name: str, value: Any) -> Any:  # noqa: ANN401 - whatever the layer holds
    """Read a text as the setting's type asks; what cannot be read stays as it is, for the check to name."""
    if not isinstance(value, str):
        return _typed(name, value)
    kind = setting_type(name)
    if kind is bool:
        return _BOOLEANS.get(value.strip().lower(), value)
    if kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            return value
    return _typed(name, value)


def _placed(name: str, value: Any, folder: Path | None = None) -> Any:  # noqa: ANN401 - of any type before the check
    """Expand ~ in the values of a setting that holds paths, and let relative ones begin at `folder`."""
    if name not in _PATHS or not isinstance(value, tuple):
        return value
    place = partial(_place, folder=folder)
    return tuple(place(part) if isinstance(part, str) else part for part in value)


def _place(text: str, folder: Path | None) -> str:
    if "://" in text or not text.strip():  # a blank one is left for the check to name
        return text
    return str(folder / _home(text)) if folder else _home(text)


def _home(text: str) -> str:
    """Expand ~ at the beginning; that of a person who does not exist becomes an ordinary name, never tried again."""
    expanded = os.path.expanduser(text)
    return os.path.abspath(expanded) if expanded.startswith("~") else expanded


# ---- what is wrong -------------------------------------------------------------------------------------------------


def _is_known(name: str, origin: str, problems: list[str]) -> bool:
    """Tell whether there is such a setting; add a problem with the nearest name if there is none."""
    if name in Settings.model_fields:
        return True
    from rapidfuzz import fuzz, process

    nearest = process.extractOne(name, Settings.model_fields.keys(), scorer=fuzz.ratio, score_cutoff=60)
    hint = f"; did you mean {nearest[0]}?" if nearest else ""
    problems.append(f"{one_line(name, 80)}: there is no such setting ({one_line(origin)}){hint}")
    return False


def _checked(given: _Layer, problems: list[str]) -> Settings:
    """Return the settings; raise with everything that is wrong, in the layers and in the values."""
    try:
        settings = Settings.model_validate({name: one.value for name, one in given.items()}, strict=True)
    except ValidationError as error:
        problems.extend(_said(fault, given) for fault in error.errors(include_url=False))
    if problems:
        heading = "A setting cannot be used." if len(problems) == 1 else f"{len(problems)} settings cannot be used."
        advice = "`campus-agent --help` lists the settings; `campus-agent config path` says where the file is."
        raise SettingsError(heading, "\n".join(problems), advice)
    return settings


def _said(fault: ErrorDetails, given: _Layer) -> str:
    name = str(fault["loc"][0])
    origin = given[name].origin
    where = f"flag --{name.replace('_', '-')}" if origin == "flag" else origin
    return f"{name}: {in_words(fault, secret=setting_type(name) is SecretStr)} ({where})"
