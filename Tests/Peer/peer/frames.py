"""The frames of the protocol page: one datagram is one frame. `decode` takes one apart, `encode` puts one together."""
from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Any

import cbor2

from .items import Malformed, end_of_item, fields, value

MAXIMUM_OF_CONTROL_FRAME = 128
MAXIMUM_OF_NAME = 32
HEADER = struct.Struct(">BBI")


class Kind(IntEnum):
    """The first byte of a frame: those that version 2 supports."""

    HELLO = 0x01
    GOODBYE = 0x02
    PING = 0x03
    PONG = 0x04
    ACKNOWLEDGEMENT = 0x05
    LATEST = 0x10
    QUEUED = 0x11
    INTERACTIVE = 0x12
    REPLY = 0x13
    COMPLICATION = 0x14
    FILE = 0x15


class Flags(IntFlag):
    """The second byte of a message frame, without the bit for the origin: no flag, or the flag for no value."""

    NONE = 0x00
    NO_VALUE = 0x08


# The bit of the second byte with which a queued message's origin follows its number.
ORIGIN_FOLLOWS = 0x10


class Reason(IntEnum):
    """Why a side says goodbye."""

    GOING_AWAY = 0
    OTHER_VERSION = 1
    PROTOCOL_BROKEN = 2
    NOT_WANTED = 3
    NEWER_CONNECTION = 4
    STREAMS_LOST = 5
    OTHER_PHONE = 6


class Fault(IntEnum):
    """What a peer did wrong, with the reason PROTOCOL_BROKEN."""

    MALFORMED = 1
    WRONG_TIME = 2
    NOT_SUPPORTED = 3
    GAP = 4
    WINDOW = 5
    NEVER_ISSUED = 6
    TOO_LONG = 7
    SAME_ROLE = 8
    UNASKED = 9
    BROKEN_TRANSFER = 10


class Status(IntEnum):
    """What became of an interactive message."""

    ANSWERED = 0
    NOBODY = 1
    FAILED = 2
    LATE = 3
    BUSY = 4
    MALFORMED = 5
    TOO_LONG = 6


class Parting(Exception):
    """There can be no link with the peer: it gets a goodbye with this reason."""

    def __init__(self, reason: Reason, fault: Fault | None = None, what: str = "") -> None:
        super().__init__(what or reason.name)
        self.reason, self.fault = reason, fault


class ProtocolError(Parting):
    """The peer broke the protocol: the goodbye has this fault, too."""

    fault: Fault

    def __init__(self, fault: Fault, what: str) -> None:
        super().__init__(Reason.PROTOCOL_BROKEN, fault, what)


@dataclass(frozen=True)
class Control:
    """A control frame: its kind and its map, with the keys that this version does not know."""

    kind: Kind
    fields: dict[int, Any]


@dataclass(frozen=True)
class Message:
    """A message frame: a queued message or a latest value. Its number is the sequence or the revision.

    A complication message is a queued one of another kind. The origin is the epoch in which a queued message was issued, 0 for the sender's present one."""

    kind: Kind
    number: int
    name: str | None
    payload: Any = None
    flags: Flags = Flags.NONE
    origin: int = 0


@dataclass(frozen=True)
class Question:
    """An interactive message: its sender waits `patience` milliseconds, for a value or for a receipt alone."""

    number: int
    patience: int
    name: str
    payload: Any = None
    wants_value: bool = True
    kind: Kind = Kind.INTERACTIVE


@dataclass(frozen=True)
class Reply:
    """The reply to an interactive message. Its value is the bytes of one item, or none."""

    number: int
    status: int
    value: bytes = b""
    kind: Kind = Kind.REPLY


class Step(IntEnum):
    """What a file frame says."""

    OFFER = 0
    RESUME = 1
    CHUNK = 2
    CANCEL = 3
    DONE = 4
    PROGRESS = 5
    REFUSAL = 6


class FileReason(IntEnum):
    """Why a transfer ends before the file is stored."""

    CANCELLED = 0
    NO_ROOM = 1
    WRONG_HASH = 2
    NOBODY = 3
    TOO_LARGE = 4
    BUSY = 5
    FAILED = 6
    BAD_LABEL = 7


@dataclass(frozen=True)
class FileFrame:
    """A step of a transfer. An offer has its map, a chunk an offset and content, a cancel and a refusal a reason."""

    number: int
    step: Step
    offset: int = 0
    content: bytes = b""
    reason: int = 0
    fields: dict[int, Any] | None = None
    kind: Kind = Kind.FILE


Frame = Control | Message | Question | Reply | FileFrame

VALUE_WANTED = 0x04
QUESTION = struct.Struct(">BBII")
REPLY = struct.Struct(">BBIB")
FILE = struct.Struct(">BBIB")
OFFSET = struct.Struct(">Q")


def encode(frame: Frame) -> bytes:
    """The bytes of a frame, in the deterministic encoding that a sender owes."""
    if isinstance(frame, Control):
        return bytes([frame.kind]) + item(frame.fields)
    if isinstance(frame, Question):
        head = QUESTION.pack(frame.kind, VALUE_WANTED if frame.wants_value else 0, frame.number, frame.patience)
        return head + item(frame.name) + item(frame.payload)
    if isinstance(frame, Reply):
        return REPLY.pack(frame.kind, 0, frame.number, frame.status) + frame.value
    if isinstance(frame, FileFrame):
        return encode_file(frame)
    parts = [HEADER.pack(frame.kind, frame.flags | (ORIGIN_FOLLOWS if frame.origin else 0), frame.number)]
    if frame.origin:
        parts.append(frame.origin.to_bytes(4, "big"))
    if frame.name is not None:
        parts.append(item(frame.name))
    if frame.flags != Flags.NO_VALUE:
        parts.append(item(frame.payload))
    return b"".join(parts)


def encode_file(frame: FileFrame) -> bytes:
    """The bytes of a step of a transfer."""
    head = FILE.pack(frame.kind, 0, frame.number, frame.step)
    if frame.step is Step.OFFER:
        return head + item(frame.fields)
    if frame.step in (Step.RESUME, Step.PROGRESS, Step.CHUNK):
        return head + OFFSET.pack(frame.offset) + frame.content
    return head if frame.step is Step.DONE else head + bytes([frame.reason])


def item(value: Any) -> bytes:
    """One CBOR item: shortest heads, known lengths, map keys ascending."""
    return cbor2.dumps(value, canonical=True)


def decode(data: bytes) -> Frame:
    """The frame that some bytes are. Raises `ProtocolError` where they are none that version 2 supports."""
    try:
        kind = Kind(data[0])
    except ValueError:
        raise ProtocolError(Fault.NOT_SUPPORTED, f"kind {data[0]:#04x}") from None
    if kind in (Kind.LATEST, Kind.QUEUED, Kind.COMPLICATION):
        return decode_message(kind, data)
    if kind is Kind.INTERACTIVE:
        return decode_question(data)
    if kind is Kind.REPLY:
        return decode_reply(data)
    if kind is Kind.FILE:
        return decode_file(data)
    try:
        found = fields(data[1:])
    except Malformed as error:
        raise ProtocolError(Fault.TOO_LONG if is_too_long(data) else Fault.MALFORMED, str(error)) from None
    if is_too_long(data) and not (kind is Kind.HELLO and is_of_another_version(found)):
        raise ProtocolError(Fault.TOO_LONG, f"a control frame of {len(data)} bytes")
    return Control(kind, found)


def is_too_long(data: bytes) -> bool:
    """Whether a control frame has more bytes than one may have."""
    return len(data) > MAXIMUM_OF_CONTROL_FRAME


def is_of_another_version(hello: dict[int, Any]) -> bool:
    """Whether a hello is of a peer that speaks another version than 2: nothing else of it counts."""
    version = hello.get(0)
    return type(version) is int and 1 <= version <= 255 and version != 2


def decode_message(kind: Kind, data: bytes) -> Message:
    """A message frame. What is not to be read in its body is a fault, too: the watch has no reason to send such."""
    if len(data) < HEADER.size:
        raise ProtocolError(Fault.MALFORMED, "a message frame without a header")
    _, flags, number = HEADER.unpack_from(data)
    origin, start = 0, HEADER.size
    if flags & ORIGIN_FOLLOWS and kind != Kind.LATEST:
        flags, start = flags & ~ORIGIN_FOLLOWS, HEADER.size + 4
        origin = int.from_bytes(data[HEADER.size:start], "big")
        if origin == 0 or len(data) < start:
            raise ProtocolError(Fault.MALFORMED, "an origin of 0, or a cut one")
    if flags not in (Flags.NONE, Flags.NO_VALUE):
        raise ProtocolError(Fault.NOT_SUPPORTED, f"flags {flags:#04x}")
    if number == 0:
        raise ProtocolError(Fault.MALFORMED, "a message with number 0")
    body = data[start:]
    if flags == Flags.NO_VALUE and kind != Kind.LATEST:
        if body:
            raise ProtocolError(Fault.MALFORMED, "a withdrawn message with a body")
        return Message(kind, number, None, flags=Flags.NO_VALUE, origin=origin)
    name, payload = decode_body(body, has_value=flags != Flags.NO_VALUE)
    return Message(kind, number, name, payload, Flags(flags), origin)


def decode_body(body: bytes, has_value: bool = True) -> tuple[str, Any]:
    """The name of a message, and its payload, if it has one."""
    try:
        end_of_name = end_of_item(body, 0)
        end = end_of_item(body, end_of_name) if has_value else end_of_name
        name = value(body[:end_of_name])
        payload = value(body[end_of_name:end]) if end > end_of_name else None
    except Malformed as error:
        raise ProtocolError(Fault.MALFORMED, str(error)) from None
    if end != len(body) or not isinstance(name, str) or not 1 <= len(name.encode()) <= MAXIMUM_OF_NAME:
        raise ProtocolError(Fault.MALFORMED, f"a message under the name {name!r}")
    return name, payload


def decode_question(data: bytes) -> Question:
    """An interactive message."""
    if len(data) < QUESTION.size:
        raise ProtocolError(Fault.MALFORMED, "an interactive message without a header")
    _, flags, number, patience = QUESTION.unpack_from(data)
    if flags not in (0, VALUE_WANTED):
        raise ProtocolError(Fault.NOT_SUPPORTED, f"flags {flags:#04x}")
    if number == 0:
        raise ProtocolError(Fault.MALFORMED, "an exchange with number 0")
    name, payload = decode_body(data[QUESTION.size:])
    return Question(number, patience, name, payload, flags == VALUE_WANTED)


def decode_reply(data: bytes) -> Reply:
    """A reply. Its value is an item, or there is none."""
    if len(data) < REPLY.size:
        raise ProtocolError(Fault.MALFORMED, "a reply without a header")
    _, flags, number, status = REPLY.unpack_from(data)
    if flags:
        raise ProtocolError(Fault.NOT_SUPPORTED, f"flags {flags:#04x}")
    if number == 0:
        raise ProtocolError(Fault.MALFORMED, "a reply with number 0")
    return Reply(number, status, data[REPLY.size:])


def decode_file(data: bytes) -> FileFrame:
    """A step of a transfer."""
    if len(data) < FILE.size:
        raise ProtocolError(Fault.MALFORMED, "a file frame without a header")
    _, flags, number, code = FILE.unpack_from(data)
    if flags or code not in set(Step):
        raise ProtocolError(Fault.NOT_SUPPORTED, f"flags {flags:#04x}, step {code}")
    step, rest = Step(code), data[FILE.size:]
    if number == 0:
        raise ProtocolError(Fault.MALFORMED, "a transfer with number 0")
    if step is Step.OFFER:
        return FileFrame(number, step, fields=decode_offer(rest))
    if step is Step.CHUNK and len(rest) > OFFSET.size:
        return FileFrame(number, step, *OFFSET.unpack_from(rest), content=rest[OFFSET.size:])
    if step in (Step.RESUME, Step.PROGRESS) and len(rest) == OFFSET.size:
        return FileFrame(number, step, *OFFSET.unpack(rest))
    if step in (Step.CANCEL, Step.REFUSAL) and len(rest) == 1:
        return FileFrame(number, step, reason=rest[0])
    if step is Step.DONE and not rest:
        return FileFrame(number, step)
    raise ProtocolError(Fault.MALFORMED, f"{step.name} with {len(rest)} bytes")


def decode_offer(data: bytes) -> dict[int, Any]:
    """The map of an offer."""
    try:
        found = fields(data)
    except Malformed as error:
        raise ProtocolError(Fault.MALFORMED, str(error)) from None
    label, length, digest, transfer = found.get(0), found.get(1), found.get(2), found.get(4)
    is_offer = (
        isinstance(label, str) and type(length) is int and 0 <= length < 1 << 64
        and isinstance(digest, bytes) and len(digest) == 32 and type(transfer) is int and 0 < transfer < 1 << 64)
    if not is_offer:
        raise ProtocolError(Fault.MALFORMED, f"an offer of {found}")
    return found
