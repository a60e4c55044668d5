"""The watch's side of a link: it speaks first, and its messages keep the epoch in which they were issued."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from .frames import Control, Parting, Reason, encode
from .handshake import Hello, Role, Streams, new_epoch, renumbered
from .link import Link


@dataclass
class WatchStreams(Streams):
    """What a watch stores of its phone: there is one."""

    # 0 before the first link.
    phone: int = 0
    # The epoch of the newest message that is acknowledged, 0 for none.
    floor_origin: int = 0
    # Where the numbers stood at each phone that it had before: the last sequence, and its origin.
    left: dict[int, tuple[int, int]] = field(default_factory=dict)

    def begin_run(self) -> None:
        """Gives the watch's work a new name; what waits keeps the one under which it was issued."""
        self.outbox = [each if each.origin else replace(each, origin=self.epoch) for each in self.outbox]
        self.epoch = new_epoch()

    def acknowledge(self, sequence: int, revision: int) -> None:
        """The same, with the origin of the newest message that is done."""
        before = self.outbox
        super().acknowledge(sequence, revision)
        done = [message for message in before if message.number <= sequence]
        if done:
            self.floor_origin = done[-1].origin or self.epoch

    def resume(self, hello: Hello) -> None:
        """Takes from the phone's hello where the streams go on. Raises `Parting` where there is no going on."""
        if self.phone not in (0, hello.identity):
            raise Parting(self.turn_to(hello.identity))
        self.phone = hello.identity
        if hello.epoch != self.peer_epoch:
            self.former[self.peer_epoch] = self.applied_sequence
            self.applied_sequence, self.applied_revision = self.former.get(hello.epoch, 0), 0
            self.peer_epoch = hello.epoch
        self.applied_sequence = max(self.applied_sequence, hello.floor)
        if hello.known_epoch != self.epoch:
            return
        if hello.applied_sequence > self.issued_sequence or hello.applied_revision > self.issued_revision:
            self.begin_run()
            raise Parting(Reason.STREAMS_LOST)
        self.acknowledge(hello.applied_sequence, hello.applied_revision)

    def turn_to(self, phone: int) -> Reason:
        """Leaves the phone that it had, unless something waits for that one. The next hello is for the other phone."""
        if self.outbox:
            return Reason.OTHER_PHONE
        self.left[self.phone] = (self.acknowledged_sequence, self.floor_origin)
        self.phone = phone
        self.former, self.peer_epoch, self.applied_sequence, self.applied_revision = {}, 0, 0, 0
        self.acknowledged_sequence, self.floor_origin = self.left.get(phone, (0, 0))
        self.issued_sequence, self.acknowledged_revision = self.acknowledged_sequence, 0
        ascending = sorted(self.values.values(), key=lambda message: message.number)
        self.values = {each.name or "": renumbered(each, number) for number, each in enumerate(ascending, 1)}
        self.issued_revision = len(self.values)
        return Reason.GOING_AWAY


@dataclass
class WatchLink(Link):
    """One link with a phone."""

    role = Role.WATCH

    streams: WatchStreams

    def begin(self) -> bytes:
        """The watch's hello, which is to be sent as soon as the transport is up."""
        return encode(replace(self.hello(), floor_origin=self.streams.floor_origin).frame())

    def greet(self, frame: Control) -> Iterator[bytes]:
        """Takes the phone's hello."""
        self.streams.resume(self.meet(frame))
        self.open_streams()
        yield from ()
