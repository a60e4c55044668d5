"""The capture beside the page: its packets are the frames that its text says they are."""
import re
import struct
import unittest

from peer.frames import Kind, Reason, decode, encode
from peer.handshake import Hello, Role
from peer.messages import CheckOff

from .page import PAGE

CAPTURE = PAGE.with_name("CAPTURE.md")


def packets() -> list[tuple[str, bytes]]:
    """The direction and the data of every packet of the channel: < for the watch's."""
    found: list[tuple[str, bytes]] = []
    direction = ""
    for line in "".join(re.findall(r"^```btmon\n(.*?)^```", CAPTURE.read_text(), re.MULTILINE | re.DOTALL)).splitlines():
        if line[0] in "<>":
            direction = line[0]
        elif line.startswith("      Channel: "):
            found.append((direction, b""))
        elif match := re.match(r" {8}((?:[0-9a-f]{2} )+) ", line):
            found[-1] = (direction, found[-1][1] + bytes.fromhex(match[1]))
    return found


def frames() -> list[tuple[str, bytes]]:
    """The direction and the bytes of every frame: an SDU is its length, the low byte first, and a frame."""
    found = []
    unfinished = {"<": b"", ">": b""}
    for direction, data in packets():
        unfinished[direction] += data
        (length,) = struct.unpack_from("<H", unfinished[direction])
        if len(unfinished[direction]) == 2 + length:
            found.append((direction, unfinished[direction][2:]))
            unfinished[direction] = b""
    assert not any(unfinished.values())
    return found


class CaptureTests(unittest.TestCase):
    def test_frames_come_in_the_order_of_the_text(self):
        self.assertEqual([(direction, decode(data).kind) for direction, data in frames()], [
            ("<", Kind.HELLO), (">", Kind.HELLO), ("<", Kind.QUEUED), (">", Kind.ACKNOWLEDGEMENT), (">", Kind.GOODBYE)])

    def test_frames_are_in_the_deterministic_encoding(self):
        for _, data in frames():
            self.assertEqual(encode(decode(data)).hex(" "), data.hex(" "))

    def test_either_side_goes_on_where_it_was(self):
        watch, phone = (Hello.of(decode(data)) for _, data in frames()[:2])
        self.assertEqual((watch.role, phone.role), (Role.WATCH, Role.PHONE))
        self.assertEqual((watch.known_epoch, phone.known_epoch), (phone.epoch, watch.epoch))

    def test_check_off_is_acknowledged(self):
        _, _, message, acknowledgement, goodbye = (decode(data) for _, data in frames())
        self.assertEqual(CheckOff.of(message), CheckOff(item=70_002, time=1_795_256_903, tap=2))
        self.assertEqual(acknowledgement.fields[0], message.number)
        self.assertEqual(goodbye.fields[0], Reason.GOING_AWAY)

    def test_tables_show_the_bytes_of_a_frame(self):
        shown = [data for _, data in frames()]
        for table in re.findall(r"^\| Bytes \| Field \|\n\|---\|---\|\n((?:\|.*\n)+)", CAPTURE.read_text(), re.MULTILINE):
            cells = "".join("".join(re.findall(r"`([0-9a-f ]+)`", row.split("|")[1])) for row in table.splitlines())
            self.assertIn(bytes.fromhex(cells)[2:], shown, table)


if __name__ == "__main__":
    unittest.main()
