"""What the IMS log record layouts share.

Every record begins LL ZZ code subcode and ends in the 16-byte suffix of `imsperf.layout.IMS_SUFFIX`; both are
documented by IBM. What stands between is IBM material for most codes and not public: the bodies declared in
ims_*.py are this project's own, profile imsperf-1, and never used on a log of a real IMS. A changed byte in
one of them is a new profile, imsperf-2. Offsets count from LL; a section ends where the suffix begins or,
in a record with entries, where the first entry begins.
"""

from __future__ import annotations

PROFILE = "imsperf-1"
OURS = f"{PROFILE}, layouts of this project"
LEVEL_CHANGES = "IMS 15.2 Release planning, log record changes"
BODY = 6  # bytes before the body: LL, ZZ, code, subcode
