"""The watch's side of a link, against the examples of the page and against the phone's side."""
import unittest
from dataclasses import replace

from peer.frames import Control, Fault, Kind, Message, Question, Reason, Reply, decode, encode, item
from peer.handshake import Hello, Role, Streams
from peer.link import Link, State
from peer.shopping import Rejected, Rejection
from peer.watch import WatchLink, WatchStreams

from .page import examples

PHONE = Hello(role=Role.PHONE, identity=5, epoch=9, longest_frame=512, longest_body=506, window=2)


class Taker:
    """Takes what is not named `bad`."""

    def greeting(self):
        return []

    def take(self, message):
        if message.name == "bad":
            raise Rejected(Rejection.UNKNOWN_NAME)
        return []


def watch(streams: WatchStreams, **fields) -> WatchLink:
    """A link of a watch that has not begun."""
    return WatchLink(streams, Taker(), identity=1, name="wrist", longest_frame=512, transport_maximum=512, **fields)


def phone(streams: Streams, **fields) -> Link:
    """A link of a phone that has no list."""
    return Link(streams, Taker(), identity=2, name="phone", longest_frame=512, transport_maximum=512, **fields)


def meet(one: WatchLink, other: Link) -> int:
    """Has two sides talk until neither has anything to say; returns how many frames that took."""
    frames, ends, count = [one.begin()], (other, one), 0
    while frames:
        count += len(frames)
        frames, ends = [answer for frame in frames for answer in ends[0].receive(frame)], ends[::-1]
    return count


class WatchTests(unittest.TestCase):
    def opened(self, hello: Hello = PHONE, streams: WatchStreams | None = None, **fields) -> WatchLink:
        link = watch(streams or WatchStreams(epoch=7), **fields)
        link.begin()
        link.receive(encode(hello.frame()))
        self.assertIs(link.state, State.OPEN)
        return link

    def test_hello_is_that_of_the_page(self):
        streams = WatchStreams(
            epoch=0x11223344, issued_sequence=5, acknowledged_sequence=4, peer_epoch=0x0A0B0C0D, applied_sequence=3,
            applied_revision=2)
        link = WatchLink(
            streams, Taker(), identity=0x0123456789ABCDEF, name="wrist", longest_frame=512, transport_maximum=512)
        self.assertEqual(link.begin(), examples()["hello of a watch that met this phone before"])

    def test_conversation_of_the_page_from_its_other_end(self):
        frames = examples()
        streams = WatchStreams(
            epoch=0x11223344, issued_sequence=4, acknowledged_sequence=4, phone=0xFEDCBA9876543210,
            peer_epoch=0x0A0B0C0D, applied_sequence=3, applied_revision=2)
        link = watch(streams)
        link.queue("check", {0: 70_000, 1: 0x6AB13B8C, 2: 9})
        link.begin()
        self.assertEqual(
            link.receive(frames["hello of a phone in answer"]), [frames["queued check message, sequence 5"]])
        (answer,) = link.receive(frames["queued list message, sequence 4: clear, put two items, remove one"])
        self.assertEqual(decode(answer).fields, {0: 4, 1: 2})
        (answer,) = link.receive(frames["latest title, revision 3"])
        self.assertEqual(decode(answer).fields, {0: 4, 1: 3})
        self.assertEqual(link.receive(frames["acknowledgement of queued 5, held for 1,250 microseconds"]), [])
        self.assertEqual(streams.outbox, [])

    def test_messages_and_values_go_both_ways_and_once(self):
        mine, theirs = WatchStreams(), Streams()
        one, other = watch(mine), phone(theirs)
        for link in (one, other):
            link.queue("a", [1, None])
            link.queue("bad", 2)
            link.set("b", {"goals": 2})
        meet(one, other)
        for link in (one, other):
            applied = [(each.name, each.payload) for each in link.applied]
            self.assertEqual(applied, [("a", [1, None]), ("b", {"goals": 2})])
            self.assertEqual([each.name for each in link.rejected], ["bad"])
        again = watch(mine), phone(theirs)
        self.assertEqual(meet(*again), 2)
        self.assertEqual((again[0].heard[1:], again[1].heard[1:]), ([], []))

    def test_each_side_answers_the_other(self):
        one, other = watch(WatchStreams(), answerers={"half": lambda it: it / 2}), phone(Streams(), answerers={})
        meet(one, other)
        self.assertEqual(other.receive(one.ask("double", 4)), [encode(Reply(1, 1))])
        (answer,) = one.receive(other.ask("half", 5))
        self.assertEqual(answer, encode(Reply(1, 0, item(2.5))))

    def test_what_was_issued_before_a_restart_keeps_its_origin(self):
        streams = WatchStreams(epoch=7)
        self.opened(streams=streams).queue("a", 1)
        streams.begin_run()
        link = watch(streams)
        link.begin()
        self.assertEqual(link.receive(encode(PHONE.frame())), [encode(Message(Kind.QUEUED, 1, "a", 1, origin=7))])
        link.receive(encode(Control(Kind.ACKNOWLEDGEMENT, {0: 1, 1: 0})))
        self.assertEqual(Hello.of(decode(watch(streams).begin())).floor_origin, 7)

    def test_claim_about_messages_that_were_never_issued_ends_the_link_and_the_run(self):
        streams = WatchStreams(epoch=7)
        link = watch(streams)
        (goodbye,) = link.receive(encode(replace(PHONE, known_epoch=7, applied_sequence=1).frame()))
        self.assertEqual(decode(goodbye).fields[0], Reason.STREAMS_LOST)
        self.assertNotEqual(streams.epoch, 7)

    def test_claim_about_another_epoch_says_nothing(self):
        streams = WatchStreams(epoch=7)
        link = watch(streams)
        link.queue("a", 1)
        (frame,) = link.receive(encode(replace(PHONE, known_epoch=6, applied_sequence=1).frame()))
        self.assertEqual(decode(frame).number, 1)

    def test_other_phone_is_left_while_messages_wait_and_else_becomes_the_own_with_the_next_hello(self):
        streams = WatchStreams(
            epoch=7, issued_sequence=3, acknowledged_sequence=3, floor_origin=6, phone=4, peer_epoch=8,
            applied_sequence=9)
        for identity, positions in ((5, (0, 0, 0, 0, 0)), (4, (3, 3, 6, 0, 0))):
            link = watch(streams)
            (goodbye,) = link.receive(encode(replace(PHONE, identity=identity).frame()))
            self.assertEqual(decode(goodbye).fields[0], Reason.GOING_AWAY)
            hello = Hello.of(decode(watch(streams).begin()))
            self.assertEqual(positions, (
                hello.issued_sequence, hello.floor, hello.floor_origin, hello.known_epoch, hello.applied_sequence))
        link = watch(streams)
        link.queue("a", 1)
        (goodbye,) = link.receive(encode(replace(PHONE, identity=6).frame()))
        self.assertEqual(decode(goodbye).fields[0], Reason.OTHER_PHONE)

    def test_phone_of_the_same_role_breaks_the_protocol(self):
        link = watch(WatchStreams())
        (goodbye,) = link.receive(encode(replace(PHONE, role=Role.WATCH).frame()))
        self.assertEqual(decode(goodbye).fields[1], Fault.SAME_ROLE)

    def test_cleared_name_is_sent_without_a_value(self):
        link = self.opened()
        link.clear("title")
        self.assertEqual(list(link.due()), [encode(Message(Kind.LATEST, 1, "title", flags=8))])

    def test_gap_in_the_phones_messages_is_a_fault(self):
        for frame in (Message(Kind.QUEUED, 2, "a", 1), Question(2, 100, "a")):
            link = self.opened(answerers={})
            self.assertEqual(decode(link.receive(encode(frame))[-1]).fields[1], Fault.GAP)


if __name__ == "__main__":
    unittest.main()
