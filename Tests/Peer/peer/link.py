"""One side of a link, without any input or output: frames go in, frames come out. Link is the phone's; see watch.py."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any, Protocol

from .frames import (
    Control, Fault, FileFrame, Flags, Frame, Kind, Message, Parting, ProtocolError, Question, Reason, Reply, Status,
    decode, encode, is_of_another_version, item)
from .files import Files, OutgoingFile
from .handshake import COMPLICATIONS, FILES, INTERACTIVE, VERSION, Hello, Role, Streams
from .shopping import Rejected

HEADER_LENGTH, ORIGIN_LENGTH = 6, 4


class State(Enum):
    """Where a link is in its life."""

    AWAITING_HELLO = auto()
    OPEN = auto()
    CLOSED = auto()


class Application(Protocol):
    """What the queued messages of the peer are for."""

    def greeting(self) -> list[Any]:
        """The payloads of the `list` messages for a watch that knows nothing of this phone's streams."""
        ...

    def take(self, message: Message) -> list[Any]:
        """Applies a queued message, and returns the `list` payloads that answer it. Raises `Rejected`."""
        ...


@dataclass
class Link:
    """One link with a peer, from its hello to a goodbye. The streams outlive it."""

    role = Role.PHONE

    streams: Streams
    application: Application
    identity: int
    name: str
    # The longest frame that the transport takes to us, and that it takes from us.
    longest_frame: int
    transport_maximum: int
    local_time: int = 0
    window: int = 8
    state: State = State.AWAITING_HELLO
    peer: Hello | None = None
    # What the peer said: applied messages, rejected ones, its goodbye, pongs, and every frame as it came.
    applied: list[Message] = field(default_factory=list)
    rejected: list[Message] = field(default_factory=list)
    duplicates: list[Message] = field(default_factory=list)
    goodbye: Control | None = None
    pongs: list[int] = field(default_factory=list)
    heard: list[bytes] = field(default_factory=list)
    # The highest sequence sent on this link, the revision under way (0: none), and whose turn it is.
    sent_sequence: int = 0
    sent_revision: int = 0
    turn: Kind = Kind.QUEUED
    # Who answers which names; None for a side that takes no interactive messages.
    answerers: dict[str, Callable[[Any], Any]] | None = None
    # The highest number heard and asked on this link, and what was asked and has no reply yet.
    heard_question: int = 0
    asked: int = 0
    open: set[int] = field(default_factory=set)
    replies: list[Reply] = field(default_factory=list)
    # The transfers of this link; None for a side that takes no files.
    files: Files | None = None
    # Whether this side takes complication messages, and how many it may still send today.
    takes_complications: bool = False
    complications: int = 0
    pushed: list[Message] = field(default_factory=list)

    def queue(self, name: str, payload: Any) -> None:
        """Issues a queued message."""
        self.streams.issued_sequence += 1
        self.streams.outbox.append(Message(Kind.QUEUED, self.streams.issued_sequence, name, payload))

    def push(self, name: str, payload: Any) -> None:
        """Issues a complication message: a queued one of another kind, while the day's budget lasts."""
        self.queue(name, payload)
        if self.complications > 0:
            self.complications -= 1
            self.streams.outbox[-1] = replace(self.streams.outbox[-1], kind=Kind.COMPLICATION)

    def set(self, name: str, payload: Any) -> None:
        """Issues a latest value."""
        self.streams.issued_revision += 1
        self.streams.values[name] = Message(Kind.LATEST, self.streams.issued_revision, name, payload)

    def receive(self, data: bytes) -> list[bytes]:
        """Takes a frame of the peer and returns the frames to send for it; the last one may be a goodbye."""
        # No sender sends an empty datagram, and one means nothing.
        if self.state is State.CLOSED or not data:
            return []
        self.heard.append(data)
        try:
            if len(data) > self.longest_frame:
                raise ProtocolError(Fault.TOO_LONG, f"a frame of {len(data)} bytes")
            return [*self.answers(decode(data)), *self.due()]
        except Parting as parting:
            self.state = State.CLOSED
            return [goodbye(parting.reason, parting.fault)]

    def answers(self, frame: Frame) -> Iterator[bytes]:
        """What a frame is answered with."""
        if (frame.kind is Kind.HELLO) != (self.state is State.AWAITING_HELLO) and frame.kind is not Kind.GOODBYE:
            raise ProtocolError(Fault.WRONG_TIME, f"{frame.kind.name} while {self.state.name}")
        if isinstance(frame, Message):
            yield self.take(frame)
        elif isinstance(frame, Question):
            yield self.answer(frame)
        elif isinstance(frame, Reply):
            self.conclude(frame)
        elif isinstance(frame, FileFrame):
            if self.files is None:
                raise ProtocolError(Fault.NOT_SUPPORTED, "a file frame, which the hello does not take")
            yield from self.files.receive(frame)
        elif frame.kind is Kind.GOODBYE:
            self.goodbye, self.state = frame, State.CLOSED
        elif frame.kind is Kind.HELLO:
            yield from self.greet(frame)
        elif frame.kind is Kind.PING:
            yield encode(Control(Kind.PONG, {0: number(frame, 0)}))
        elif frame.kind is Kind.PONG:
            self.pongs.append(number(frame, 0))
        else:
            self.streams.acknowledge(number(frame, 0), number(frame, 1))
            if self.sent_revision <= self.streams.acknowledged_revision:
                self.sent_revision = 0

    def ask(self, name: str, payload: Any, patience: int = 2_000, wants_value: bool = True) -> bytes | None:
        """The frame that asks the peer; None where it takes no interactive messages."""
        if self.state is not State.OPEN or self.peer is None or not self.peer.kinds & INTERACTIVE:
            return None
        self.asked += 1
        self.open.add(self.asked)
        return encode(Question(self.asked, patience, name, payload, wants_value))

    def send(self, file: OutgoingFile) -> bytes | None:
        """The frame that offers a file; None where the peer takes none."""
        if self.state is not State.OPEN or self.peer is None or self.files is None or not self.peer.kinds & FILES:
            return None
        self.files.longest_frame = min(self.transport_maximum, self.peer.longest_frame)
        return self.files.send(file)

    def answer(self, question: Question) -> bytes:
        """Has a question of the peer answered."""
        if self.answerers is None:
            raise ProtocolError(Fault.NOT_SUPPORTED, "an interactive message, which the hello does not take")
        if question.number != self.heard_question + 1:
            raise ProtocolError(Fault.GAP, f"exchange {question.number} after {self.heard_question}")
        self.heard_question = question.number
        answerer = self.answerers.get(question.name)
        if answerer is None:
            return encode(Reply(question.number, Status.NOBODY))
        try:
            value = item(answerer(question.payload))
        except Exception:  # noqa: BLE001 - whatever an answerer raises is its failure
            return encode(Reply(question.number, Status.FAILED))
        return encode(Reply(question.number, Status.ANSWERED, value if question.wants_value else b""))

    def conclude(self, reply: Reply) -> None:
        """Takes a reply of the peer's."""
        if self.answerers is None:
            raise ProtocolError(Fault.NOT_SUPPORTED, "a reply, which the hello does not take")
        if reply.number not in self.open:
            raise ProtocolError(Fault.UNASKED, f"a reply to exchange {reply.number}")
        self.open.remove(reply.number)
        self.replies.append(reply)

    def greet(self, frame: Control) -> Iterator[bytes]:
        """Takes the watch's hello and answers with the phone's."""
        hello = self.meet(frame)
        goes_on = self.streams.is_valid_claim(hello)
        self.streams.resume(hello)
        # A hello has the issued sequence, so the list of a watch that has none comes before it.
        if not goes_on:
            for payload in self.application.greeting():
                self.queue("list", payload)
        self.open_streams()
        yield encode(self.hello().frame())

    def meet(self, frame: Control) -> Hello:
        """The hello of the peer. Raises `Parting` where there can be no link with it."""
        if is_of_another_version(frame.fields):
            raise Parting(Reason.OTHER_VERSION)
        self.peer = Hello.of(frame)
        if self.peer.role == self.role:
            raise ProtocolError(Fault.SAME_ROLE, f"a {self.role.name}, too")
        return self.peer

    def open_streams(self) -> None:
        """What is not acknowledged is sent again from here on."""
        self.sent_sequence = self.streams.acknowledged_sequence
        self.state = State.OPEN

    def hello(self) -> Hello:
        """Who this side is and where its streams stand."""
        mine = self.streams
        return Hello(
            role=self.role, identity=self.identity, epoch=mine.epoch, known_epoch=mine.peer_epoch,
            applied_sequence=mine.applied_sequence, applied_revision=mine.applied_revision,
            longest_frame=self.longest_frame, longest_body=self.longest_frame - HEADER_LENGTH, name=self.name,
            issued_sequence=mine.issued_sequence, issued_revision=mine.issued_revision, window=self.window,
            local_time=self.local_time, floor=mine.acknowledged_sequence, lost=mine.lost, kinds=self.kinds)

    @property
    def kinds(self) -> int:
        """The kinds of messages that this side takes."""
        return (
            (0 if self.answerers is None else INTERACTIVE) | (0 if self.files is None else FILES)
            | (COMPLICATIONS if self.takes_complications else 0))

    def take(self, message: Message) -> bytes:
        """Applies or rejects a message, unless that was done before, and acknowledges it in any case."""
        if message.kind is Kind.COMPLICATION:
            if not self.takes_complications:
                raise ProtocolError(Fault.NOT_SUPPORTED, "a complication message, which the hello does not take")
            self.pushed.append(message)
            message = replace(message, kind=Kind.QUEUED)
        last = self.streams.applied_sequence if message.kind is Kind.QUEUED else self.streams.applied_revision
        if message.kind is Kind.QUEUED and message.number > last + 1:
            raise ProtocolError(Fault.GAP, f"sequence {message.number} after {last}")
        rejections = []
        if message.number <= last or message.kind is Kind.QUEUED and self.streams.is_done(message):
            self.duplicates.append(message)
            if message.kind is Kind.QUEUED:
                self.streams.note(message)
        elif message.kind is Kind.QUEUED:
            self.streams.note(message)
            rejections = self.apply(message)
        else:
            # The phone reads no values; that a name is unknown to it loses nothing.
            self.streams.applied_revision = message.number
            self.applied.append(message)
        fields: dict[int, Any] = {0: self.streams.applied_sequence, 1: self.streams.applied_revision}
        return encode(Control(Kind.ACKNOWLEDGEMENT, fields | ({3: rejections} if rejections else {})))

    def apply(self, message: Message) -> list[list[int]]:
        """Gives the list a queued message. Returns the rejection to report, if there is one."""
        if message.flags == Flags.NO_VALUE:
            return []
        try:
            answer = self.application.take(message)
        except Rejected as rejected:
            self.rejected.append(message)
            return [[message.number, int(rejected.reason)]]
        self.applied.append(message)
        for payload in answer:
            self.queue("list", payload)
        return []

    def due(self) -> Iterator[bytes]:
        """What may be sent now: no more queued messages than the peer's window, one latest value, turn about."""
        while self.state is State.OPEN and (message := self.next_message()):
            if message.kind is not Kind.LATEST:
                self.sent_sequence, self.turn = message.number, Kind.LATEST
            else:
                self.sent_revision, self.turn = message.number, Kind.QUEUED
            yield self.fitting(message)

    def next_message(self) -> Message | None:
        """The message whose turn it is, of those that may be sent."""
        assert self.peer is not None
        under_way = self.sent_sequence - self.streams.acknowledged_sequence
        queued = [message for message in self.streams.outbox if message.number > self.sent_sequence]
        latest = [
            message for message in self.streams.values.values() if message.number > self.streams.acknowledged_revision]
        candidates = {}
        if queued and under_way < self.peer.window:
            candidates[Kind.QUEUED] = queued[0]
        if latest and self.sent_revision == 0:
            candidates[Kind.LATEST] = min(latest, key=lambda message: message.number)
        return candidates.get(self.turn) or next(iter(candidates.values()), None)

    def fitting(self, message: Message) -> bytes:
        """The frame of a message that the peer takes; a message that is too long for it is withdrawn."""
        assert self.peer is not None
        if message.kind is Kind.COMPLICATION and not self.peer.kinds & COMPLICATIONS:
            message = replace(message, kind=Kind.QUEUED)
        data = encode(message)
        header = HEADER_LENGTH + (ORIGIN_LENGTH if message.origin else 0)
        most = min(self.transport_maximum, self.peer.longest_frame, self.peer.longest_body + header)
        if len(data) <= most:
            return data
        name = message.name if message.kind is Kind.LATEST else None
        return encode(Message(message.kind, message.number, name, flags=Flags.NO_VALUE, origin=message.origin))

    def clear(self, name: str) -> None:
        """Issues that a name has no value."""
        self.set(name, None)
        self.streams.values[name] = replace(self.streams.values[name], flags=Flags.NO_VALUE)

    def leave(self) -> bytes:
        """Ends the link politely: the goodbye to send. What was applied is acknowledged already."""
        self.state = State.CLOSED
        return goodbye(Reason.GOING_AWAY)


def goodbye(reason: Reason, fault: Fault | None = None) -> bytes:
    """The last frame of a side."""
    fields: dict[int, Any] = {0: int(reason)}
    if fault is not None:
        fields[1] = int(fault)
    if reason is Reason.OTHER_VERSION:
        fields[2] = VERSION
    return encode(Control(Kind.GOODBYE, fields))


def number(frame: Control, key: int) -> int:
    """A number that must stand in a control frame."""
    value = frame.fields.get(key)
    if type(value) is not int or not 0 <= value < 1 << 32:
        raise ProtocolError(Fault.MALFORMED, f"key {key} of {frame.kind.name} is {value!r}")
    return value
