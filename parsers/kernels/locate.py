"""Kernels that find what is where in a record: type and subtype, sections by triplet, entries."""

from __future__ import annotations

from typing import Any

import numpy as np

from imsperf.kernels import inner, kernel
from imsperf.kinds import Op
from imsperf.parsers.kernels.loads import I32, I64, U8, word16, word32
from imsperf.parsers.kernels.packed import packed_value

# SMF flag bits and header forms (bytes).
_SUBTYPES, _EXTENDED, _EXTENDED_TYPE = 0x40, 0x20, 126
_SHORT, _STANDARD, _LONG = 18, 24, 56

# A key holds system id (32 bits), type (15), whether there is a subtype (1), subtype (16).
HAS_SUBTYPE, TYPE_BITS, SYSTEM_BITS = 1 << 16, 17, 32
_TYPE_MASK = 0x7FFF  # types go up to 2047
_SHARED = 4  # times the bytes of a record that sections of one layout may take, some shared; and
# times the links of a chain that it has room for, of all its chains together
NO_HEADER = -1  # key of a record too short for a header
OUTSIDE, SHARED = 1, 2  # sections at fault
NO_TIME = -(1 << 63)  # of a record without a valid date and time
_DATE, _DAY_CS, _DAY_US = int(Op.PACKED_DATE), 8_640_000, 86_400_000_000
RECORDS, BYTES, FIRST, LAST = range(4)  # columns of a tally


@kernel
def smf_headers(buffer: U8, starts: I64, lengths: I32, keys: I64, form: I32, times: I64) -> None:
    """System, type and subtype of each record as one number, the bytes of its header, its time.

    The 24-byte header is told by X'40' alone; type byte 126 with X'60': the real type is at +52.
    Times are local microseconds since 1970, NO_TIME where date or time of day is none.
    """
    date, day, is_day = np.int64(-1), np.int64(0), False  # dates repeat, so the last one is kept
    for i in range(starts.size):
        at = starts[i]
        if lengths[i] < _SHORT:
            keys[i], form[i], times[i] = NO_HEADER, 0, NO_TIME
            continue
        flags = np.int64(buffer[at + 4])
        kind: Any = np.int64(buffer[at + 5])
        key = word32(buffer, at + 14) << SYSTEM_BITS
        form[i] = _SHORT
        if flags & _SUBTYPES and lengths[i] >= _STANDARD:
            form[i] = _STANDARD
            if kind == _EXTENDED_TYPE and flags & _EXTENDED and lengths[i] >= _LONG:
                kind, form[i] = word16(buffer, at + 52) & _TYPE_MASK, _LONG
            key |= HAS_SUBTYPE | word16(buffer, at + 22)
        keys[i] = key | kind << TYPE_BITS
        clock = word32(buffer, at + 6)
        if word32(buffer, at + 10) != date:
            date = word32(buffer, at + 10)
            day, flag = packed_value(date, _DATE)
            is_day = flag == 0
        times[i] = day * _DAY_US + clock * 10_000 if is_day and clock < _DAY_CS else NO_TIME


@kernel
def log_keys(buffer: U8, starts: I64, lengths: I32, least: int, keys: I64) -> None:
    """Code and the byte after it (IMS log): code << 8 | subcode; a record too short gets -1."""
    for i in range(starts.size):
        keys[i] = word16(buffer, starts[i] + 4) if lengths[i] >= least else NO_HEADER


@kernel
def group_keys(keys: I64, table: I64, slot: I32, distinct: I64, ids: Any) -> int:
    """Number the distinct keys in order of appearance; -1 if there are more than `distinct` holds.

    `table` and `slot` are an open-addressing hash table, a power of two, `slot` filled with -1.
    """
    mask, count, last, last_id = table.size - 1, 0, np.int64(0), -1
    for i in range(keys.size):
        key = keys[i]
        if key != last or last_id < 0:
            place = (key ^ (key >> 17) ^ (key >> 33)) & mask
            while slot[place] >= 0 and table[place] != key:
                place = (place + 1) & mask
            if slot[place] < 0:
                if count == distinct.size:
                    return -1
                table[place], slot[place], distinct[count] = key, count, key
                count += 1
            last, last_id = key, slot[place]
        ids[i] = last_id
    return count


@kernel
def tally(ids: Any, lengths: I32, times: I64, sums: I64) -> int:
    """Records, bytes, first and last time of each group; without a time both stay NO_TIME.

    Gives how many records have no time.
    """
    untimed = 0
    for group in range(sums.shape[0]):
        sums[group, RECORDS], sums[group, BYTES] = 0, 0
        sums[group, FIRST], sums[group, LAST] = NO_TIME, NO_TIME
    for i in range(ids.size):
        group, time = ids[i], times[i]
        sums[group, RECORDS] += 1
        sums[group, BYTES] += lengths[i]
        if time == NO_TIME:
            untimed += 1
            continue
        if time > sums[group, LAST]:
            sums[group, LAST] = time
        if time < sums[group, FIRST] or sums[group, FIRST] == NO_TIME:
            sums[group, FIRST] = time
    return untimed


@kernel
def check_triplets(
    buffer: U8, starts: I64, lengths: I32, places: I64, least: I64,
    extent: I32, fault: I32, ends: I64, begins: I64, limits: I64,
) -> None:  # fmt: skip
    """Check all triplets of each record. `places` rise; `least[t]` bytes hold one field.

    extent[i] is where the header ends: at the first section. A triplet past it is absent, as in a
    record of an older level. fault[i] is the first triplet whose sections are not inside the
    record, or -1; ends[i] is where they would end, or below zero: they overlap those of triplet
    -1 - ends[i]. `begins` and `limits` have room for a number of each triplet.
    """
    for i in range(starts.size):
        extent[i], fault[i] = lengths[i], -1
        for t in range(places.size):
            begins[t] = limits[t] = 0
        for t in range(places.size):
            after = places[t] + 8
            if after > extent[i]:
                break
            at = starts[i] + places[t]
            offset, size = word32(buffer, at), word16(buffer, at + 4)
            end = offset + size * word16(buffer, at + 6)
            if offset == 0 or end == offset:
                continue
            if offset < after or end > lengths[i] or size < least[t]:
                fault[i], ends[i] = t, end
                break
            for u in range(t):
                if offset < limits[u] and begins[u] < end:
                    fault[i], ends[i] = t, -1 - u
            if fault[i] >= 0:
                break
            begins[t], limits[t] = offset, end
            extent[i] = min(extent[i], offset)


@kernel
def read_triplets(
    buffer: U8, starts: I64, extent: I32, place: int, offset: I64, size: I64, number: I64
) -> None:
    """One triplet of each record; number 0 where the section is absent."""
    for i in range(starts.size):
        number[i] = 0
        if place + 8 <= extent[i]:
            at = starts[i] + place
            offset[i], size[i] = word32(buffer, at), word16(buffer, at + 4)
            if offset[i] != 0 and size[i] != 0:
                number[i] = word16(buffer, at + 6)


@kernel
def read_numbers(buffer: U8, starts: I64, lengths: I32, at: int, width: int, out: I64) -> None:
    """An unsigned integer of at most 4 bytes in each section; 0 where it is past the end."""
    if width == 4:
        for i in range(starts.size):
            out[i] = word32(buffer, starts[i] + at) if at + 4 <= lengths[i] else 0
    elif width == 2:
        for i in range(starts.size):
            out[i] = word16(buffer, starts[i] + at) if at + 2 <= lengths[i] else 0
    else:
        for i in range(starts.size):
            value = np.int64(0)
            if at + width <= lengths[i]:
                for k in range(width):
                    value = value << 8 | np.int64(buffer[starts[i] + at + k])
            out[i] = value


@kernel
def fit_inside(
    starts: I64, lengths: I32, record: I64, base: I64, room: I64, least: int,
    offset: I64, size: I64, number: I64, bad: Any,
) -> int:  # fmt: skip
    """Hold sections that stand one after another, at `offset` from `base`, against their records.

    There is a row for each place where some stand; those of a record are neighbours. `room`: bytes
    that are there for them, where these are known; sections past it are left out. bad[i] is
    OUTSIDE: they end behind their record; SHARED: those of the record take several times its bytes.
    Gives how many places are bad.
    """
    faults, first, total = 0, 0, np.int64(0)
    for i in range(number.size):
        bad[i] = 0
        if i > 0 and record[i] != record[i - 1]:
            faults += _share(lengths[record[i - 1]], first, i, total, size, number, bad)
            first, total = i, np.int64(0)
        if room.size:
            left = max(room[i] - offset[i], 0)
            size[i] = min(size[i], left)
            number[i] = min(number[i], left // max(size[i], 1)) if size[i] >= least else 0
        if number[i] > 0:
            left = starts[record[i]] + lengths[record[i]] - base[i] - offset[i]
            # each factor is at most `left`: what is multiplied then is not beyond 64 bits
            far = size[i] > left or number[i] > left or number[i] * size[i] > left
            if far or size[i] < least:
                bad[i], faults = OUTSIDE, faults + 1
            else:
                total += number[i] * size[i]
    if number.size:
        faults += _share(lengths[record[-1]], first, number.size, total, size, number, bad)
    return faults


@inner
def _share(length: Any, first: Any, end: Any, total: Any, size: I64, number: I64, bad: Any) -> Any:
    """Mark the places of a record, those from row `first` on, if their sections take too much."""
    faults = 0
    if total > _SHARED * np.int64(length):
        for i in range(first, end):
            if bad[i] == 0 and number[i] * size[i] > 0:
                bad[i], faults = SHARED, faults + 1
    return faults


@kernel
def number_sections(row: I64, of_row: I64, counts: I64, record: I64, section: I32) -> None:
    """The record of each section, its number there from 1, and how many each record has; `row` is
    its parent, `of_row` the record of a parent."""
    counts[:] = 0
    for i in range(row.size):
        record[i] = of_row[row[i]]
        counts[record[i]] += 1
        section[i] = counts[record[i]]


@kernel
def follow_chains(
    buffer: U8, starts: I64, lengths: I32, first: I64, least: int, next_at: int,
    row: I64, offset: I64, bad: I64,
) -> int:  # fmt: skip
    """Links of all chains: the chain of each and its offset; `bad` counts them before a bad link.

    A chain that comes back to where it was has more links than the record has room for; those of a
    record that share links have at most a few times as many. Gives the number of links, which may
    pass what `row` holds: then call again with more room.
    """
    total, room, in_record = 0, row.size, 0
    for i in range(starts.size):
        bad[i] = -1
        count, at, most = 0, first[i], lengths[i] // max(least, 1) + 1
        if i == 0 or starts[i] != starts[i - 1]:
            in_record = 0
        while at != 0:
            outside = at < 18 or at + max(least, next_at + 4) > lengths[i]
            if outside or count == most or in_record == _SHARED * most:
                bad[i] = count
                break
            in_record += 1
            if total < room:
                row[total], offset[total] = i, at
            total += 1
            count += 1
            at = word32(buffer, starts[i] + at + next_at)
    return total


# Columns of `how` entries of a log record stand: -1 where a record has no such place or number.
START, START_AT, COUNT_AT, NUMBER, LENGTH_AT, SIZE, MORE_AT, LEAST, HOW_WIDTH = range(9)
FITS, PAST_END, TOO_SHORT, IN_PREFIX = range(-1, 3)


@kernel
def read_entries(
    buffer: U8, starts: I64, lengths: I32, how: I64,
    offset: I64, size: I64, number: I64, fault: I32, ends: I64,
) -> None:  # fmt: skip
    """Entries of each log record, `lengths` without its suffix, and what is wrong with them.

    `size` is the length of an entry, or the part of it that all have where each says its own.
    """
    prefix = max(how[START_AT] + 4, how[COUNT_AT] + 2, how[LENGTH_AT] + 2)
    for i in range(starts.size):
        at = starts[i]
        offset[i], size[i], number[i] = how[START], how[SIZE], how[NUMBER]
        fault[i], ends[i] = FITS, 0
        if prefix > lengths[i]:
            fault[i], number[i], ends[i] = PAST_END, 0, prefix
            continue
        if how[START_AT] >= 0:
            offset[i] = word32(buffer, at + how[START_AT])
            if offset[i] == 0:
                number[i] = 0
            elif offset[i] < prefix:
                fault[i] = IN_PREFIX
        if how[LENGTH_AT] >= 0:
            size[i] = word16(buffer, at + how[LENGTH_AT])
        if how[COUNT_AT] >= 0:
            number[i] = word16(buffer, at + how[COUNT_AT])
        ends[i] = offset[i] + size[i] * number[i]
        short = number[i] != 0 and size[i] < how[LEAST]
        if number[i] < 0:
            number[i], ends[i] = 0, offset[i]
            while ends[i] < lengths[i] and not short:
                step = size[i]
                if how[MORE_AT] >= 0 and ends[i] + step <= lengths[i]:
                    step += word16(buffer, at + ends[i] + how[MORE_AT])
                ends[i] += step
                number[i] += 1
            if ends[i] > lengths[i]:
                fault[i] = PAST_END
        if number[i] > 0 and ends[i] > lengths[i]:
            fault[i] = PAST_END
        elif short and fault[i] < 0:
            fault[i] = TOO_SHORT


@kernel
def spread_entries(
    buffer: U8, starts: I64, offset: I64, size: I64, number: I64, more_at: int,
    record: I64, begin: I64, length: I32, section: I32,
) -> None:  # fmt: skip
    """As `spread`, for entries that say how many bytes follow them; all lie in their records."""
    row = 0
    for i in range(starts.size):
        at = starts[i] + offset[i]
        for n in range(number[i]):
            step = size[i] + word16(buffer, at + more_at)
            record[row], begin[row], length[row], section[row] = i, at, step, n + 1
            row += 1
            at += step


@kernel
def spread(
    starts: I64, offset: I64, size: I64, number: I64,
    record: I64, begin: I64, length: I32, section: I32,
) -> None:  # fmt: skip
    """One row per section: its record's index, place, length, and number in the record from 1."""
    row = 0
    for i in range(starts.size):
        for n in range(number[i]):
            record[row], begin[row] = i, starts[i] + offset[i] + n * size[i]
            length[row], section[row] = size[i], n + 1
            row += 1


@kernel
def copy_bodies(buffer: U8, starts: I64, lengths: I32, skip: int, ends: I64, out: U8) -> None:
    """Records without their first `skip` bytes, one after another."""
    for i in range(starts.size):
        at, put = starts[i] + skip, ends[i]
        for j in range(ends[i + 1] - put):
            out[np.uint64(put + j)] = buffer[np.uint64(at + j)]


# What `order` holds between calls of `follow_lsn`; columns of an event.
PREVIOUS, HIGHEST, IN_REPEAT, ORDER_WIDTH = range(4)
EVENT_ROW, EVENT_FROM, EVENT_TO, EVENT_KIND = range(4)
GAP, REPEAT = range(2)


@kernel
def follow_lsn(lsn: Any, order: Any, events: Any) -> int:
    """Runs of missing and of repeated log sequence numbers; the count may pass what `events` holds.

    A gap event gives the first and last number missing; a repeat the number that was not above
    the highest before, and that highest. `order` is all zero at the start of a file.
    """
    count, none, step = 0, np.uint64(0), np.uint64(1)
    for i in range(lsn.size):
        now, high = lsn[i], order[HIGHEST]
        if high != none and now <= high:
            if order[IN_REPEAT] == none or now <= order[PREVIOUS]:
                if count < events.shape[0]:
                    events[count, EVENT_ROW], events[count, EVENT_KIND] = i, REPEAT
                    events[count, EVENT_FROM], events[count, EVENT_TO] = now, high
                count += 1
            order[IN_REPEAT] = 1
        else:
            if high != none and now - high > step:
                if count < events.shape[0]:
                    events[count, EVENT_ROW], events[count, EVENT_KIND] = i, GAP
                    events[count, EVENT_FROM], events[count, EVENT_TO] = high + step, now - step
                count += 1
            order[IN_REPEAT], order[HIGHEST] = 0, now
        order[PREVIOUS] = now
    return count
