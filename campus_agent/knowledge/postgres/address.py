"""Where a base in PostgreSQL is: an address, of which only what finds and secures the server is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from campus_agent.errors import KnowledgeError

if TYPE_CHECKING:
    from types import ModuleType

SCHEMES = ("postgresql://", "postgres://")

_FIND = ("host", "hostaddr", "port", "dbname", "user", "service", "connect_timeout")
_SECURE = ("sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "sslnegotiation", "gssencmode", "channel_binding")
_CHOOSE = ("target_session_attrs", "load_balance_hosts")
_ALLOWED = (*_FIND, *_SECURE, *_CHOOSE)
_FORM = "An address looks like postgresql://USER@HOST:5432/DATABASE."


@dataclass(frozen=True, slots=True)
class Address:
    """An address that can be used.

    Attributes:
        parameters: what it says, by libpq's names.
    """

    parameters: Mapping[str, str]

    @property
    def where(self) -> str:
        """The server as a person reads it: "db1:5432 or db2:5433"."""
        hosts = self.parameters.get("host") or self.parameters.get("hostaddr") or ""
        if not hosts:
            service = self.parameters.get("service")
            return f"service {service}" if service else "this machine"
        names, ports = hosts.split(","), self.parameters.get("port", "").split(",")
        each = ports * len(names) if len(ports) == 1 else ports
        return " or ".join(f"{name}:{port}" if port else name for name, port in zip(names, each, strict=False))

    @property
    def database(self) -> str:
        """The name of the database, as far as the address says it."""
        return self.parameters.get("dbname") or "its standard database"


def parsed(text: str) -> Address:
    """Return what an address says.

    Raises:
        KnowledgeError: it is none, has a password in it or a setting that does not belong there, or psycopg is not
            installed. No message repeats what stands in it.
    """
    psycopg = driver()
    from psycopg.conninfo import conninfo_to_dict

    try:
        if not text.startswith(SCHEMES):
            raise ValueError
        parameters = {name: str(value) for name, value in conninfo_to_dict(text).items() if value not in (None, "")}
    except (ValueError, psycopg.Error):
        raise KnowledgeError("The address of a knowledge base in PostgreSQL cannot be read.", _FORM) from None
    if any("password" in name for name in parameters):
        raise KnowledgeError(
            "There is a password in the address of the knowledge base.",
            "It would end up in histories, process lists and logs, so it is not used.",
            "Take it out, and change it where it was seen. Give it in PGPASSWORD, ~/.pgpass or a service file instead.",
        )
    foreign = sorted(set(parameters) - set(_ALLOWED))
    if foreign:
        raise KnowledgeError(
            f"The address of a knowledge base cannot set {', '.join(foreign)}.",
            "Only what finds the server and secures the connection can stand in it.",
            f"Leave it out; what can stand there: {', '.join(_ALLOWED)}.",
        )
    if not all(port.isdecimal() for port in parameters.get("port", "0").split(",") if port):
        raise KnowledgeError("The port in the address of the knowledge base is not a number.", _FORM)
    return Address(parameters)


def driver() -> ModuleType:
    """Return psycopg; raise `KnowledgeError` where it is not installed."""
    try:
        import psycopg
    except ImportError as error:
        raise KnowledgeError(
            "A knowledge base in PostgreSQL needs the package psycopg, and that cannot be used here.",
            str(error),
            'Install it with: pip install "campus-agent[postgres]"',
        ) from None
    return psycopg
