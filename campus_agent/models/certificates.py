"""Loads the certificates by which servers are known."""

from __future__ import annotations

import os
import ssl

from campus_agent.errors import SettingsError


def tls_context(*, hosted: bool) -> ssl.SSLContext:
    """Return what checks servers; not `hosted`, a plain address, needs no certificates, which take a while to load.

    Raises:
        SettingsError: the environment names certificates that cannot be read.
    """
    import httpx2

    if not hosted:
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # without any, TLS would refuse all
    try:
        return httpx2.create_ssl_context()
    except OSError as error:
        name = next((name for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(name)), "")
        raise SettingsError(
            f"The certificates of servers cannot be read: {error.strerror or error}.",
            f"{name} is {os.environ[name]}." if name else "",
            f"Unset {name}, or let it name one that is there." if name else "Install the certificates of your system.",
        ) from None
