"""Files in both directions on one link, without any input or output: steps go in, frames come out."""
from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .frames import FILE, OFFSET, Fault, FileFrame, FileReason, ProtocolError, Step, encode

WINDOW = 8
# Seconds before a file is offered again to a peer that was too busy for it: the first pause, and the longest.
SHORTEST_PAUSE, LONGEST_PAUSE = 1, 30


@dataclass
class OutgoingFile:
    """A file that this side sends. Which transfer it is stays the same on every link."""

    label: str
    content: bytes
    metadata: Any = None
    transfer: int = field(default_factory=lambda: secrets.randbelow((1 << 64) - 1) + 1)
    # What became of it: None while it is on its way, else done, or the reason of the refusal.
    outcome: str | FileReason | int | None = None

    def offer(self) -> dict[int, Any]:
        """The map that offers it."""
        found = {0: self.label, 1: len(self.content), 2: hashlib.sha256(self.content).digest(), 4: self.transfer}
        return found if self.metadata is None else found | {3: self.metadata}


@dataclass
class Sending:
    """A file that this side sends on one link: what was sent of it, and what is written."""

    file: OutgoingFile
    # Offsets; None before the receiver has said from where it wants the content.
    sent: int | None = None
    written: int = 0
    resumes: int = 0


@dataclass
class Waiting:
    """A file that the peer was too busy for, and when it is offered again: None before the first look at a clock."""

    file: OutgoingFile
    due: float | None = None


@dataclass
class Kept:
    """What a receiver keeps over links: parts under transfer and hash, and the transfers that are done."""

    parts: dict[tuple[int, bytes], bytes] = field(default_factory=dict)
    done: set[tuple[int, bytes]] = field(default_factory=set)
    # The files that are whole, by their names.
    files: dict[str, bytes] = field(default_factory=dict)
    # A longer file is refused, and so is every file if no program receives.
    largest: int = 16 << 20
    is_receiving: bool = True

    def name_for(self, label: str) -> str:
        """A name that no file has: photo.png, photo-2.png."""
        stem, dot, ending = label.rpartition(".") if "." in label else (label, "", "")
        names = [label, *(f"{stem}-{number}{dot}{ending}" for number in range(2, 1_000))]
        return next(name for name in names if name not in self.files)


@dataclass
class Receiving:
    """A file that this side receives on one link."""

    offer: dict[int, Any]
    content: bytes
    has_kept: bool

    @property
    def key(self) -> tuple[int, bytes]:
        """The name of the transfer for good."""
        return self.offer[4], self.offer[2]


def is_label(text: str) -> bool:
    """Whether a label is a file name."""
    return (
        1 <= len(text.encode()) <= 255 and not text.startswith(".") and "/" not in text
        and all(ord(each) >= 0x20 and not 0x7F <= ord(each) < 0xA0 for each in text))


@dataclass
class Files:
    """The transfers of one link. Kept files and files to send outlive it."""

    kept: Kept = field(default_factory=Kept)
    outgoing: list[OutgoingFile] = field(default_factory=list)
    longest_frame: int = 512
    offered: int = 0
    heard: int = 0
    sending: dict[int, Sending] = field(default_factory=dict)
    receiving: dict[int, Receiving] = field(default_factory=dict)
    waiting: list[Waiting] = field(default_factory=list)
    # The next pause of a transfer that the peer was too busy for, in seconds.
    pauses: dict[int, float] = field(default_factory=dict)

    def send(self, file: OutgoingFile) -> bytes:
        """Offers a file."""
        self.offered += 1
        self.sending[self.offered] = Sending(file)
        return encode(FileFrame(self.offered, Step.OFFER, fields=file.offer()))

    def cancel(self, number: int) -> bytes:
        """Ends a transfer of this side's."""
        self.sending.pop(number).file.outcome = FileReason.CANCELLED
        return encode(FileFrame(number, Step.CANCEL, reason=FileReason.CANCELLED))

    def again(self) -> Iterator[bytes]:
        """Offers what the peer was too busy for: another transfer has ended."""
        found, self.waiting = self.waiting, []
        for each in found:
            yield self.send(each.file)

    def offers(self, now: float) -> Iterator[bytes]:
        """Offers what the peer was too busy for and whose pause is over."""
        found, self.waiting = self.waiting, []
        for each in found:
            if each.due is not None and each.due <= now:
                yield self.send(each.file)
                continue
            if each.due is None:
                pause = self.pauses.get(each.file.transfer, SHORTEST_PAUSE)
                self.pauses[each.file.transfer] = min(2 * pause, LONGEST_PAUSE)
                each.due = now + pause
            self.waiting.append(each)

    def refuse(self, number: int, reason: FileReason) -> bytes:
        """Ends a transfer of the peer's, and forgets what has arrived."""
        if number in self.receiving:
            self.kept.parts.pop(self.receiving.pop(number).key, None)
        return encode(FileFrame(number, Step.REFUSAL, reason=reason))

    def receive(self, frame: FileFrame) -> Iterator[bytes]:
        """Takes a step and answers it."""
        known = self.heard if frame.step in (Step.CHUNK, Step.CANCEL) else self.offered
        if frame.step is Step.OFFER:
            if frame.number != self.heard + 1:
                raise ProtocolError(Fault.GAP, f"transfer {frame.number} after {self.heard}")
            self.heard = frame.number
            yield from self.consider(frame)
        elif frame.number > known:
            raise ProtocolError(Fault.BROKEN_TRANSFER, f"a step of transfer {frame.number}")
        elif frame.step is Step.CHUNK:
            yield from self.take(frame)
        elif frame.step is Step.CANCEL:
            if frame.number in self.receiving:
                self.kept.parts.pop(self.receiving.pop(frame.number).key, None)
        else:
            yield from self.hear(frame)

    def consider(self, frame: FileFrame) -> Iterator[bytes]:
        """Takes an offer, or refuses it."""
        offer = frame.fields or {}
        refusals = (
            (FileReason.NOBODY, not self.kept.is_receiving), (FileReason.BAD_LABEL, not is_label(offer[0])),
            (FileReason.TOO_LARGE, offer[1] > self.kept.largest),
            (FileReason.BUSY, any(each.offer[4] == offer[4] for each in self.receiving.values())))
        for reason, holds in refusals:
            if holds:
                yield self.refuse(frame.number, reason)
                return
        key = (offer[4], offer[2])
        if key in self.kept.done:
            yield encode(FileFrame(frame.number, Step.RESUME, offer[1]))
            yield encode(FileFrame(frame.number, Step.DONE))
            return
        content = self.kept.parts.get(key, b"")
        self.receiving[frame.number] = Receiving(offer, content, bool(content))
        yield encode(FileFrame(frame.number, Step.RESUME, len(content)))
        yield from self.judge(frame.number)

    def take(self, frame: FileFrame) -> Iterator[bytes]:
        """Takes content of a transfer that has not ended."""
        if frame.number not in self.receiving:
            return
        file = self.receiving[frame.number]
        if frame.offset != len(file.content) or frame.offset + len(frame.content) > file.offer[1]:
            raise ProtocolError(Fault.BROKEN_TRANSFER, f"content at {frame.offset} after {len(file.content)}")
        file.content += frame.content
        self.kept.parts[file.key] = file.content
        yield encode(FileFrame(frame.number, Step.PROGRESS, len(file.content)))
        yield from self.judge(frame.number)

    def judge(self, number: int) -> Iterator[bytes]:
        """Stores a file that is whole, if its hash is right."""
        file = self.receiving[number]
        if len(file.content) < file.offer[1]:
            return
        if hashlib.sha256(file.content).digest() == file.offer[2]:
            del self.receiving[number]
            self.kept.parts.pop(file.key, None)
            self.kept.done.add(file.key)
            self.kept.files[self.kept.name_for(file.offer[0])] = file.content
            yield encode(FileFrame(number, Step.DONE))
        elif file.has_kept:
            file.content, file.has_kept = b"", False
            yield encode(FileFrame(number, Step.RESUME, 0))
        else:
            yield self.refuse(number, FileReason.WRONG_HASH)

    def hear(self, frame: FileFrame) -> Iterator[bytes]:
        """Takes what the receiver of a file says."""
        sending = self.sending.get(frame.number)
        if sending is None:
            return
        length = len(sending.file.content)
        if frame.step is Step.REFUSAL:
            del self.sending[frame.number]
            if frame.reason == FileReason.BUSY:
                self.waiting.append(Waiting(sending.file))
                return
            sending.file.outcome = frame.reason
            yield from self.again()
            return
        if frame.step is Step.RESUME:
            is_right = (
                frame.offset <= length if sending.resumes == 0
                else sending.resumes == 1 and frame.offset == 0 and sending.sent == length)
            if is_right:
                sending.sent = sending.written = frame.offset
                sending.resumes += 1
        elif frame.step is Step.PROGRESS:
            is_right = sending.sent is not None and frame.offset <= sending.sent
            if is_right:
                sending.written = max(sending.written, frame.offset)
        else:
            is_right = sending.sent == length
            if is_right:
                sending.file.outcome = "done"
                del self.sending[frame.number]
                yield from self.again()
        if not is_right:
            raise ProtocolError(Fault.BROKEN_TRANSFER, f"{frame.step.name} {frame.offset}, of {sending.sent} sent")
        yield from self.chunks(frame.number)

    def chunks(self, number: int) -> Iterator[bytes]:
        """The content that may be sent now."""
        size = self.longest_frame - FILE.size - OFFSET.size
        while sending := self.sending.get(number):
            content = sending.file.content
            if sending.sent is None or sending.sent >= len(content) or sending.sent - sending.written >= WINDOW * size:
                return
            part = content[sending.sent:sending.sent + size]
            offset, sending.sent = sending.sent, sending.sent + len(part)
            yield encode(FileFrame(number, Step.CHUNK, offset, part))
