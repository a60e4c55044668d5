"""A watch or a phone on a Unix socket, step by step: python -m peer.talk ROLE SOCKET STEP...

ROLE is watch, which connects, or phone, which listens. Each STEP is one argument, carried out in order:

    answer NAME [JSON]   from here on questions under the name get this answer, or the question itself
    fail NAME            from here on the program behind the name fails
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
    flood NAME COUNT     asks so often at once, each time for two seconds, and waits for as many replies
    send FILE [LABEL]    offers a file; waits until the peer has it or refuses
    part FILE            offers a file, and cuts the link when a part of it is there; the next link goes on
    sent                 waits until no file is on its way
    hear [NAME]          waits for the next message, value, question or file under the name, or any
    miss [chunk COUNT]   cuts the link when a message, or a chunk of a file, arrives, before it is taken
    mute                 acknowledges nothing from here to the next link
    lose NAME JSON       a queued message, and cuts the link before its acknowledgement is read
    repeat               the last queued message that was sent, once more under its number
    cut                  closes without a word; the next step connects again
    leave                closes with a goodbye
    restart              the same, and begins a run with an epoch of its own
    break RULE           breaks a rule (peer/faults.py), and waits for the goodbye
    serve                goes on until it is interrupted

Prints a line of JSON for everything that the peer says. The exit status is 1 where a step waits for longer than four minutes.
"""
from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any, NoReturn

from .datagrams import Patience
from .device import LIMIT, Device, Stuck
from .faults import BREACHES
from .files import OutgoingFile
from .frames import Kind, encode
from .handshake import Role
from .link import State
from .watch import WatchStreams


class Talk(Device):
    """A device that does what steps say."""

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
        frame = self.link.ask(name, json.loads(text), LIMIT * 1_000, wants_value)
        if frame is None:
            return self.say({"reply": "not taken"})
        self.send(frame)
        self.until(lambda: len(self.replies) > known, "a reply")

    def do_tell(self, words: str) -> None:
        self.do_ask(words, wants_value=False)

    def do_flood(self, words: str) -> None:
        name, count = words.split()
        self.until_open()
        known = len(self.replies)
        for frame in [self.link.ask(name, None) for _ in range(int(count))]:
            self.send(frame or b"")
        self.until(lambda: len(self.replies) >= known + int(count), "the replies")

    def do_send(self, words: str) -> None:
        path, *label = words.split(None, 1)
        file = OutgoingFile(label[0] if label else Path(path).name, Path(path).read_bytes())
        self.until_open()
        self.outgoing.append(file)
        self.offer(file)
        self.until(lambda: file not in self.outgoing, "the end of a transfer")

    def do_part(self, path: str) -> None:
        file = OutgoingFile(Path(path).name, Path(path).read_bytes())
        self.until_open()
        self.outgoing.append(file)
        self.offer(file)
        link = self.link
        self.until(lambda: any(each.written for each in link.files.sending.values()), "progress")
        self.drop()

    def do_sent(self) -> None:
        self.until(lambda: not self.outgoing, "the end of the transfers")

    def do_hear(self, name: str = "") -> None:
        self.until(lambda: self.inbox if not name else name in self.inbox, f"something under {name or 'any name'}")
        del self.inbox[:self.inbox.index(name) + 1 if name else 1]

    def do_miss(self, words: str = "message 1") -> None:
        what, count = words.split()
        self.missing = (what, int(count))
        self.until(lambda: not self.missing[1], f"a {what} to miss")

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
        self.leave()

    def do_restart(self) -> None:
        self.leave()
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
