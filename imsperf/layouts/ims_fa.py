"""IMS log code FA as a BMC product writes it: one record for each transaction.

A0 to FF are codes for users, so only the user knows what an FA is: profile bmc-fa, by option. The vendor's page lists
names and offsets of a fixed part; more of the record follows and is not described here.
"""

from __future__ import annotations

from imsperf.kinds import text, u1, u2
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.record import LogRecord

# fmt: off

PROFILE = "bmc-fa"

TRANSACTION = Section("ims_fa_bmc", "Transaction record of a BMC product, the fixed part that is published", "BMC MainView for IMS Offline 5.2, transaction log record", 31, (
    F(   5, "trnrctyp", text(1), "Record type"),
    F(   6, "trnpstnr", u2,      "Region number"),
    F(   8, "trnopsys", text(3), "z/OS version and release as text"),
    F(  11, "trnsmqfl", u1,      "X'01' shared queues, X'80' detail trace incomplete"),
    F(  12, "trnims",   text(4), "IMS release as text"),
    F(  16, "trnimf",   text(4), "Release of the product as text"),
    F(  20, "trnimsid", text(4), "IMS id"),
    F(  24, "trnsmfid", text(4), "SMF id of the system"),
    F(  28, "trnsysid", text(1), "Id the product gives the IMS"),
    F(  29, "trnflag1", text(1), "LSO option in force: N Y X S"),
    F(  30, "trntmerr", u1,      "Not zero: the CPU times are wrong"),
), "1src")

RECORDS = (LogRecord(0xFA, None, "BMC transaction", TRANSACTION),)
