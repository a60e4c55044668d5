"""A watch or a phone on Unix sockets: its streams, and the links that it has one after the other."""
from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .datagrams import Datagrams, Ended, Listener, Patience, connect
from .files import Files, Kept, OutgoingFile
from .frames import Control, FileFrame, Frame, Kind, Message, ProtocolError, Question, Reply, Step, decode, encode
from .handshake import COMPLICATIONS, FILES, INTERACTIVE, Role, Streams
from .items import value
from .link import Link, State
from .shopping import Rejected
from .watch import WatchLink, WatchStreams

LIMIT = 240
# Seconds without a sign of life: after the first a side pings, after the second it closes.
SILENCE, DEATH = 2, 6
LONGEST_FRAME = 32_768
KINDS = {"interactive": INTERACTIVE, "files": FILES, "complications": COMPLICATIONS}
# Seconds that a watch waits after a goodbye with a reason: the section Connecting again of the page.
PAUSES = {1: 60, 2: 2, 3: 60, 4: 30, 6: 60}
SHORTEST_PAUSE = 0.05


class Stuck(Exception):
    """What a step waits for does not come."""


@dataclass
class Names:
    """An application that takes every queued message but those under some names."""

    rejected: dict[str, int] = field(default_factory=dict)

    def greeting(self) -> list[Any]:
        """There is no list."""
        return []

    def take(self, message: Message) -> list[Any]:
        """Takes a message. Raises `Rejected`."""
        if message.name in self.rejected:
            raise Rejected(self.rejected[message.name])
        return []


class Device:
    """One device, its streams, and the links that it has one after the other."""

    def __init__(self, role: Role, path: str, say: Callable[[dict[str, Any]], None]) -> None:
        self.role, self.path, self.say = role, path, say
        self.identity = secrets.randbelow((1 << 64) - 1) + 1
        self.streams = WatchStreams() if role == Role.WATCH else Streams()
        self.application = Names()
        self.answerers: dict[str, Callable[[Any], Any]] = {}
        self.taken = set(KINDS)
        self.kept = Kept(is_receiving=False)
        self.directory = Path()
        self.outgoing: list[OutgoingFile] = []
        # What was heard and no step has waited for: names.
        self.inbox: list[str] = []
        self.replies: list[Reply] = []
        # What is still to come until one is missed: messages or chunks, and how many.
        self.missing: tuple[str, int] = ("", 0)
        self.listener = Listener(path) if role == Role.PHONE else None
        self.transport: Datagrams | None = None
        self.connects_at = 0.0
        self.heard_at = 0.0
        self.send: Callable[[bytes], None] = lambda data: None
        self.link = self.new_link()

    def new_link(self) -> Link:
        """A link that has not begun."""
        kind = WatchLink if self.role == Role.WATCH else Link
        return kind(
            self.streams, self.application, self.identity, "python", LONGEST_FRAME, transport_maximum=LONGEST_FRAME,
            answerers=self.answerers if "interactive" in self.taken else None,
            files=Files(self.kept) if "files" in self.taken else None,
            takes_complications="complications" in self.taken, complications=50)

    # The link

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Listens until something is so."""
        patience = Patience(LIMIT)
        while not condition():
            if patience.left == 0:
                raise Stuck(what)
            self.turn(patience)

    def turn(self, patience: Patience) -> None:
        """Takes one frame, or connects."""
        if self.transport is None:
            return self.join(patience)
        try:
            data = self.transport.receive(min(SILENCE, patience.left))
        except Ended:
            self.say({"ended": "without a goodbye"})
            return self.drop()
        if data is not None:
            self.heard_at = time.monotonic()
            if self.is_missed(data):
                return self.drop()
            self.take(data)
        elif time.monotonic() - self.heard_at > DEATH:
            self.drop()
        else:
            self.send(encode(Control(Kind.PING, {0: 1})))
        if self.link.state is State.OPEN and self.link.files is not None:
            for offer in self.link.files.offers(time.monotonic()):
                self.send(offer)

    def join(self, patience: Patience) -> None:
        """Connects, or waits for who does."""
        if self.listener:
            self.transport = self.listener.accept(min(1, patience.left))
        else:
            time.sleep(min(patience.left, max(SHORTEST_PAUSE, self.connects_at - time.monotonic())))
            self.transport = connect(self.path) if time.monotonic() >= self.connects_at else None
        if self.transport is None:
            return
        self.link = self.new_link()
        self.send, self.heard_at = self.transport.send, time.monotonic()
        if isinstance(self.link, WatchLink):
            self.send(self.link.begin())

    def drop(self) -> None:
        """There is no link any more."""
        if self.transport:
            self.transport.close()
        self.transport, self.send = None, lambda data: None
        self.link.state = State.CLOSED

    def take(self, data: bytes) -> None:
        """Gives the link a frame, sends what it answers, and tells what was heard."""
        known = (len(self.link.duplicates), len(self.link.rejected), self.link.state)
        answers = self.link.receive(data)
        for answer in answers:
            self.send(answer)
        for name in [name for name in self.kept.files if not (self.directory / name).exists()]:
            self.keep(name)
        try:
            self.tell(decode(data), *known)
        except ProtocolError as error:
            self.say({"fault of the peer": error.fault, "why": str(error)})
        if known[2] is State.AWAITING_HELLO and self.link.state is State.OPEN:
            for file in self.outgoing:
                self.offer(file)
        if self.link.state is State.CLOSED:
            if answers and (said := decode(answers[-1])).kind is Kind.GOODBYE:
                self.part("said", said)
            self.drop()

    def is_missed(self, data: bytes) -> bool:
        """Whether a frame is the one at which the link is to be cut."""
        is_chunk = data[0] == Kind.FILE and data[6:7] == bytes([Step.CHUNK])
        is_message = data[0] in (Kind.LATEST, Kind.QUEUED, Kind.COMPLICATION)
        what, left = self.missing
        if not left or not {"chunk": is_chunk, "message": is_message}[what]:
            return False
        self.missing = (what, left - 1)
        return left == 1

    def part(self, who: str, goodbye: Control) -> None:
        """Tells of a goodbye, and waits before the next link as the page says."""
        reason = goodbye.fields[0]
        self.connects_at = time.monotonic() + PAUSES.get(reason, SHORTEST_PAUSE)
        self.say({"goodbye" if who == "heard" else "goodbye said": reason} | (
            {"fault": goodbye.fields[1]} if 1 in goodbye.fields else {}))

    def tell(self, frame: Frame, duplicates: int, rejected: int, state: State) -> None:
        """Prints what a frame says."""
        if isinstance(frame, Message):
            if len(self.link.duplicates) > duplicates:
                self.say({"duplicate": frame.number})
            elif len(self.link.rejected) > rejected:
                self.say({"rejected": frame.name, "number": frame.number})
            else:
                self.hear(frame.kind.name.lower(), frame.name, frame.payload)
        elif isinstance(frame, Question):
            self.hear("question", frame.name, frame.payload)
        elif isinstance(frame, Reply):
            self.replies.append(frame)
            self.say({"reply": frame.status} | ({"value": value(frame.value)} if frame.value else {}))
        elif isinstance(frame, FileFrame):
            if frame.step is Step.OFFER and frame.fields:
                self.say({"offered": frame.fields[0], "length": frame.fields[1]})
            elif frame.step is Step.RESUME:
                self.say({"wanted from": frame.offset})
            for file in [each for each in self.outgoing if each.outcome is not None]:
                self.outgoing.remove(file)
                self.say({"sent": file.label, "outcome": file.outcome})
        elif frame.kind is Kind.GOODBYE:
            self.part("heard", frame)
        elif frame.kind is Kind.ACKNOWLEDGEMENT and 3 in frame.fields:
            self.say({"rejections": frame.fields[3]})
        elif frame.kind is Kind.HELLO and state is State.AWAITING_HELLO and (peer := self.link.peer):
            kinds = [name for name, bit in KINDS.items() if peer.kinds & bit]
            self.say({"met": Role(peer.role).name.lower(), "takes": kinds})

    def hear(self, kind: str, name: str | None, payload: Any) -> None:
        """Something arrived."""
        self.inbox.append(name or "")
        self.say({"heard": kind, "name": name, "value": payload})

    def keep(self, name: str) -> None:
        """A file is whole."""
        content = self.kept.files[name]
        (self.directory / name).write_bytes(content)
        self.inbox.append(name)
        self.say({"heard": "file", "name": name, "length": len(content), "sha256": hashlib.sha256(content).hexdigest()})

    def offer(self, file: OutgoingFile) -> None:
        """Offers a file on this link."""
        if frame := self.link.send(file):
            self.send(frame)
        else:
            self.outgoing.remove(file)
            self.say({"sent": file.label, "outcome": "not taken"})

    def send_due(self) -> None:
        """Sends what may be sent now."""
        for frame in self.link.due():
            self.send(frame)

    def until_open(self) -> None:
        """Waits for a link."""
        self.until(lambda: self.transport and self.link.state is State.OPEN, "a link")

    def until_done(self) -> None:
        """Waits until the peer has everything."""
        self.send_due()
        streams = self.streams
        self.until(
            lambda: streams.acknowledged_sequence == streams.issued_sequence
            and streams.acknowledged_revision == streams.issued_revision and self.transport, "an acknowledgement")

    def leave(self) -> None:
        """Says goodbye, if there is a link."""
        if self.transport and self.link.state is State.OPEN:
            self.send(self.link.leave())
        self.drop()

    def close(self) -> None:
        """Leaves."""
        self.leave()
        if self.listener:
            self.listener.close()
