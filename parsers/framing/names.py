"""The framings that a user may name, with the forms that each may stand for."""

from __future__ import annotations

from imsperf.errors import DumpError, near

# As the ledger and `inspect` print them. Some ways of transfer look alike for both kinds.
FRAMINGS: dict[str, tuple[str, tuple[str, ...]]] = {
    "rdw": ("rdw", ("smf",)),
    "rdw_spanned": ("rdw", ("smf",)),
    "bdw_rdw": ("bdw_rdw", ("smf",)),
    "bdw_rdw_spanned": ("bdw_rdw", ("smf",)),
    "length_prefix": ("length_prefix", ("smf", "ims")),
    "ftp_block": ("ftp_block", ("smf", "ims")),
    "ftp_record": ("ftp_record", ("smf", "ims")),
    "no_rdw": ("no_rdw", ("smf",)),
    "ims_rdw": ("rdw", ("ims",)),
    "ims_vb": ("bdw_rdw", ("ims",)),
}


def checked(framing: str) -> str:
    """The name, which may be empty. Raises DumpError for one that is none."""
    if framing and framing not in FRAMINGS:
        names = f"one of {', '.join(FRAMINGS)}"
        raise DumpError(
            f"framing: found {framing!r}, expected {names}", near(framing, FRAMINGS, "leave it out")
        )
    return framing
