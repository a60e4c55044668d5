"""The phone's side of a link: the conversation of the page, resuming, windows and faults."""
import unittest
from dataclasses import replace

from peer.frames import Control, Kind, Message, ProtocolError, Reason, decode, encode
from peer.handshake import Hello, Role, Streams
from peer.link import Link, State
from peer.messages import changes_of_list, clear, put, remove
from peer.shopping import Rejection, ShoppingList

from .page import examples

ITEMS = {1: "Milk", 6: "Bread"}
# Knows the streams of a phone whose epoch is 9.
WATCH = Hello(role=Role.WATCH, identity=1, epoch=7, known_epoch=9, longest_frame=512, longest_body=506, window=2)


def link(streams: Streams) -> Link:
    """A link of a phone over a transport of 512 bytes."""
    return Link(streams, ShoppingList(ITEMS), identity=2, name="phone", longest_frame=512, transport_maximum=512)


def queued(number: int, item: int | None = None) -> bytes:
    """A check-off by the watch, of the item with the same number if no other is named."""
    return encode(Message(Kind.QUEUED, number, "check", {0: item or number}))


def acknowledgement(sequence: int, revision: int = 0, rejections: dict[int, Rejection] | None = None) -> bytes:
    """The acknowledgement of messages up to these numbers, with the sequences that were rejected and why."""
    fields = {0: sequence, 1: revision}
    if rejections:
        fields[3] = [[number, int(reason)] for number, reason in rejections.items()]
    return encode(Control(Kind.ACKNOWLEDGEMENT, fields))


class ConversationTests(unittest.TestCase):
    def test_the_conversation_of_the_page(self):
        frames = examples()
        streams = Streams(
            epoch=0x0A0B0C0D, issued_sequence=3, acknowledged_sequence=3, issued_revision=2, peer_epoch=0x11223344,
            applied_sequence=4)
        shopping = ShoppingList({70_000: "Butter", 70_001: "Milk", 70_002: "Crème fraîche"})
        phone = Link(
            streams, shopping, identity=0xFEDCBA9876543210, name="kitchen", longest_frame=65535,
            transport_maximum=65535, local_time=0x6AB13B80)
        phone.queue("list", changes_of_list(
            clear(), put(70_001, 10, "Milk"), put(70_002, 20, "Crème fraîche"), remove(70_000), beyond=12))
        phone.set("title", {0: "Groceries", 1: 0x6AAFB4E0})
        self.assertEqual(phone.receive(frames["hello of a watch that met this phone before"]), [
            frames["hello of a phone in answer"],
            frames["queued list message, sequence 4: clear, put two items, remove one"],
            frames["latest title, revision 3"]])
        (answer,) = phone.receive(frames["queued check message, sequence 5"])
        self.assertEqual(decode(answer).fields[0], 5)
        self.assertEqual(shopping.checked, {70_000})
        self.assertEqual(phone.receive(acknowledgement(4, 3)), [])
        self.assertEqual(streams.outbox, [])
        self.assertEqual(phone.receive(frames["ping"]), [frames["pong"]])
        self.assertEqual(phone.leave(), frames["goodbye, going away"])


class LinkTests(unittest.TestCase):
    def opened(self, hello: Hello = WATCH, streams: Streams | None = None) -> Link:
        phone = link(streams or Streams(epoch=9))
        phone.receive(encode(hello.frame()))
        self.assertIs(phone.state, State.OPEN)
        return phone

    def test_message_is_applied_once_and_acknowledged_as_often_as_it_comes(self):
        phone = self.opened()
        for _ in range(2):
            self.assertEqual(phone.receive(queued(1)), [acknowledgement(1)])
        self.assertEqual((len(phone.applied), len(phone.duplicates)), (1, 1))

    def test_item_that_is_checked_off_already_is_acknowledged(self):
        phone = self.opened()
        for number in (1, 2):
            self.assertEqual(phone.receive(queued(number, item=1)), [acknowledgement(number)])

    def test_what_can_never_be_applied_is_rejected_once_and_blocks_nothing(self):
        rejected = {
            queued(1, item=77): Rejection.REFUSED,
            encode(Message(Kind.QUEUED, 2, "photo", {0: 1})): Rejection.UNKNOWN_NAME,
            encode(Message(Kind.QUEUED, 3, "check", {1: 1})): Rejection.MALFORMED,
        }
        phone = self.opened()
        for number, (data, reason) in enumerate(rejected.items(), 1):
            self.assertEqual(phone.receive(data), [acknowledgement(number, rejections={number: reason})])
            self.assertEqual(phone.receive(data), [acknowledgement(number)])
        self.assertEqual(phone.receive(queued(4, item=1)), [acknowledgement(4)])
        self.assertEqual([each.number for each in phone.rejected], [1, 2, 3])
        self.assertEqual([each.number for each in phone.applied], [4])

    def test_latest_value_under_an_unknown_name_is_acknowledged(self):
        phone = self.opened()
        self.assertEqual(phone.receive(encode(Message(Kind.LATEST, 3, "mood", 1))), [acknowledgement(0, 3)])

    def test_list_for_a_new_watch_is_issued_before_the_hello(self):
        phone = link(Streams(epoch=9))
        hello, *rest = phone.receive(encode(replace(WATCH, known_epoch=0).frame()))
        changes = changes_of_list(clear(), put(1, 0, "Milk"), put(6, 1, "Bread"))
        self.assertEqual(Hello.of(decode(hello)).issued_sequence, 1)
        self.assertEqual(rest, [encode(Message(Kind.QUEUED, 1, "list", changes))])

    def test_watch_that_knows_the_list_is_not_given_it_again(self):
        (hello,) = link(Streams(epoch=9)).receive(encode(WATCH.frame()))
        self.assertEqual(Hello.of(decode(hello)).issued_sequence, 0)

    def test_reload_is_answered_with_the_open_items_and_its_token(self):
        phone = self.opened()
        phone.receive(queued(1, item=6))
        reload = encode(Message(Kind.QUEUED, 2, "reload", {0: 5}))
        answer = changes_of_list(clear(), put(1, 0, "Milk")) | {2: 5}
        self.assertEqual(phone.receive(reload), [acknowledgement(2), encode(Message(Kind.QUEUED, 1, "list", answer))])

    def test_gap_breaks_the_protocol(self):
        phone = self.opened()
        self.assertEqual(phone.receive(queued(2)), [examples()["goodbye for a sequence gap"]])
        self.assertIs(phone.state, State.CLOSED)

    def test_no_more_is_under_way_than_the_window_allows(self):
        streams = Streams(epoch=9)
        first = link(streams)
        for number in range(4):
            first.queue("list", {1: [[2, number]]})
        sent = first.receive(encode(WATCH.frame()))[1:]
        self.assertEqual([decode(data).number for data in sent], [1, 2])
        self.assertEqual([decode(data).number for data in first.receive(acknowledgement(1))], [3])

    def test_unacknowledged_messages_are_sent_again_and_acknowledged_ones_are_not(self):
        streams = Streams(epoch=9)
        first = link(streams)
        first.queue("list", {})
        first.queue("list", {})
        first.receive(encode(WATCH.frame()))
        second = link(streams)
        sent = second.receive(encode(replace(WATCH, known_epoch=9, applied_sequence=1).frame()))[1:]
        self.assertEqual([decode(data).number for data in sent], [2])

    def test_watch_that_knows_of_more_than_was_issued_is_given_a_new_epoch(self):
        streams = Streams(epoch=9)
        phone = link(streams)
        phone.queue("list", {})
        phone.receive(encode(replace(WATCH, known_epoch=9, applied_sequence=5).frame()))
        self.assertNotEqual(streams.epoch, 9)
        self.assertEqual(streams.outbox[0].number, 1)

    def test_watch_with_a_new_epoch_begins_anew(self):
        streams = Streams(epoch=9, peer_epoch=6, applied_sequence=30)
        self.opened(streams=streams)
        self.assertEqual((streams.peer_epoch, streams.applied_sequence), (7, 0))

    def test_what_lies_below_the_floor_is_not_waited_for(self):
        phone = self.opened(replace(WATCH, issued_sequence=6, floor=5))
        self.assertEqual(phone.receive(queued(6)), [acknowledgement(6)])

    def test_values_go_one_at_a_time_in_the_order_of_their_revisions(self):
        streams = Streams(epoch=9)
        phone = link(streams)
        phone.set("title", {0: "one"})
        phone.set("complication", {0: []})
        phone.set("title", {0: "two"})
        sent = phone.receive(encode(WATCH.frame()))[1:]
        self.assertEqual([decode(data).number for data in sent], [2])
        self.assertEqual([decode(data).number for data in phone.receive(acknowledgement(0, 2))], [3])

    def test_message_that_the_watch_cannot_take_is_withdrawn(self):
        streams = Streams(epoch=9)
        phone = link(streams)
        phone.queue("list", {1: ["x" * 600]})
        self.assertEqual(phone.receive(encode(WATCH.frame()))[1].hex(" "), "11 08 00 00 00 01")

    def test_message_of_an_earlier_epoch_is_applied_once_whatever_its_sender_has_lost(self):
        streams = Streams(epoch=9)
        first = self.opened(streams=streams)
        first.receive(queued(1))
        # The watch has an older copy of its flash: it sends the message again, and another one under the next number.
        again = self.opened(replace(WATCH, epoch=8, issued_sequence=2), streams)
        for number, item in ((1, 1), (2, 6)):
            again.receive(encode(Message(Kind.QUEUED, number, "check", {0: item}, origin=7 if number == 1 else 0)))
        self.assertEqual([message.payload[0] for message in again.applied], [6])
        self.assertEqual(streams.applied_sequence, 2)

    def test_phone_that_was_put_back_says_how_much_it_has_lost(self):
        phone = link(Streams(epoch=9, peer_epoch=7, applied_sequence=2))
        (hello, *_) = phone.receive(encode(replace(WATCH, issued_sequence=5, floor=5).frame()))
        self.assertEqual(Hello.of(decode(hello)).lost, 3)

    def test_phone_that_was_put_back_lacks_a_message_whose_number_it_has_applied_of_another_epoch(self):
        streams = Streams(epoch=9, peer_epoch=7, applied_sequence=5)
        hello = encode(replace(WATCH, epoch=8, issued_sequence=5, floor=5, floor_origin=8).frame())
        for lost in (1, 0):
            (answer, *_) = link(streams).receive(hello)
            self.assertEqual(Hello.of(decode(answer)).lost, lost)

    def test_watch_that_claims_less_than_was_acknowledged_gets_the_list_again(self):
        streams = Streams(epoch=9, issued_sequence=3, acknowledged_sequence=3)
        sent = link(streams).receive(encode(replace(WATCH, applied_sequence=2).frame()))
        self.assertNotEqual(streams.epoch, 9)
        self.assertEqual([decode(data).number for data in sent[1:]], [1])

    def test_peer_of_another_version_gets_a_goodbye_with_this_one(self):
        phone = link(Streams(epoch=9))
        (data,) = phone.receive(encode(Control(Kind.HELLO, {0: 4})))
        self.assertEqual(decode(data).fields, {0: Reason.OTHER_VERSION, 2: 2})

    def test_frames_at_the_wrong_time_break_the_protocol(self):
        self.assertEqual(decode(link(Streams()).receive(queued(1))[0]).fields[1], 2)
        self.assertEqual(decode(self.opened().receive(encode(WATCH.frame()))[0]).fields[1], 2)

    def test_empty_datagram_is_ignored(self):
        self.assertEqual(link(Streams(epoch=9)).receive(b""), [])
        self.assertEqual(self.opened().receive(b""), [])

    def test_goodbye_is_not_answered(self):
        phone = self.opened()
        self.assertEqual(phone.receive(examples()["goodbye, going away"]), [])
        self.assertIs(phone.state, State.CLOSED)

    def test_hello_without_what_it_needs_is_malformed(self):
        for key, value in ((0, 256), (0, 0), (1, 0), (1, 3), (3, None), (3, 0), (4, 0), (8, 127), (10, "x" * 33), (13, 0), (15, 1)):
            with self.subTest(key=key), self.assertRaises(ProtocolError):
                Hello.of(Control(Kind.HELLO, {**WATCH.frame().fields, key: value}))


if __name__ == "__main__":
    unittest.main()
