"""A watch or a phone on a Unix socket, step by step: python -m peer.talk ROLE SOCKET STEP...

ROLE is watch, which connects, or phone, which listens. Each STEP is one argument, carried out in order:

    answer NAME [JSON]   from here on questions under the name get this answer, or the question itself
    fail NAME            from here on whoever answers the name fails
    reject NAME REASON   from here on queued messages under the name are rejected
    receive DIRECTORY    from here on files are received
    take [KIND...]       of interactive, files and complications, what the next hello takes; all of them at first
    meet                 waits until there is a link
    pass NAME JSON       a latest value; waits until the peer has it
    clear NAME           the same, of a name without a value
    queue NAME JSON      a queued message; waits until it is done
    push NAME JSON       a complication message; waits until it is done
    ask NAME JSON        asks, and waits for the reply
    tell NAME JSON       the same, for a receipt
    send FILE [LABEL]    offers a file; waits until the peer has it or refuses
    hear [NAME]          waits for the next message, value, question or file under the name, or any
    mute                 acknowledges nothing from here to the next link
    lose NAME JSON       a queued message, and cuts the link before its acknowledgement is read
    repeat               the last queued message that was sent, once more under its number
    cut                  closes without a word; the next step connects again
    leave                closes with a goodbye
    restart              the same, and begins a run with an epoch of its own
    break RULE           breaks a rule (peer/faults.py), and waits for the goodbye
    serve                goes on until it is interrupted

Prints a line of JSON for everything that the peer says. The exit status is 1 where a step waits for longer than 30 s.
"""
from __future__ import annotations

import hashlib
import json
import secrets
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from .datagrams import Datagrams, Ended, Listener, Patience, connect
from .faults import BREACHES
from .files import Files, Kept, OutgoingFile
from .frames import (
    Control, FileFrame, Frame, Kind, Message, ProtocolError, Question, Reply, decode, encode)
from .handshake import COMPLICATIONS, FILES, INTERACTIVE, Role, Streams
from .items import value
from .link import Link, State
from .shopping import Rejected
from .watch import WatchLink, WatchStreams

LIMIT = 30
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


class Talk:
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
            self.take(data)
        elif time.monotonic() - self.heard_at > DEATH:
            self.drop()
        else:
            self.send(encode(Control(Kind.PING, {0: 1})))

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

    # The steps

    def do(self, step: str) -> None:
        """Carries out one step."""
        word, *rest = step.split(None, 1)
        getattr(self, f"do_{word}")(*rest)

    def do_answer(self, words: str) -> None:
        name, *text = words.split(None, 1)
        answer = json.loads(text[0]) if text else None
        self.answerers[name] = (lambda question: answer) if text else (lambda question: question)

    def do_fail(self, name: str) -> None:
        def fail(question: Any) -> NoReturn:
            raise ValueError(question)
        self.answerers[name] = fail

    def do_reject(self, words: str) -> None:
        name, reason = words.split()
        self.application.rejected[name] = int(reason)

    def do_receive(self, directory: str) -> None:
        self.directory, self.kept.is_receiving = Path(directory), True

    def do_take(self, kinds: str = "") -> None:
        self.taken = set(kinds.split())

    def do_meet(self) -> None:
        self.until_open()

    def do_pass(self, words: str) -> None:
        name, text = words.split(None, 1)
        self.link.set(name, json.loads(text))
        self.until_done()

    def do_clear(self, name: str) -> None:
        self.link.clear(name)
        self.until_done()

    def do_queue(self, words: str) -> None:
        name, text = words.split(None, 1)
        self.link.queue(name, json.loads(text))
        self.until_done()

    def do_push(self, words: str) -> None:
        name, text = words.split(None, 1)
        self.link.push(name, json.loads(text))
        self.until_done()

    def do_ask(self, words: str, wants_value: bool = True) -> None:
        name, text = words.split(None, 1)
        self.until_open()
        known = len(self.replies)
        frame = self.link.ask(name, json.loads(text), wants_value=wants_value)
        if frame is None:
            return self.say({"reply": "not taken"})
        self.send(frame)
        self.until(lambda: len(self.replies) > known, "a reply")

    def do_tell(self, words: str) -> None:
        self.do_ask(words, wants_value=False)

    def do_send(self, words: str) -> None:
        path, *label = words.split(None, 1)
        file = OutgoingFile(label[0] if label else Path(path).name, Path(path).read_bytes())
        self.until_open()
        self.outgoing.append(file)
        self.offer(file)
        self.until(lambda: file not in self.outgoing, "the end of a transfer")

    def do_hear(self, name: str = "") -> None:
        self.until(lambda: self.inbox if not name else name in self.inbox, f"something under {name or 'any name'}")
        del self.inbox[:self.inbox.index(name) + 1 if name else 1]

    def do_mute(self) -> None:
        assert self.transport
        send = self.transport.send
        self.send = lambda data: send(data) if data[0] != Kind.ACKNOWLEDGEMENT else None

    def do_lose(self, words: str) -> None:
        name, text = words.split(None, 1)
        self.until_open()
        self.link.queue(name, json.loads(text))
        self.last = self.streams.outbox[-1]
        self.send_due()
        self.drop()

    def do_repeat(self) -> None:
        self.until_open()
        self.send(encode(self.last))

    def do_cut(self) -> None:
        self.drop()

    def do_leave(self) -> None:
        if self.transport and self.link.state is State.OPEN:
            self.send(self.link.leave())
        self.drop()

    def do_restart(self) -> None:
        self.do_leave()
        if isinstance(self.streams, WatchStreams):
            self.streams.begin_run()

    def do_break(self, rule: str) -> None:
        breach = BREACHES[rule]
        self.until_open()
        link = self.link
        for frame in breach.first(link):
            self.send(frame)
        self.until(lambda: breach.is_time(link), f"the time to break {rule}")
        for frame in breach.last(link):
            self.send(frame)
        self.until(lambda: link.state is State.CLOSED, "a goodbye")

    def do_serve(self) -> None:
        while True:
            self.turn(Patience(LIMIT))

    def close(self) -> None:
        """Leaves."""
        self.do_leave()
        if self.listener:
            self.listener.close()


def say(event: dict[str, Any]) -> None:
    """Prints what happened."""
    print(json.dumps(event, default=lambda other: other.hex() if isinstance(other, bytes) else str(other)), flush=True)


def interrupt(*_: object) -> NoReturn:
    """Ends what is being done."""
    raise KeyboardInterrupt


def main(role: str, path: str, *steps: str) -> int:
    """Carries the steps out."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    talk = Talk(Role[role.upper()], path, say)
    try:
        for step in steps:
            talk.do(step)
    except KeyboardInterrupt:
        return 0
    except Stuck as what:
        print(f"not within {LIMIT} s: {what}", file=sys.stderr)
        return 1
    finally:
        talk.close()
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
