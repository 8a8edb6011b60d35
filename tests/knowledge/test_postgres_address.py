from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from campus_agent import layers
from campus_agent.cli.entry import run
from campus_agent.errors import KnowledgeError
from campus_agent.knowledge.base import KnowledgeBase
from campus_agent.knowledge.campus_file import CampusFile, read_campus_file
from campus_agent.knowledge.postgres.address import parsed
from campus_agent.text import without_credentials

pytest.importorskip("psycopg")

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("text", "where", "database"),
    [
        ("postgresql://ann@db:5433/campus", "db:5433", "campus"),
        ("postgres://db/campus", "db", "campus"),
        ("postgresql://one:1,two:2/campus?target_session_attrs=any", "one:1 or two:2", "campus"),
        ("postgresql://one,two:5433/campus", "one or two:5433", "campus"),
        ("postgresql://[::1]:5433", "::1:5433", "its standard database"),
        ("postgresql:///?service=campus", "service campus", "its standard database"),
        ("postgresql:///campus", "this machine", "campus"),
    ],
)
def test_an_address_says_where_the_base_is(text: str, where: str, database: str):
    address = parsed(text)
    assert (address.where, address.database) == (where, database)


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://ann:{SECRET}@db/campus",
        f"postgresql://db/campus?password={SECRET}",
        f"postgresql://db/campus?user=ann&p%61ssword={SECRET}",
        f"postgresql://db/campus?sslpassword={SECRET}",
        f"postgresql://ann:{SECRET}@one:1,two:2/campus?sslmode=require",
    ],
)
def test_a_password_in_an_address_is_refused_with_advice_and_never_repeated(
    text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    with pytest.raises(KnowledgeError, match="PGPASSWORD") as caught:
        KnowledgeBase.load([text])
    assert run(["kb", "search", "club", "--kb", text]) == 2
    assert run(["kb", "push", text]) == 2
    assert run(["ask", "club", "--kb", text]) == 2
    monkeypatch.setenv("CAMPUS_AGENT_KB", text)
    assert run(["config", "show"]) == 0
    assert SECRET not in str(caught.value) + without_credentials(text) + "".join(capsys.readouterr())


@pytest.mark.parametrize("name", ["options", "passfile", "application_name", "host_of_another"])
def test_what_does_not_belong_in_an_address_is_refused(name: str):
    with pytest.raises(KnowledgeError, match=f"{name}|cannot be read"):
        parsed(f"postgresql://db/campus?{name}=value")


@pytest.mark.parametrize(
    "text", [f"postgresql://db:{SECRET}/campus", "postgresql://db:70x/campus", "https://db/campus"]
)
def test_what_is_no_address_is_said_without_repeating_it(text: str):
    with pytest.raises(KnowledgeError) as caught:
        parsed(text)
    assert SECRET not in str(caught.value)


def test_an_address_cannot_stand_beside_other_bases(tmp_path: Path):
    with pytest.raises(KnowledgeError, match="Push them together"):
        KnowledgeBase.load([tmp_path, "postgresql://db/campus"])


def test_without_the_package_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(KnowledgeError, match=r'pip install "campus-agent\[postgres\]"'):
        KnowledgeBase.load(["postgresql://db/campus"])
    assert read_campus_file(["postgresql://db/campus"]) == CampusFile()


def test_a_base_of_files_does_not_load_the_package():
    probe = "from campus_agent.cli.entry import run\nrun(['kb', 'check'])\nimport sys\nprint('psycopg' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "False"


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("a{}b", ("a", "b")),
        (
            "postgresql://ann@one:1,two:2/campus?sslmode=require",
            ("postgresql://ann@one:1,two:2/campus?sslmode=require",),
        ),
        ("a{}postgresql://[::1]:5432/campus", ("a", "postgresql://[::1]:5432/campus")),
        ("postgresql://one:1/x{}Postgres://two:2/y", ("postgresql://one:1/x", "Postgres://two:2/y")),
        (" postgresql://one:1/x ", ("postgresql://one:1/x",)),
        ("a{}{} {}b", ("a", "b")),
    ],
)
@pytest.mark.parametrize("separator", [":", ";"])
def test_an_address_in_the_environment_is_not_split(
    text: str, paths: tuple[str, ...], separator: str, monkeypatch: pytest.MonkeyPatch, no_server: Callable[[], None]
):
    monkeypatch.setattr("os.pathsep", separator)
    given = {"CAMPUS_AGENT_KB": text.replace("{}", separator)}
    assert layers.load({}, environ=given).settings.kb == paths


def test_a_server_that_is_down_is_named_with_what_to_do(closed_port: int, capsys: pytest.CaptureFixture[str]):
    assert run(["kb", "search", "club", "--kb", f"postgresql://ann@127.0.0.1:{closed_port}/campus"]) == 2
    said = capsys.readouterr().err
    assert f"PostgreSQL on 127.0.0.1:{closed_port} cannot be used" in said
    assert "Check host, port, database and user." in said
    assert run(["kb", "push", f"postgresql://127.0.0.1:{closed_port}/campus"]) == 2


@pytest.fixture
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campus_agent.knowledge.campus_file._pushed", lambda address: CampusFile())


@pytest.fixture
def closed_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
