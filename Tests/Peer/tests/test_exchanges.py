"""Exchanges: what a phone asks and answers that takes interactive messages, and one that does not."""
import unittest
from dataclasses import replace

from peer.frames import Control, Fault, Kind, Question, Reply, Status, decode, encode, item
from peer.handshake import INTERACTIVE, Hello, Role, Streams
from peer.link import Link, State
from peer.shopping import ShoppingList

WATCH = Hello(
    role=Role.WATCH, identity=1, epoch=7, known_epoch=9, longest_frame=512, longest_body=506, window=2,
    kinds=INTERACTIVE)


def opened(answerers=None, hello: Hello = WATCH) -> Link:
    """An open link of a phone that answers these names; None for one that takes no interactive messages."""
    phone = Link(
        Streams(epoch=9), ShoppingList({}), identity=2, name="phone", longest_frame=512, transport_maximum=512,
        answerers=answerers)
    phone.receive(encode(hello.frame()))
    assert phone.state is State.OPEN
    return phone


def fail(_):
    raise ValueError("no")


class ExchangeTests(unittest.TestCase):
    def fault_of(self, frames):
        goodbye = decode(frames[-1])
        self.assertIs(goodbye.kind, Kind.GOODBYE)
        return goodbye.fields[1]

    def test_hello_says_whether_they_are_taken(self):
        for answerers, kinds in (({}, INTERACTIVE), (None, 0)):
            phone = Link(
                Streams(epoch=9), ShoppingList({}), identity=2, name="phone", longest_frame=512,
                transport_maximum=512, answerers=answerers)
            hello = Hello.of(decode(phone.receive(encode(WATCH.frame()))[0]))
            self.assertEqual(hello.kinds, kinds)

    def test_questions_are_answered_and_receipts_have_no_value(self):
        phone = opened({"double": lambda number: 2 * number, "fail": fail})
        self.assertEqual(phone.receive(encode(Question(1, 500, "double", 21))), [encode(Reply(1, 0, item(42)))])
        self.assertEqual(phone.receive(encode(Question(2, 500, "double", 21, False))), [encode(Reply(2, 0))])
        self.assertEqual(phone.receive(encode(Question(3, 500, "fail", 1))), [encode(Reply(3, Status.FAILED))])
        self.assertEqual(phone.receive(encode(Question(4, 500, "other", 1))), [encode(Reply(4, Status.NOBODY))])

    def test_what_was_asked_is_replied_to_once(self):
        phone = opened({})
        self.assertEqual(decode(phone.ask("where", None)), Question(1, 2_000, "where"))
        self.assertEqual(phone.receive(encode(Reply(1, 0, item("here")))), [])
        self.assertEqual(phone.replies, [Reply(1, 0, item("here"))])
        self.assertEqual(self.fault_of(phone.receive(encode(Reply(1, 0, item("here"))))), Fault.UNASKED)

    def test_numbers_have_no_gaps_and_nothing_is_asked_of_who_takes_nothing(self):
        self.assertEqual(self.fault_of(opened({}).receive(encode(Question(2, 500, "a")))), Fault.GAP)
        self.assertIsNone(opened({}, replace(WATCH, kinds=0)).ask("where", None))
        for frame in (Question(1, 500, "a"), Reply(1, 0)):
            self.assertEqual(self.fault_of(opened().receive(encode(frame))), Fault.NOT_SUPPORTED)
        self.assertEqual(self.fault_of(opened({}).receive(encode(Reply(1, 0)))), Fault.UNASKED)

    def test_controls_go_on_beside_them(self):
        phone = opened({})
        self.assertEqual(phone.receive(encode(Control(Kind.PING, {0: 3}))), [encode(Control(Kind.PONG, {0: 3}))])


if __name__ == "__main__":
    unittest.main()
