"""What a peer does that breaks the protocol, by the name of the rule."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .files import Files, OutgoingFile
from .frames import (
    Control, FileFrame, Frame, Kind, Message, Question, Reply, Step, decode, encode)
from .link import Link

# More than any test uses on one link.
NEVER_USED = 1_000


@dataclass(frozen=True)
class Breach:
    """What is sent at first, what is then waited for, and what is sent after that."""

    last: Callable[[Link], list[bytes]]
    first: Callable[[Link], list[bytes]] = lambda link: []
    is_time: Callable[[Link], bool] = lambda link: True


def frames(*built: Frame) -> list[bytes]:
    """Frames as bytes."""
    return [encode(frame) for frame in built]


def offer(content: bytes) -> Callable[[Link], list[bytes]]:
    """Offers a file, and then forgets that this side sends it."""
    def offered(link: Link) -> list[bytes]:
        assert link.files
        link.files.offered += 1
        return frames(FileFrame(link.files.offered, Step.OFFER, fields=OutgoingFile("broken.bin", content).offer()))
    return offered


def chunk(offset: int, content: bytes) -> Callable[[Link], list[bytes]]:
    """A part of that file."""
    return lambda link: frames(FileFrame(link.files.offered if link.files else 0, Step.CHUNK, offset, content))


def has_heard(*steps: Step) -> Callable[[Link], bool]:
    """Whether the peer has said one of these of a file."""
    def found(link: Link) -> bool:
        heard = [decode(data) for data in link.heard if data[0] == Kind.FILE]
        return any(isinstance(frame, FileFrame) and frame.step in steps for frame in heard)
    return found


def longest_body(link: Link) -> int:
    """The longest body that the peer takes, its name included."""
    assert link.peer
    return link.peer.longest_body


def stay_silent(link: Link) -> list[bytes]:
    """From here on what the peer says of files is not answered."""
    class Silent(Files):
        def receive(self, frame: FileFrame):  # noqa: ANN202
            yield from ()
    link.files = Silent()
    return []


BREACHES = {
    "malformed": Breach(lambda link: frames(Control(Kind.PING, {}))),
    "second-hello": Breach(lambda link: frames(link.hello().frame())),
    "unknown-kind": Breach(lambda link: [b"\x20\x00"]),
    "fragment": Breach(lambda link: [bytes.fromhex("11 01 00000001 00000000 00000064 6161")]),
    "sequence-gap": Breach(lambda link: frames(Message(Kind.QUEUED, link.streams.issued_sequence + 2, "gap", 1))),
    "exchange-gap": Breach(lambda link: frames(Question(link.asked + 2, 1_000, "gap"))),
    "never-issued": Breach(lambda link: frames(Control(Kind.ACKNOWLEDGEMENT, {0: NEVER_USED, 1: 0}))),
    "long-control": Breach(lambda link: frames(Control(Kind.PING, {0: 1, 31: "x" * 128}))),
    "long-message": Breach(
        lambda link: frames(Message(Kind.LATEST, link.streams.issued_revision + 1, "a", bytes(longest_body(link))))),
    "unasked-reply": Breach(lambda link: frames(Reply(NEVER_USED, 0))),
    "second-reply": Breach(lambda link: frames(Reply(link.heard_question, 0, b"\xf6"))),
    "transfer-gap": Breach(lambda link: frames(
        FileFrame(link.files.offered + 2 if link.files else 0, Step.OFFER, fields=OutgoingFile("gap", b"").offer()))),
    "chunk-out-of-order": Breach(chunk(2, b"cd"), offer(b"abcd"), has_heard(Step.RESUME)),
    "chunk-beyond-length": Breach(chunk(0, b"abcde"), offer(b"abcd"), has_heard(Step.RESUME)),
    "chunk-of-nothing": Breach(lambda link: frames(FileFrame(NEVER_USED, Step.CHUNK, 0, b"a"))),
    "done-too-soon": Breach(lambda link: frames(FileFrame(1, Step.DONE)), stay_silent, has_heard(Step.OFFER)),
    "resume-beyond-length": Breach(
        lambda link: frames(FileFrame(1, Step.RESUME, 1 << 40)), stay_silent, has_heard(Step.OFFER)),
}
