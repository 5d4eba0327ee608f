"""Blocks of the accounting records SMF 116.1 and 116.2 that both have: WTID and WQ.

Elapsed and CPU times are sums in TOD units, 1/4096 us; fields of 8 bytes need not be aligned. Coupling facility
figures are arrays by verb, kind of request and figure, the last index running fastest. Kinds: lock, unlock, write
list control, signal by XCF, signal by CF, read, write, start monitor, stop monitor, read list, new, move, move entry,
delete, then 6 not used. Figures: requests, synchronous requests, their time in us, asynchronous requests, their time
in us.
"""

from __future__ import annotations

from imsperf.kinds import array, flags2, opaque, s4, text, tod, u2, u4, u8
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.mq import SOURCE

# fmt: off


def wtid(table: str, confidence: str = "2src") -> Section:
    """Who a thread is."""
    return Section(table, "The thread a record is about", f"{SOURCE} wtid", 208, (
        #  +dec  name         kind         meaning
        F(   0, "wtidshex",  u2,          "Block identifier"),
        F(   2, "wtidlen",   u2,          "Length the block states", "bytes"),
        F(   4, "wtideyec",  text(4),     "Eye catcher, WTID"),
        F(   8, "wtidatyp",  s4,          "Who is connected: 1 CICS, 2 batch or TSO, 3 IMS control region, 4 IMS dependent region, 5 command server, 6 channel initiator, 7 RRS, 8 intra-group queuing"),
        F(  12, "wtidccn",   text(8),     "Connection name: the job"),
        F(  20, "wtidopid",  text(8),     "User the work runs for"),
        F(  28, "wtidnid",   opaque(16),  "Network identifier"),
        F(  44, "wtidcori",  opaque(12),  "Correlation identifier, text or not"),
        F(  56, "wtiduowi",  opaque(24),  "Unit of work"),
        F(  80, "wtidacct",  opaque(22),  "Accounting token"),
        F( 102, "wtidchl",   text(20),    "Channel, where the work came by one"),
        F( 122, "wtidchlc",  text(48),    "Connection name of the channel"),
        F( 170, "wtidctxt",  opaque(16),  "Context token"),
        F( 186, "wtidtran",  text(8),     "User of the z/OS security environment"),
        # +194: 2 reserved bytes
        F( 196, "wtidcfwd",  u4,          "Address of the next block"),
        F( 200, "wtidcbwd",  u4,          "Address of the block before"),
        F( 204, "wtidwtas",  u4,          "Address of the thread's WTAS"),
    ), confidence, reserved=((194, 2),))


def wq(table: str, confidence: str = "2src") -> Section:
    """What a thread did with a queue."""
    return Section(table, "One queue, or topic, that a thread used", f"{SOURCE} wq", 2800, (
        #  +dec  name              kind             meaning
        F(   0, "wqid",           u2,              "Block identifier"),
        F(   2, "wqll",           u2,              "Length the block states", "bytes"),
        F(   4, "wqeye",          text(4),         "Eye catcher, WQST"),
        F(   8, "wqver",          s4,              "Version of the block"),
        F(  12, "wqnext",         u4,              "Address of the next block"),
        F(  16, "correl",         opaque(16),      "Link to the thread: bytes 8 to 23 of its WTAS"),
        F(  32, "objname",        text(48),        "Name the queue was opened by"),
        F(  80, "basename",       text(48),        "Queue the name led to"),
        F( 128, "opentime",       tod,             "Opened, UTC"),
        F( 136, "clostime",       tod,             "Closed, UTC; none while open"),
        F( 144, "qtype",          s4,              "What was opened: 1 local queue, 2 model queue, 3 alias, 6 remote queue, 7 cluster queue, 8 topic"),
        F( 148, "indxtype",       s4,              "Index: 0 none, 1 message id, 2 correlation id, 4 token, 5 group id"),
        F( 152, "qsgdisp",        s4,              "Belongs to: 0 queue manager, 1 copy of a group object, 2 shared, 3 group, 4 private"),
        F( 156, "openeye",        text(4),         "Eye catcher before the MQOPEN figures"),
        F( 160, "openet",         u8,              "MQOPEN: elapsed time", "1/4096 us"),
        F( 168, "openct",         u8,              "MQOPEN: CPU time", "1/4096 us"),
        F( 176, "openn",          u4,              "MQOPEN calls", "requests"),
        F( 180, "closeeye",       text(4),         "Eye catcher before the MQCLOSE figures"),
        F( 184, "closeet",        u8,              "MQCLOSE: elapsed time", "1/4096 us"),
        F( 192, "closect",        u8,              "MQCLOSE: CPU time", "1/4096 us"),
        F( 200, "closen",         u4,              "MQCLOSE calls", "requests"),
        F( 204, "geteye",         text(4),         "Eye catcher before the MQGET figures"),
        F( 208, "getet",          u8,              "MQGET: elapsed time", "1/4096 us"),
        F( 216, "getct",          u8,              "MQGET: CPU time", "1/4096 us"),
        F( 224, "getn",           u4,              "MQGET calls", "requests"),
        F( 228, "getbrwa",        u4,              "MQGET: browses, any message", "requests"),
        F( 232, "getbrws",        u4,              "MQGET: browses, a certain message", "requests"),
        F( 236, "geta",           u4,              "MQGET: destructive, any message", "requests"),
        F( 240, "gets",           u4,              "MQGET: destructive, a certain message", "requests"),
        F( 244, "geterr",         u4,              "MQGET: did not succeed", "requests"),
        F( 248, "getjwet",        u8,              "MQGET: time of log writes", "1/4096 us"),
        F( 256, "getjwn",         u4,              "MQGET: log writes", "requests"),
        F( 260, "getpset",        u8,              "MQGET: time of page set reads", "1/4096 us"),
        F( 268, "getpsn",         u4,              "MQGET: page set reads", "requests"),
        F( 272, "getsuset",       u8,              "MQGET: time suspended", "1/4096 us"),
        F( 280, "getsusn",        u4,              "MQGET: times suspended"),
        F( 284, "getepage",       u4,              "MQGET: pages without a message skipped", "pages"),
        F( 288, "getsmsg",        u4,              "MQGET: messages skipped"),
        F( 292, "getexmsg",       u4,              "MQGET: messages found expired"),
        F( 296, "puteye",         text(4),         "Eye catcher before the MQPUT figures"),
        F( 300, "putet",          u8,              "MQPUT: elapsed time", "1/4096 us"),
        F( 308, "putct",          u8,              "MQPUT: CPU time", "1/4096 us"),
        F( 316, "putn",           u4,              "MQPUT calls", "requests"),
        F( 320, "putjwet",        u8,              "MQPUT: time of log writes", "1/4096 us"),
        F( 328, "putjwn",         u4,              "MQPUT: log writes", "requests"),
        F( 332, "putsuset",       u8,              "MQPUT: time suspended", "1/4096 us"),
        F( 340, "putsusn",        u4,              "MQPUT: times suspended"),
        F( 344, "putpset",        u8,              "MQPUT: time of page set accesses", "1/4096 us"),
        F( 352, "putpsn",         s4,              "MQPUT: page set accesses", "requests"),
        F( 356, "put1eye",        text(4),         "Eye catcher before the MQPUT1 figures"),
        F( 360, "put1et",         u8,              "MQPUT1: elapsed time", "1/4096 us"),
        F( 368, "put1ct",         u8,              "MQPUT1: CPU time", "1/4096 us"),
        F( 376, "put1n",          u4,              "MQPUT1 calls", "requests"),
        F( 380, "put1jwet",       u8,              "MQPUT1: time of log writes", "1/4096 us"),
        F( 388, "put1jwn",        u4,              "MQPUT1: log writes", "requests"),
        F( 392, "put1suset",      u8,              "MQPUT1: time suspended", "1/4096 us"),
        F( 400, "put1susn",       u4,              "MQPUT1: times suspended"),
        F( 404, "put1pset",       u8,              "MQPUT1: time of page set accesses", "1/4096 us"),
        F( 412, "put1psn",        s4,              "MQPUT1: page set accesses", "requests"),
        F( 416, "inqeye",         text(4),         "Eye catcher before the MQINQ figures"),
        F( 420, "inqet",          u8,              "MQINQ: elapsed time", "1/4096 us"),
        F( 428, "inqct",          u8,              "MQINQ: CPU time", "1/4096 us"),
        F( 436, "inqn",           u4,              "MQINQ calls", "requests"),
        F( 440, "seteye",         text(4),         "Eye catcher before the MQSET figures"),
        F( 444, "setet",          u8,              "MQSET: elapsed time", "1/4096 us"),
        F( 452, "setct",          u8,              "MQSET: CPU time", "1/4096 us"),
        F( 460, "setn",           u4,              "MQSET calls", "requests"),
        F( 464, "setjwet",        u8,              "MQSET: time of log writes", "1/4096 us"),
        F( 472, "setjwn",         u4,              "MQSET: log writes", "requests"),
        F( 476, "nps",            u4,              "Page set"),
        F( 480, "cfstrucname",    text(12),        "Coupling facility structure of a shared queue"),
        F( 492, "nbuffpool",      u4,              "Buffer pool"),
        F( 496, "putbytes",       u8,              "Messages put: size", "bytes"),
        F( 504, "getbytes",       u8,              "Messages got: size", "bytes"),
        F( 512, "validput",       u4,              "Puts that succeeded", "requests"),
        F( 516, "validget",       u4,              "Gets that succeeded", "requests"),
        F( 520, "ngen",           u4,              "Messages MQ made itself"),
        F( 524, "getmaxms",       s4,              "Longest message got", "bytes"),
        F( 528, "getminms",       s4,              "Shortest message got; X'0FFFFFFF' there was none", "bytes"),
        F( 532, "putmaxms",       s4,              "Longest message put", "bytes"),
        F( 536, "putminms",       s4,              "Shortest message put; X'0FFFFFFF' there was none", "bytes"),
        F( 540, "maxlatnt",       u8,              "Time of a message on the queue: longest", "1/4096 us"),
        F( 548, "minlatnt",       u8,              "Time of a message on the queue: shortest", "1/4096 us"),
        F( 556, "totlatnt",       u8,              "Time of messages on the queue: sum", "1/4096 us"),
        F( 564, "wqback",         u4,              "Address of the block before"),
        F( 568, "use_count",      s4,              "Uses now"),
        F( 572, "total_use",      s4,              "Uses, all"),
        F( 576, "getpmsg",        s4,              "MQGET: persistent messages"),
        F( 580, "putpmsg",        s4,              "MQPUT: persistent messages"),
        F( 584, "put1pmsg",       s4,              "MQPUT1: persistent messages"),
        F( 588, "maxqdpth",       s4,              "Depth of the queue, most seen"),
        F( 592, "flags",          flags2,          "Flags: X'8000' no accounting for the queue, X'4000' a topic, X'2000' ACCTQ was altered"),
        # +594: 2 reserved bytes
        F( 596, "getdval",        u4,              "MQGET: destructive, data returned", "requests"),
        F( 600, "getjcet",        u8,              "MQGET: time of log forces", "1/4096 us"),
        F( 608, "getjcn",         u4,              "MQGET: log forces", "requests"),
        F( 612, "putpwg",         u4,              "MQPUT: given straight to a waiting get", "requests"),
        F( 616, "putjcet",        u8,              "MQPUT: time of log forces", "1/4096 us"),
        F( 624, "putjcn",         u4,              "MQPUT: log forces", "requests"),
        F( 628, "put1pwg",        u4,              "MQPUT1: given straight to a waiting get", "requests"),
        F( 632, "put1jcet",       u8,              "MQPUT1: time of log forces", "1/4096 us"),
        F( 640, "put1jcn",        u4,              "MQPUT1: log forces", "requests"),
        F( 644, "setjcet",        u8,              "MQSET: time of log forces", "1/4096 us"),
        F( 652, "setjcn",         u4,              "MQSET: log forces", "requests"),
        F( 656, "putdsq",         u4,              "Puts to a shared queue", "requests"),
        F( 660, "putigq",         u4,              "MQPUT: by intra-group queuing", "requests"),
        F( 664, "put1igq",        u4,              "MQPUT1: by intra-group queuing", "requests"),
        # +668: 4 reserved bytes
        F( 672, "selcount",       u4,              "MQGET: with a selector", "requests"),
        F( 676, "selmaxln",       u4,              "Longest selector", "bytes"),
        F( 680, "cbeye",          text(4),         "Eye catcher before the MQCB figures"),
        F( 684, "cbet",           u8,              "MQCB: elapsed time", "1/4096 us"),
        F( 692, "cbct",           u8,              "MQCB: CPU time", "1/4096 us"),
        F( 700, "cbn",            u4,              "MQCB calls", "requests"),
        F( 704, "opensuet",       u8,              "MQOPEN: time suspended", "1/4096 us"),
        F( 712, "opensun",        u4,              "MQOPEN: times suspended"),
        F( 716, "closesuet",      u8,              "MQCLOSE: time suspended", "1/4096 us"),
        F( 724, "closesun",       u4,              "MQCLOSE: times suspended"),
        F( 728, "opencf0",        u4,              "MQOPEN calls that left the coupling facility alone"),
        F( 732, "closecf0",       u4,              "MQCLOSE calls that left the coupling facility alone"),
        F( 736, "mqcfreq",        array(u4, 500),  "Coupling facility work of open, close, get, put, put1: each 20 kinds by five figures"),
        F(2736, "publishedn",     u4,              "Messages published"),
        # +2740: 12 reserved bytes
        F(2752, "topicopensrb",   u8,              "Topic, open: CPU time under an SRB", "1/4096 us"),
        F(2760, "topicputsrb",    u8,              "Topic, put: CPU time under an SRB", "1/4096 us"),
        F(2768, "topicput1srb",   u8,              "Topic, put1: CPU time under an SRB", "1/4096 us"),
        F(2776, "topicclosesrb",  u8,              "Topic, close: CPU time under an SRB", "1/4096 us"),
        F(2784, "putddly",        u4,              "Puts with a delivery delay"),
        # +2788: 4 reserved bytes
        F(2792, "streamedn",      u4,              "Messages copied to a stream queue"),
        # +2796: 4 reserved bytes
    ), confidence, levels=(("MQ 8.0", 2792),), reserved=((594, 2), (668, 4), (2740, 12), (2788, 4), (2796, 4)))
