"""The framings that a user may name; no kernels are loaded to check one."""

from __future__ import annotations

from imsperf.errors import DumpError, near

# As the ledger and `inspect` print them, and the forms of forms.py label themselves. A way of
# transfer looks alike for SMF and IMS.
FRAMINGS = (
    "rdw", "rdw_spanned", "bdw_rdw", "bdw_rdw_spanned", "length_prefix", "ftp_block", "ftp_record",
    "no_rdw", "ims_rdw", "ims_vb",
)  # fmt: skip


def checked(framing: str) -> str:
    """The name, which may be empty. Raises DumpError for one that is none."""
    if framing and framing not in FRAMINGS:
        names = f"one of {', '.join(FRAMINGS)}"
        raise DumpError(
            f"framing: found {framing!r}, expected {names}", near(framing, FRAMINGS, "leave it out")
        )
    return framing
