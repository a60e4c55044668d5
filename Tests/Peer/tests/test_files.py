"""Files and complication messages: what a phone sends and receives that takes them, and one that does not."""
import hashlib
import unittest
from dataclasses import replace

from peer.files import WINDOW, Files, Kept, OutgoingFile
from peer.frames import Control, Fault, FileFrame, FileReason, Kind, Message, Step, decode, encode
from peer.handshake import COMPLICATIONS, FILES, Hello, Role, Streams
from peer.link import Link, State
from peer.shopping import ShoppingList

from .page import examples

WATCH = Hello(
    role=Role.WATCH, identity=1, epoch=7, known_epoch=9, longest_frame=512, longest_body=506, window=2,
    kinds=FILES | COMPLICATIONS)
CONTENT = bytes(range(256)) * 40


def opened(kept: Kept | None = None, hello: Hello = WATCH, streams: Streams | None = None, **fields) -> Link:
    """An open link of a phone that takes files and complication messages."""
    files = Files(kept or Kept())
    phone = Link(
        streams or Streams(epoch=9), ShoppingList({}), identity=2, name="phone", longest_frame=512,
        transport_maximum=512, **({"files": files, "takes_complications": True} | fields))
    phone.receive(encode(hello.frame()))
    assert phone.state is State.OPEN
    return phone


def offer(number: int = 1, label: str = "file", content: bytes = CONTENT, **changes) -> bytes:
    """The offer of a file, with some of what it says replaced."""
    fields = OutgoingFile(label, content, transfer=9).offer()
    return encode(FileFrame(number, Step.OFFER, fields=fields | {int(key[1:]): value for key, value in changes.items()}))


def chunk(offset: int, content: bytes, number: int = 1) -> bytes:
    """Content of a transfer."""
    return encode(FileFrame(number, Step.CHUNK, offset, content))


def talk(sender: Link, receiver: Link, frames: list[bytes], limit: int = 10_000) -> int:
    """Lets two phones answer one another as if each were a watch to the other; returns how many frames that took."""
    ends, count = (receiver, sender), 0
    while frames and count < limit:
        answers = []
        for frame in frames:
            count += 1
            answers += ends[0].receive(frame)
        frames, ends = answers, ends[::-1]
    return count


class FileTests(unittest.TestCase):
    def steps(self, frames: list[bytes]) -> list[FileFrame]:
        return [decode(frame) for frame in frames]

    def fault_of(self, frames: list[bytes]) -> int:
        goodbye = decode(frames[-1])
        self.assertIs(goodbye.kind, Kind.GOODBYE)
        return goodbye.fields[1]

    def test_hello_says_what_is_taken(self):
        for fields, kinds in (({}, FILES | COMPLICATIONS), ({"files": None, "takes_complications": False}, 0)):
            self.assertEqual(opened(**fields).kinds, kinds)

    def test_examples_of_the_page_are_one_transfer(self):
        page = examples()
        kept = Kept()
        phone = opened(kept)
        self.assertEqual(
            phone.receive(page["file offer of transfer 1: photo.pbm, 4 bytes"]),
            [page["file resume of transfer 1 from the beginning"]])
        self.assertEqual(
            phone.receive(page["file chunk of transfer 1: 4 bytes at offset 0"]),
            [page["file progress of transfer 1: 4 bytes are written"], page["file done of transfer 1"]])
        self.assertEqual(kept.files, {"photo.pbm": b"\x00\xff\x00\xff"})
        second = decode(page["file offer of transfer 2: Einkauf.txt, 3,010 bytes, with metadata"])
        self.assertEqual(second.fields[3], {0: "market"})
        self.assertEqual(decode(page["file refusal of transfer 2: no room"]).reason, FileReason.NO_ROOM)

    def test_whole_files_go_both_ways(self):
        for length in (0, 1, 497, 10_240):
            file, receiver, sender = OutgoingFile("a.bin", CONTENT[:length]), opened(), opened()
            talk(sender, receiver, [sender.send(file)])
            self.assertEqual(file.outcome, "done")
            self.assertEqual(receiver.files.kept.files, {"a.bin": CONTENT[:length]})

    def test_two_under_one_name_are_two(self):
        kept = Kept()
        for name in ("photo.png", "photo-2.png", "photo-3.png"):
            sender = opened()
            talk(sender, opened(kept), [sender.send(OutgoingFile("photo.png", CONTENT))])
            self.assertIn(name, kept.files)

    def test_cut_transfer_goes_on_and_a_stored_one_is_not_sent_again(self):
        kept, file = Kept(), OutgoingFile("a", CONTENT)
        sender = opened()
        talk(sender, opened(kept), [sender.send(file)], limit=20)
        (part,) = kept.parts.values()
        self.assertTrue(0 < len(part) < len(CONTENT))
        sender, receiver = opened(), opened(kept)
        resume = decode(receiver.receive(sender.send(file))[0])
        self.assertEqual((resume.step, resume.offset), (Step.RESUME, len(part)))
        talk(receiver, sender, [encode(resume)])
        self.assertEqual((file.outcome, kept.files), ("done", {"a": CONTENT}))
        sender, receiver = opened(), opened(kept)
        self.assertEqual(
            [frame.step for frame in self.steps(receiver.receive(sender.send(file)))], [Step.RESUME, Step.DONE])
        self.assertEqual(len(kept.files), 1)

    def test_what_was_kept_and_is_wrong_is_asked_for_again_once(self):
        file = OutgoingFile("a", CONTENT)
        kept = Kept(parts={(file.transfer, hashlib.sha256(CONTENT).digest()): b"wrong" * 100})
        sender = opened()
        talk(sender, opened(kept), [sender.send(file)])
        self.assertEqual((file.outcome, kept.files), ("done", {"a": CONTENT}))

    def test_no_more_is_under_way_than_the_window_allows(self):
        sender = opened()
        sender.send(OutgoingFile("a", CONTENT))
        sent = sender.receive(encode(FileFrame(1, Step.RESUME)))
        self.assertEqual([decode(each).step for each in sent], [Step.CHUNK] * WINDOW)
        self.assertEqual(len(sender.receive(encode(FileFrame(1, Step.PROGRESS, len(decode(sent[0]).content))))), 1)

    def test_refusals_have_a_reason(self):
        refusals = {
            FileReason.NOBODY: (Kept(is_receiving=False), offer()), FileReason.TOO_LARGE: (Kept(largest=10), offer()),
            FileReason.WRONG_HASH: (Kept(), offer(_1=0, _2=bytes(32)))}
        for label in ("", ".", "..", "../x", "a/b", ".hidden", "a\0b", "a\nb", "x" * 256):
            with self.subTest(label=label):
                (frame,) = opened().receive(offer(label=label))
                self.assertEqual(decode(frame).reason, FileReason.BAD_LABEL)
        for reason, (kept, frame) in refusals.items():
            with self.subTest(reason=reason):
                self.assertEqual(decode(opened(kept).receive(frame)[-1]).reason, reason)
        busy = opened()
        busy.receive(offer())
        self.assertEqual(decode(busy.receive(offer(2))[0]).reason, FileReason.BUSY)

    def test_busy_receiver_is_offered_a_file_again(self):
        first, second, sender = OutgoingFile("a", b""), OutgoingFile("b", b""), opened()
        sender.send(first)
        sender.send(second)
        busy = FileReason.BUSY
        self.assertEqual(sender.receive(encode(FileFrame(2, Step.REFUSAL, reason=busy))), [])
        self.assertIsNone(second.outcome)
        sender.receive(encode(FileFrame(1, Step.RESUME)))
        (frame,) = self.steps(sender.receive(encode(FileFrame(1, Step.DONE))))
        self.assertEqual((frame.step, frame.number, frame.fields[0]), (Step.OFFER, 3, "b"))
        now = 100.0
        for number, pause in enumerate((1, 2, 4, 8, 16, 30, 30), 3):
            sender.receive(encode(FileFrame(number, Step.REFUSAL, reason=busy)))
            self.assertEqual(list(sender.files.offers(now)), [])
            self.assertEqual(list(sender.files.offers(now + pause - 0.1)), [])
            now += pause
            (frame,) = self.steps(list(sender.files.offers(now)))
            self.assertEqual((frame.step, frame.number), (Step.OFFER, number + 1))
        self.assertEqual(first.outcome, "done")

    def test_either_side_cancels(self):
        file, sender, receiver = OutgoingFile("a", CONTENT), opened(), opened()
        receiver.receive(sender.send(file))
        receiver.receive(chunk(0, CONTENT[:100]))
        self.assertEqual(receiver.receive(sender.files.cancel(1)), [])
        self.assertEqual((file.outcome, receiver.files.kept.parts), (FileReason.CANCELLED, {}))
        self.assertEqual(receiver.receive(chunk(100, CONTENT[100:200])), [])
        other = OutgoingFile("b", CONTENT)
        receiver.receive(sender.send(other))
        self.assertEqual(sender.receive(receiver.files.refuse(2, FileReason.CANCELLED)), [])
        self.assertEqual(other.outcome, FileReason.CANCELLED)

    def test_what_does_not_fit_its_transfer_breaks_the_protocol(self):
        asked = encode(FileFrame(1, Step.RESUME))
        for frames in (
                [chunk(0, b"x")], [offer(), chunk(1, b"x")], [offer(content=b"ab"), chunk(0, b"abc")],
                [encode(FileFrame(1, Step.CANCEL))], [asked], [encode(FileFrame(1, Step.DONE))]):
            with self.subTest(frames=frames[-1]):
                phone = opened()
                answers = [phone.receive(frame) for frame in frames][-1]
                self.assertEqual(self.fault_of(answers), Fault.BROKEN_TRANSFER)
        for frame in (
                FileFrame(1, Step.DONE), FileFrame(1, Step.PROGRESS, 1), FileFrame(1, Step.RESUME, len(CONTENT) + 1)):
            with self.subTest(frame=frame):
                sender = opened()
                sender.send(OutgoingFile("a", CONTENT))
                self.assertEqual(self.fault_of(sender.receive(encode(frame))), Fault.BROKEN_TRANSFER)
        twice = opened()
        twice.send(OutgoingFile("a", CONTENT))
        twice.receive(asked)
        self.assertEqual(self.fault_of(twice.receive(asked)), Fault.BROKEN_TRANSFER)
        self.assertEqual(self.fault_of(opened().receive(offer(2))), Fault.GAP)

    def test_frames_that_are_none_are_malformed_or_not_supported(self):
        for data, fault in (
                ("15 00 00000001", Fault.MALFORMED), ("15 00 00000000 04", Fault.MALFORMED),
                ("15 01 00000001 04", Fault.NOT_SUPPORTED), ("15 00 00000001 07", Fault.NOT_SUPPORTED),
                ("15 00 00000001 04 00", Fault.MALFORMED), ("15 00 00000001 03", Fault.MALFORMED),
                ("15 00 00000001 02 0000000000000000", Fault.MALFORMED), ("15 00 00000001 00 a0", Fault.MALFORMED)):
            with self.subTest(data):
                self.assertEqual(self.fault_of(opened().receive(bytes.fromhex(data))), fault)

    def test_nothing_goes_to_who_takes_nothing_and_nothing_is_taken_that_the_hello_does_not_name(self):
        self.assertIsNone(opened(hello=replace(WATCH, kinds=0)).send(OutgoingFile("a", b"")))
        for frame in (offer(), encode(Message(Kind.COMPLICATION, 1, "check", {0: 1}))):
            deaf = opened(files=None, takes_complications=False)
            self.assertEqual(self.fault_of(deaf.receive(frame)), Fault.NOT_SUPPORTED)


class ComplicationTests(unittest.TestCase):
    def test_they_are_queued_messages_of_another_kind_in_one_sequence(self):
        phone = opened()
        title = "complication message, sequence 7"
        frame = replace(decode(examples()[title]), number=1)
        (answer,) = phone.receive(encode(frame))
        self.assertEqual(decode(answer).fields[0], 1)
        self.assertEqual(phone.pushed, [frame])
        self.assertEqual(phone.receive(encode(replace(frame, kind=Kind.QUEUED))), [
            encode(Control(Kind.ACKNOWLEDGEMENT, {0: 1, 1: 0}))])
        self.assertEqual(decode(phone.receive(encode(replace(frame, number=3)))[-1]).fields[1], Fault.GAP)

    def test_they_go_out_as_queued_ones_when_the_budget_is_spent_or_the_watch_takes_none(self):
        for kinds, sent in ((COMPLICATIONS, [Kind.COMPLICATION, Kind.QUEUED]), (0, [Kind.QUEUED, Kind.QUEUED])):
            phone = Link(
                Streams(epoch=9), ShoppingList({}), identity=2, name="phone", longest_frame=512, transport_maximum=512,
                complications=1)
            for _ in range(2):
                phone.push("complication", {0: []})
            frames = phone.receive(encode(replace(WATCH, kinds=kinds).frame()))[1:]
            self.assertEqual([(decode(each).kind, decode(each).number) for each in frames], list(zip(sent, (1, 2))))


if __name__ == "__main__":
    unittest.main()
