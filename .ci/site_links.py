"""Of the web site: a link to a file of the checkout that is no page of it becomes its name."""

from __future__ import annotations

import posixpath
import re
from typing import Any

_LINK = re.compile(r"\[([^\]]*)\]\((\.\./[^)#\s]+)(?:#[^)]*)?\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The text of a page as the generator then takes it."""

    def named(link: re.Match[str]) -> str:
        text, path = link.groups()
        place = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), path))
        if not place.startswith("../"):
            return link[0]
        name = place.removeprefix("../")
        return f"`{name}`" if text == name else f"{text} (`{name}` in the checkout)"

    return _LINK.sub(named, markdown)
