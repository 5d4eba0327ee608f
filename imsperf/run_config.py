"""A run's own description, run.toml, as rows of run_config."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from imsperf.errors import StoreError


def run_config_rows(run: str, file: Path) -> list[dict[str, Any]]:
    """Rows of run_config from a run.toml; a value may be a table of value, unit and source."""
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StoreError(f"{file}: {error}, expected TOML", "mend or remove run.toml") from error
    return list(_config_rows(run, "", content))


def _config_rows(run: str, section: str, content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for key, value in content.items():
        if isinstance(value, dict) and "value" not in value:
            yield from _config_rows(run, f"{section}.{key}".lstrip("."), value)
            continue
        facts = value if isinstance(value, dict) else {"value": value}
        yield {
            "run": run,
            "section": section,
            "key": key,
            "value": str(facts["value"]),
            "unit": facts.get("unit"),
            "source": facts.get("source"),
        }
