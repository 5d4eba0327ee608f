"""imsperf serve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from imsperf.cli.options import source_option

if TYPE_CHECKING:
    from imsperf.sources import Source


@click.command()
@source_option()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8421,
    show_default=True,
    help="On 127.0.0.1; 0 takes any that is free.",
)
def command(db: Source, port: int) -> None:
    """Show a database, a lake or dumps in a browser of this machine: findings, every report, SQL.

    Open the address that is printed; links work for as long as the server runs. It answers this
    machine only, and only who has the token of the address. It reads: no request changes a byte,
    and SQL reaches no other file. Another program can load between two requests. What a request
    decodes of dumps the next one finds, until a file changes. Ctrl-C ends it.

    \b
    Examples:
      imsperf serve --db runs.duckdb
      imsperf serve --db lake/ --port 9000
      imsperf serve smf.dump ims.log
    """
    from imsperf.serving.server import serve

    serve(db, port, lambda address: click.echo(f"open {address}"))
