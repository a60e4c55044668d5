"""Frames: the examples of the page, and what is no frame."""
import unittest

from peer.frames import Control, Fault, Kind, Message, ProtocolError, Question, Status, decode, encode
from peer.messages import CheckOff, Reload, changes_of_list, clear, put, remove

from .page import examples


class FramesTests(unittest.TestCase):
    def test_page_has_examples_of_every_kind(self):
        self.assertEqual({decode(data).kind for data in examples().values()}, set(Kind))

    def test_examples_are_decoded_and_encoded_to_the_same_bytes(self):
        for title, data in examples().items():
            with self.subTest(title):
                self.assertEqual(encode(decode(data)).hex(" "), data.hex(" "))

    def test_question_says_what_it_wants_and_how_long_it_waits(self):
        question = decode(examples()["interactive message 1 that waits 2,000 ms for a value"])
        self.assertEqual(question, Question(1, 2_000, "locate", {0: 1}))
        receipt = decode(examples()["interactive message 2 that waits 500 ms for a receipt"])
        self.assertEqual((receipt.patience, receipt.wants_value, receipt.payload), (500, False, None))
        unanswered = decode(examples()["reply to interactive message 2: no program answers this name"])
        self.assertEqual((unanswered.status, unanswered.value), (Status.NOBODY, b""))

    def test_check_off_has_the_item_the_time_and_the_number(self):
        message = decode(examples()["queued check message, sequence 5"])
        self.assertEqual(message.number, 5)
        self.assertEqual(CheckOff.of(message), CheckOff(item=70_000, time=0x6AB13B8C, tap=9))

    def test_list_is_encoded_as_on_the_page(self):
        changes = changes_of_list(
            clear(), put(70_001, 10, "Milk"), put(70_002, 20, "Crème fraîche"), remove(70_000), beyond=12)
        data = encode(Message(Kind.QUEUED, 4, "list", changes))
        self.assertEqual(data, examples()["queued list message, sequence 4: clear, put two items, remove one"])

    def test_reload_is_for_the_rows_of_the_watch_or_for_every_row(self):
        title = "queued reload message"
        self.assertEqual(Reload.of(decode(examples()[title])), Reload(token=6, everything=False))
        self.assertEqual(Reload.of(decode(examples()[title + " for every row"])), Reload(token=7, everything=True))

    def test_reload_of_every_row_is_answered_with_those_beyond_the_watch_apart(self):
        rows = [put(number, number, "Milk") for number in range(1, 301)]
        for everything, extent in ((False, 128), (True, 300)):
            answer = Reload(token=7, everything=everything).answer(rows)
            given = [change for payload in answer if payload.get(3, 0) == 0 for change in payload[1]]
            beyond = [change for payload in answer if payload.get(3, 0) == 1 for change in payload[1]]
            self.assertEqual(given, [clear(), *rows[:128]])
            self.assertEqual(beyond, rows[128:extent])
            self.assertEqual([payload.get(2) for payload in answer], [None] * (len(answer) - 1) + [7])
            self.assertEqual({payload[0] for payload in answer}, {172})
            longest = max(len(encode(Message(Kind.QUEUED, 1, "list", payload))) for payload in answer)
            self.assertLessEqual(longest, 512)

    def test_reload_of_every_row_is_encoded_as_on_the_page(self):
        payload = Reload(token=7, everything=True).answer([put(70_004, 2_048_000, "Sugar")] * 129)[-1]
        example = "queued list message that completes reload 7 of every row, with a row beyond those of the watch"
        self.assertEqual(encode(Message(Kind.QUEUED, 6, "list", payload | {0: 1_872})), examples()[example])

    def test_unknown_keys_are_kept_apart_and_longer_heads_are_accepted(self):
        self.assertEqual(decode(bytes.fromhex("03 a2 1801 6161 00 1a00000007")), Control(Kind.PING, {1: "a", 0: 7}))

    def test_what_is_skipped_need_only_be_well_formed(self):
        for skipped in ("1818 9f 01 ff", "1818 62 fffe", "1818 a2 6161 00 6161 00", "6161 00", "20 00", "1820 00",
                        "1818" + "81" * 14 + "80"):
            with self.subTest(skipped):
                self.assertEqual(decode(bytes.fromhex("03 a2 00 07" + skipped)).fields[0], 7)

    def test_items_of_indefinite_length_are_malformed_where_they_are_read(self):
        for digits in ("03 bf 00 01 ff", "11 00 00000001 7f 6161 ff 00"):
            with self.subTest(digits), self.assertRaises(ProtocolError):
                decode(bytes.fromhex(digits))

    def test_hello_of_another_version_may_be_longer(self):
        frame = bytes.fromhex("01 a2 0009 1818 5882" + "00" * 130)
        self.assertEqual(decode(frame).fields[0], 9)

    def test_what_is_no_frame_has_a_fault(self):
        wrong = {
            "00": Fault.NOT_SUPPORTED, "16 0000000001": Fault.NOT_SUPPORTED, "10 01 00000001 6161 00": Fault.NOT_SUPPORTED,
            "03": Fault.MALFORMED, "03 a1": Fault.MALFORMED, "03 a100 01 00": Fault.MALFORMED, "03 80": Fault.MALFORMED,
            "03 a2 0001 0002": Fault.MALFORMED, "03 a1 1818 61": Fault.MALFORMED,
            "03 a1 00" + "81" * 16 + "00": Fault.MALFORMED, "03" + "00" * 128: Fault.TOO_LONG,
            "11 00 00000000 6161 00": Fault.MALFORMED, "11 00 000001": Fault.MALFORMED,
            "11 00 00000001 6161": Fault.MALFORMED, "11 00 00000001 60 00": Fault.MALFORMED,
            "11 00 00000001 61ff 00": Fault.MALFORMED, "11 08 00000001 00": Fault.MALFORMED,
            "11 00 00000001 6161" + "81" * 17 + "00": Fault.MALFORMED,
            "12 0000000001": Fault.MALFORMED, "12 08 00000001 00000001 6161 00": Fault.NOT_SUPPORTED,
            "12 00 00000000 00000001 6161 00": Fault.MALFORMED, "13 00 00000001": Fault.MALFORMED,
            "13 01 00000001 00": Fault.NOT_SUPPORTED, "13 00 00000000 00": Fault.MALFORMED,
        }
        for digits, fault in wrong.items():
            with self.subTest(digits), self.assertRaises(ProtocolError) as caught:
                decode(bytes.fromhex(digits))
            self.assertEqual(caught.exception.fault, fault, digits)


if __name__ == "__main__":
    unittest.main()
