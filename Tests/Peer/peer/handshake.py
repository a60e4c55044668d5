"""Hello: who a side is and where its streams stand, and what follows from two of them."""
from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from .frames import Control, Fault, Kind, Message, ProtocolError

VERSION = 2


class Role(IntEnum):
    """The two sides of a link."""

    WATCH = 0
    PHONE = 1


# The keys of a hello: attribute, bits of the number (0 for text), and whether it must be there.
KEYS = {
    0: ("version", 8, "required"), 2: ("role", 8, "required"), 3: ("identity", 64, "required"), 4: ("epoch", 32, "required"),
    5: ("known_epoch", 32, "optional"), 6: ("applied_sequence", 32, "optional"), 7: ("applied_revision", 32, "optional"),
    8: ("longest_frame", 32, "required"), 9: ("longest_body", 32, "required"), 10: ("name", 0, "optional"),
    11: ("issued_sequence", 32, "optional"), 12: ("issued_revision", 32, "optional"), 13: ("window", 16, "required"),
    14: ("local_time", 32, "optional"), 15: ("floor", 32, "optional"), 17: ("lost", 32, "optional"),
    18: ("floor_origin", 32, "optional"), 19: ("rows_check", 32, "optional"), 20: ("kinds", 8, "optional"),
}

# The bits of `kinds`: interactive messages and their replies, files, complication messages.
INTERACTIVE, FILES, COMPLICATIONS = 1, 2, 4


@dataclass(frozen=True)
class Hello:
    """The first frame of a side. Positions are 0 where there is none."""

    role: Role
    identity: int
    epoch: int
    longest_frame: int
    longest_body: int
    window: int
    version: int = VERSION
    known_epoch: int = 0
    applied_sequence: int = 0
    applied_revision: int = 0
    name: str = ""
    issued_sequence: int = 0
    issued_revision: int = 0
    local_time: int = 0
    floor: int = 0
    lost: int = 0
    floor_origin: int = 0
    # None where a watch has something waiting; 0 is a check like any other.
    rows_check: int | None = None
    kinds: int = 0

    def frame(self) -> Control:
        """The frame of this hello. What it does not know or need to say it leaves out."""
        fields = {key: getattr(self, attribute) for key, (attribute, _, _) in KEYS.items()}
        silent = {10: "", 14: 0, 17: 0, 18: 0, 19: None, 20: 0}
        return Control(Kind.HELLO, {key: value for key, value in fields.items() if key not in silent or value != silent[key]})

    @classmethod
    def of(cls, frame: Control) -> Hello:
        """The hello in a frame. Raises `ProtocolError` where it is none; unknown keys are passed over."""
        values: dict[str, Any] = {}
        for key, (attribute, bits, presence) in KEYS.items():
            value = frame.fields.get(key)
            if value is None and presence == "optional":
                continue
            fits = (
                isinstance(value, str) and len(value.encode()) <= 32 if bits == 0
                else type(value) is int and 0 <= value < 1 << bits)
            if not fits:
                raise ProtocolError(Fault.MALFORMED, f"{attribute} of a hello is {value!r}")
            values[attribute] = value
        hello = cls(**values)
        if hello.role not in (Role.WATCH, Role.PHONE) or 0 in (hello.identity, hello.epoch, hello.window) or hello.longest_frame < 128:
            raise ProtocolError(Fault.MALFORMED, f"{hello}")
        if hello.version == 0:
            raise ProtocolError(Fault.MALFORMED, "version 0")
        if hello.floor > hello.issued_sequence:
            raise ProtocolError(Fault.MALFORMED, f"floor {hello.floor} above {hello.issued_sequence}")
        return hello


def new_epoch() -> int:
    """A name for a numbering of streams: random, not 0."""
    return secrets.randbelow((1 << 32) - 1) + 1


@dataclass
class Streams:
    """What is stored for a watch. `outbox` has the messages not acknowledged, `values` the newest under each name."""

    epoch: int = field(default_factory=new_epoch)
    issued_sequence: int = 0
    issued_revision: int = 0
    acknowledged_sequence: int = 0
    acknowledged_revision: int = 0
    peer_epoch: int = 0
    applied_sequence: int = 0
    applied_revision: int = 0
    # The last applied sequence of each former epoch of the watch, and the messages lost since they were applied.
    former: dict[int, int] = field(default_factory=dict)
    lost: int = 0
    outbox: list[Message] = field(default_factory=list)
    values: dict[str, Message] = field(default_factory=dict)

    def acknowledge(self, sequence: int, revision: int) -> None:
        """The peer has applied so much. Raises `ProtocolError` where that was never issued."""
        if sequence > self.issued_sequence or revision > self.issued_revision:
            raise ProtocolError(Fault.NEVER_ISSUED, f"acknowledgement of {sequence} and {revision}")
        self.acknowledged_sequence = max(self.acknowledged_sequence, sequence)
        self.acknowledged_revision = max(self.acknowledged_revision, revision)
        self.outbox = [message for message in self.outbox if message.number > self.acknowledged_sequence]

    def resume(self, hello: Hello) -> None:
        """Takes from the peer's hello where the streams go on: the section Resuming of the page, rule by rule."""
        if self.is_valid_claim(hello):
            self.acknowledged_revision = 0
            self.acknowledge(hello.applied_sequence, hello.applied_revision)
        else:
            self.begin_epoch()
        self.lost = self.lost_below(hello) if self.peer_epoch else 0
        if hello.floor_origin:
            self.former[hello.floor_origin] = max(self.former.get(hello.floor_origin, 0), hello.floor)
        if hello.epoch != self.peer_epoch:
            self.former[self.peer_epoch] = self.applied_sequence
            self.applied_sequence, self.applied_revision = self.former.get(hello.epoch, 0), 0
            self.peer_epoch = hello.epoch
        self.applied_sequence = max(self.applied_sequence, hello.floor)

    def is_valid_claim(self, hello: Hello) -> bool:
        """Whether the watch remembers this numbering, and neither more nor less of it than there is."""
        return (
            hello.known_epoch == self.epoch and hello.applied_revision <= self.issued_revision
            and self.acknowledged_sequence <= hello.applied_sequence <= self.issued_sequence)

    def lost_below(self, hello: Hello) -> int:
        """How many messages that the watch has forgotten were applied and are lost. Their origin decides, where it is known."""
        counted = max(0, hello.floor - self.applied_sequence)
        if not hello.floor_origin:
            return counted
        same = hello.floor_origin == self.peer_epoch
        applied = self.applied_sequence if same else self.former.get(hello.floor_origin, 0)
        return 0 if applied >= hello.floor else max(1, counted)

    def is_done(self, message: Message) -> bool:
        """Whether a queued message was applied before, perhaps under another number's epoch."""
        return message.number <= self.applied_sequence or message.number <= self.former.get(message.origin, 0)

    def note(self, message: Message) -> None:
        """A queued message is done, in the present epoch and in that of its origin."""
        self.applied_sequence = max(self.applied_sequence, message.number)
        if message.origin:
            self.former[message.origin] = max(self.former.get(message.origin, 0), message.number)

    def begin_epoch(self) -> None:
        """Numbers everything that is still to be sent from 1, under a new name."""
        self.epoch = new_epoch()
        self.acknowledged_sequence = self.acknowledged_revision = 0
        self.outbox = [renumbered(message, number) for number, message in enumerate(self.outbox, 1)]
        ascending = sorted(self.values.values(), key=lambda message: message.number)
        self.values = {each.name or "": renumbered(each, number) for number, each in enumerate(ascending, 1)}
        self.issued_sequence, self.issued_revision = len(self.outbox), len(self.values)


def renumbered(message: Message, number: int) -> Message:
    """The same message with another number."""
    return Message(message.kind, number, message.name, message.payload, message.flags)
