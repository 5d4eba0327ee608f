"""The server of a site: on 127.0.0.1 alone, until it is interrupted."""

from __future__ import annotations

import errno
import secrets
import socket
from collections.abc import Callable
from typing import Any

from werkzeug.serving import WSGIRequestHandler, make_server

from imsperf import api
from imsperf.errors import ImsperfError
from imsperf.reports.comparison.sides import run_names
from imsperf.serving.site import Site
from imsperf.sources import Source

_HOST = "127.0.0.1"


class _Quiet(WSGIRequestHandler):
    """Prints no line for a request: its address may hold the token."""

    timeout = 60  # seconds that a connection may say nothing

    def log(self, type: str, message: str, *args: Any) -> None:
        """Nothing."""


def serve(db: Source, port: int, told: Callable[[str], None]) -> None:
    """Answer requests until Ctrl-C; `told` hears the address to open, with its token.

    Port 0 is any that is free. Raises StoreError if `db` is no database, DumpError for a file
    that is no dump, ImsperfError where the port is taken.
    """
    with api.connect(db) as store:
        run_names(store.con)  # what cannot be read is said now
    try:
        listening = socket.create_server((_HOST, port))
    except OSError as error:
        why = "in use" if error.errno == errno.EADDRINUSE else error.strerror
        raise ImsperfError(f"port {port}: {why}", "--port names another, 0 any") from error
    with listening:
        number = listening.getsockname()[1]
        token = secrets.token_urlsafe(24)
        site = Site(db, token, (f"{_HOST}:{number}", f"localhost:{number}"))
        server = make_server(
            _HOST, number, site, threaded=True, request_handler=_Quiet, fd=listening.fileno()
        )
        told(f"http://{_HOST}:{number}/?token={token}")
        try:
            server.serve_forever()
        finally:
            server.server_close()
            site.close()
