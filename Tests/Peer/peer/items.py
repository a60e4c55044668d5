"""CBOR as a receiver of the protocol page takes it: what it reads has a definite length, what it skips is only well-formed."""
from __future__ import annotations

from typing import Any

import cbor2

DEEPEST_NESTING = 16
UNSIGNED, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE = 0, 2, 3, 4, 5, 6, 7
BREAK = 0xFF


class Malformed(Exception):
    """The bytes are no CBOR that a receiver takes."""


def end_of_item(data: bytes, start: int, levels: int = DEEPEST_NESTING) -> int:
    """The end of the item that begins at `start`, with at most this number of levels of arrays, maps and tags (RFC 8949, appendix C)."""
    major, argument, is_indefinite, offset = head(data, start)
    if major in (BYTES, TEXT) and not is_indefinite:
        offset += argument
        if offset > len(data):
            raise Malformed("a string that ends too soon")
    elif major in (BYTES, TEXT, ARRAY, MAP, TAG):
        if levels == 0:
            raise Malformed("nested too deep")
        if is_indefinite:
            offset = end_of_open_item(data, offset, major, levels)
        else:
            for _ in range({ARRAY: argument, MAP: 2 * argument}.get(major, 1)):
                offset = end_of_item(data, offset, levels - 1)
    return offset


def end_of_open_item(data: bytes, offset: int, major: int, levels: int) -> int:
    """Where an item of indefinite length ends, behind its head: after a break."""
    count = 0
    while data[offset:offset + 1] != bytes([BREAK]):
        if major in (BYTES, TEXT) and head(data, offset)[:3:2] != (major, False):
            raise Malformed("a chunk of another kind")
        offset = end_of_item(data, offset, levels - 1)
        count += 1
    if major == MAP and count % 2:
        raise Malformed("a key without a value")
    return offset + 1


def head(data: bytes, start: int) -> tuple[int, int, bool, int]:
    """The major type of an item, its argument, whether its length is indefinite, and where its head ends."""
    if start >= len(data):
        raise Malformed("an item that ends too soon")
    major, low = data[start] >> 5, data[start] & 0x1F
    size = 1 << (low - 24) if 24 <= low < 28 else 0
    end = start + 1 + size
    if 28 <= low < 31 or low == 31 and major not in (BYTES, TEXT, ARRAY, MAP) or end > len(data):
        raise Malformed("no head of an item")
    argument = int.from_bytes(data[start + 1:end], "big") if size else low
    if major == SIMPLE and low == 24 and argument < 32:
        raise Malformed("a simple value in two bytes")
    return major, argument, low == 31, end


def value(data: bytes) -> Any:
    """What one whole item says; its bytes if it is of indefinite length or not valid, so that no caller takes it for more."""
    major, _, is_indefinite, _ = head(data, 0)
    if is_indefinite:
        return data
    # A map of the page has small integers as keys; a payload may have any.
    if major == MAP and (found := fields(data)):
        return found
    try:
        return cbor2.loads(data)
    except (cbor2.CBORDecodeError, UnicodeDecodeError):
        return data


def fields(data: bytes, levels: int = DEEPEST_NESTING) -> dict[int, Any]:
    """The values of the keys 0 to 31 of a map that takes all of the data. Other keys are skipped with their values."""
    major, count, is_indefinite, offset = head(data, 0)
    if major != MAP or is_indefinite:
        raise Malformed("no map of definite length")
    found: dict[int, Any] = {}
    for _ in range(count):
        kind, key, _, _ = head(data, offset)
        start = end_of_item(data, offset, levels - 1)
        offset = end_of_item(data, start, levels - 1)
        if kind != UNSIGNED or key > 31:
            continue
        if key in found:
            raise Malformed(f"key {key} stands twice")
        found[key] = value(data[start:offset])
    if offset != len(data):
        raise Malformed(f"{len(data) - offset} bytes behind the map")
    return found
