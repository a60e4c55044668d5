"""The frames of the protocol page: one datagram is one frame. `decode` takes one apart, `encode` puts one together."""
from __future__ import annotations

import io
import struct
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Any

import cbor2

MAXIMUM_OF_CONTROL_FRAME = 128
MAXIMUM_OF_NAME = 32
HEADER = struct.Struct(">BBI")


class Kind(IntEnum):
    """The first byte of a frame. Only those that version 1 speaks."""

    HELLO = 0x01
    GOODBYE = 0x02
    PING = 0x03
    PONG = 0x04
    ACKNOWLEDGEMENT = 0x05
    LATEST = 0x10
    QUEUED = 0x11


class Flags(IntFlag):
    """The second byte of a message frame. Version 1 speaks none, or that there is no value."""

    NONE = 0x00
    NO_VALUE = 0x08


class Reason(IntEnum):
    """Why a side says goodbye."""

    GOING_AWAY = 0
    NO_VERSION_IN_COMMON = 1
    PROTOCOL_BROKEN = 2
    NOT_WANTED = 3
    NEWER_CONNECTION = 4
    STREAMS_LOST = 5


class Fault(IntEnum):
    """What a peer did wrong, with the reason PROTOCOL_BROKEN."""

    MALFORMED = 1
    WRONG_TIME = 2
    NOT_SPOKEN = 3
    GAP = 4
    WINDOW = 5
    NEVER_ISSUED = 6
    TOO_LONG = 7
    SAME_ROLE = 8


class ProtocolError(Exception):
    """The peer broke the protocol: it is told goodbye with this fault."""

    def __init__(self, fault: Fault, what: str) -> None:
        super().__init__(what)
        self.fault = fault


@dataclass(frozen=True)
class Control:
    """A control frame: its kind and its map, with the keys that this version does not know."""

    kind: Kind
    fields: dict[int, Any]


@dataclass(frozen=True)
class Message:
    """A message frame: a queued message or a latest value. Its number is the sequence or the revision."""

    kind: Kind
    number: int
    name: str | None
    payload: Any = None
    flags: Flags = Flags.NONE


Frame = Control | Message


def encode(frame: Frame) -> bytes:
    """The bytes of a frame, in the deterministic encoding that a sender owes."""
    if isinstance(frame, Control):
        return bytes([frame.kind]) + item(frame.fields)
    parts = [HEADER.pack(frame.kind, frame.flags, frame.number)]
    if frame.name is not None:
        parts.append(item(frame.name))
    if frame.flags != Flags.NO_VALUE:
        parts.append(item(frame.payload))
    return b"".join(parts)


def item(value: Any) -> bytes:
    """One CBOR item: shortest heads, known lengths, map keys ascending."""
    return cbor2.dumps(value, canonical=True)


def decode(data: bytes) -> Frame:
    """The frame that some bytes are. Raises `ProtocolError` where they are none that version 1 speaks."""
    try:
        kind = Kind(data[0])
    except ValueError:
        raise ProtocolError(Fault.NOT_SPOKEN, f"kind {data[0]:#04x}") from None
    if kind in (Kind.LATEST, Kind.QUEUED):
        return decode_message(kind, data)
    if len(data) > MAXIMUM_OF_CONTROL_FRAME:
        raise ProtocolError(Fault.TOO_LONG, f"a control frame of {len(data)} bytes")
    (fields,) = items(data[1:], count=1, depth=8)
    if not isinstance(fields, dict) or not all(type(key) is int and 0 <= key <= 31 for key in fields):
        raise ProtocolError(Fault.MALFORMED, f"the map of a control frame is {fields!r}")
    return Control(kind, fields)


def decode_message(kind: Kind, data: bytes) -> Message:
    """A message frame. What is not to be read in its body is a fault, too: the watch has no reason to send such."""
    if len(data) < HEADER.size:
        raise ProtocolError(Fault.MALFORMED, "a message frame without a header")
    _, flags, number = HEADER.unpack_from(data)
    if flags not in (Flags.NONE, Flags.NO_VALUE):
        raise ProtocolError(Fault.NOT_SPOKEN, f"flags {flags:#04x}")
    if number == 0:
        raise ProtocolError(Fault.MALFORMED, "a message with number 0")
    body = data[HEADER.size:]
    if flags == Flags.NO_VALUE and kind == Kind.QUEUED:
        items(body, count=0, depth=0)
        return Message(kind, number, None, flags=Flags.NO_VALUE)
    name, *payload = items(body, count=1 if flags == Flags.NO_VALUE else 2, depth=16)
    if not isinstance(name, str) or not 1 <= len(name.encode()) <= MAXIMUM_OF_NAME:
        raise ProtocolError(Fault.MALFORMED, f"a message under the name {name!r}")
    return Message(kind, number, name, payload[0] if payload else None, Flags(flags))


def items(data: bytes, count: int, depth: int) -> list[Any]:
    """So many CBOR items and nothing behind them, none nested deeper than that."""
    file = io.BytesIO(data)
    decoder = cbor2.CBORDecoder(file, allow_duplicate_keys=False, max_depth=max(depth, 1))
    try:
        values = [decoder.decode() for _ in range(count)]
    except cbor2.CBORDecodeError as error:
        raise ProtocolError(Fault.MALFORMED, str(error)) from error
    if file.tell() != len(data):
        raise ProtocolError(Fault.MALFORMED, f"{len(data) - file.tell()} bytes behind a frame")
    return values
