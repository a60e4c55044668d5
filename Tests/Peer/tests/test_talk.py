"""The command line of the peer: a watch and a phone on a socket, and the rules that either can break."""
import tempfile
import threading
import unittest
from pathlib import Path

from peer.device import Names
from peer.faults import BREACHES
from peer.files import Files, Kept, OutgoingFile
from peer.frames import Fault, Kind, decode
from peer.handshake import Role, Streams
from peer.link import Link, State
from peer.talk import Talk
from peer.watch import WatchLink, WatchStreams

FAULTS = {
    "malformed": Fault.MALFORMED, "second-hello": Fault.WRONG_TIME, "unknown-kind": Fault.NOT_SUPPORTED,
    "fragment": Fault.NOT_SUPPORTED, "sequence-gap": Fault.GAP, "exchange-gap": Fault.GAP, "transfer-gap": Fault.GAP,
    "never-issued": Fault.NEVER_ISSUED, "long-control": Fault.TOO_LONG, "long-message": Fault.TOO_LONG,
    "unasked-reply": Fault.UNASKED, "second-reply": Fault.UNASKED, "chunk-out-of-order": Fault.BROKEN_TRANSFER,
    "chunk-beyond-length": Fault.BROKEN_TRANSFER, "chunk-of-nothing": Fault.BROKEN_TRANSFER,
    "done-too-soon": Fault.BROKEN_TRANSFER, "resume-beyond-length": Fault.BROKEN_TRANSFER}


def side(kind: type[Link], streams: Streams) -> Link:
    """A side of a link that takes everything."""
    return kind(
        streams, Names(), 1, "side", 512, 512, answerers={"echo": lambda it: it}, files=Files(Kept()),
        takes_complications=True)


def exchange(sender: Link, receiver: Link, frames: list[bytes]) -> list[bytes]:
    """Lets two sides talk until neither has anything to say; returns the last that was said."""
    ends, last = (receiver, sender), frames
    while frames:
        last = frames
        frames, ends = [answer for frame in frames for answer in ends[0].receive(frame)], ends[::-1]
    return last


class BreachTests(unittest.TestCase):
    def test_each_is_the_fault_that_the_page_gives(self):
        self.assertEqual(set(BREACHES), set(FAULTS))
        for name, breach in BREACHES.items():
            with self.subTest(name):
                watch, phone = side(WatchLink, WatchStreams()), side(Link, Streams())
                exchange(watch, phone, [watch.begin()])
                exchange(phone, watch, [phone.ask("echo", 1)])
                exchange(watch, phone, breach.first(watch))
                exchange(phone, watch, [phone.send(OutgoingFile("file", b"content"))])
                self.assertTrue(breach.is_time(watch))
                (*_, goodbye) = exchange(watch, phone, breach.last(watch))
                self.assertIs(phone.state, State.CLOSED)
                self.assertIs(decode(goodbye).kind, Kind.GOODBYE)
                self.assertEqual(decode(goodbye).fields[1], FAULTS[name])


class TalkTests(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def play(self, watch: list[str], phone: list[str]) -> tuple[list[dict], list[dict]]:
        """What a watch and a phone hear that carry out these steps."""
        heard = ([], [])
        path = str(self.directory / "watch.sock")
        phone_side = Talk(Role.PHONE, path, heard[1].append)
        watch_side = Talk(Role.WATCH, path, heard[0].append)

        def run(talk: Talk, steps: list[str]) -> None:
            for step in steps:
                talk.do(step)
            talk.close()

        thread = threading.Thread(target=run, args=(phone_side, phone))
        thread.start()
        run(watch_side, watch)
        thread.join()
        return heard

    def test_messages_values_and_questions_are_heard(self):
        watch, phone = self.play(
            ["answer same", "queue a [1]", "push b 2", "pass c 3", "hear d", "hear same"],
            ["hear a", "hear b", "hear c", "queue d 4", "ask same {\"x\": 5}"])
        self.assertIn({"heard": "queued", "name": "a", "value": [1]}, phone)
        self.assertIn({"heard": "complication", "name": "b", "value": 2}, phone)
        self.assertIn({"heard": "latest", "name": "c", "value": 3}, phone)
        self.assertIn({"heard": "queued", "name": "d", "value": 4}, watch)
        self.assertIn({"reply": 0, "value": {"x": 5}}, phone)

    def test_messages_come_once_over_broken_links(self):
        _, phone = self.play(
            ["queue a 1", "lose a 2", "meet", "repeat", "queue a 3", "lose a 4", "restart", "queue a 5"],
            ["meet", "hear a", "hear a", "hear a", "hear a", "hear a"])
        self.assertEqual([each["value"] for each in phone if "heard" in each], [1, 2, 3, 4, 5])

    def test_file_goes_on_where_its_link_was_cut(self):
        content = bytes(range(256)) * 2_000
        (self.directory / "file").write_bytes(content)
        (self.directory / "received").mkdir()
        watch, _ = self.play(
            [f"part {self.directory}/file", "sent"], [f"receive {self.directory}/received", "hear file"])
        self.assertEqual((self.directory / "received/file").read_bytes(), content)
        self.assertGreater([each["wanted from"] for each in watch if "wanted from" in each][-1], 0)

    def test_goodbye_has_its_fault(self):
        watch, phone = self.play(["break sequence-gap", "cut", "queue end 1"], ["hear end"])
        self.assertIn({"goodbye": 2, "fault": 4}, watch)
        self.assertIn({"goodbye said": 2, "fault": 4}, phone)


if __name__ == "__main__":
    unittest.main()
