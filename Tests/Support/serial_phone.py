"""A phone at the end of the firmware's radio line, as Sources/WatchLink/PROTOCOL.md has it: the serial channel of the bridge's
side, and as much of the link as it takes to give a watch its list and to hear its check-offs.
"""
import struct

from machine import RADIO, cbor, framed, item, unframed

OPEN, OPENED, CLOSED, DATA, TAKEN = range(1, 6)
# The first rows of the list that the lab measures with (Simulator/TapLatency/Measure/Groceries.swift).
GROCERIES = ("Apples", "Bananas", "Bread rolls", "Brown rice", "Butter", "Carrots", "Cheddar", "Chickpeas", "Cocoa")
# Items that the watch holds.
LARGEST_LIST = 128
HELLO, GOODBYE, PING, PONG, ACKNOWLEDGEMENT, LATEST, QUEUED = 1, 2, 3, 4, 5, 0x10, 0x11


def control(kind, fields):
    """A control frame."""
    return bytes([kind]) + cbor(fields)


def message(kind, number, name, payload):
    """A message frame."""
    return struct.pack(">BBI", kind, 0, number) + cbor(name) + cbor(payload)


def puts(count, first=1):
    """Changes that put so many items on an empty list."""
    numbers = range(first, first + count)
    return [[1, identifier(number), number, GROCERIES[(number - 1) % len(GROCERIES)], 0] for number in numbers]


def identifier(number):
    """A phone's number for an item: spread over 32 bits, as random ones are."""
    return number * 0x9E3779B1 & 0xFFFFFFFF


class Phone:
    """What a phone says and hears; time and the line are the machine's."""

    def __init__(self, machine):
        self.machine = machine
        self.read = 0
        self.token = 0
        self.number = self.expected = 0
        self.state = "closed"
        self.waiting, self.under_way = [], None
        self.epoch, self.watch_epoch, self.applied = 0x1234, 0, 0
        self.queued = 0
        self.acknowledged = 0
        self.messages = []
        self.goodbyes = []

    def connect(self, patience=200):
        """Opens a channel, on which the watch says hello."""
        self.token += 1
        self.number = self.expected = 0
        self.state, self.waiting, self.under_way = "opening", [], None
        self.send_packet(OPEN, struct.pack(">H", 512))
        self.settle(patience)

    def send_packet(self, kind, rest=b""):
        self.machine.send(RADIO, framed(struct.pack(">BI", kind, self.token) + rest))

    def send(self, sdu):
        """Sends a datagram as soon as those before it are taken."""
        self.waiting.append(sdu)

    def queue(self, name, payload):
        """Sends a queued message. Its sequence stays with it where the channel is closed."""
        self.queued += 1
        self.send(message(QUEUED, self.queued, name, payload))

    def settle(self, patience=200):
        """Goes on until nobody has had anything to say for so many milliseconds."""
        quiet = 0
        while quiet < patience:
            if self.under_way is None and self.waiting and self.state == "open":
                self.under_way = self.waiting.pop(0)
                self.send_packet(DATA, bytes([self.number]) + self.under_way)
            self.machine.wait(10_000)
            quiet = 0 if self.hear() or self.under_way is None and self.waiting and self.state == "open" else quiet + 10

    def hear(self):
        """Hears what the watch has sent; whether there was anything."""
        said = self.machine.said[RADIO]
        start = self.read
        while (end := said.find(b"\0", self.read)) >= 0:
            line, self.read = bytes(said[self.read:end]), end + 1
            if line:
                self.take(unframed(line))
        return self.read != start

    def take(self, packet):
        kind, token = struct.unpack(">BI", packet[:5])
        if token != self.token:
            return
        if kind == OPENED:
            self.state = "open"
        elif kind == CLOSED:
            self.state, self.waiting, self.under_way = "closed", [], None
        elif kind == TAKEN and packet[5] == self.number and self.under_way is not None:
            self.number, self.under_way = self.number + 1 & 255, None
        elif kind == DATA:
            self.send_packet(TAKEN, packet[5:6])
            if packet[5] == self.expected:
                self.expected = self.expected + 1 & 255
                self.take_datagram(packet[6:])

    def take_datagram(self, sdu):
        kind = sdu[0]
        if kind == HELLO:
            self.answer(item(sdu, 1)[0])
        elif kind == PING:
            self.send(control(PONG, item(sdu, 1)[0]))
        elif kind == GOODBYE:
            self.goodbyes.append(item(sdu, 1)[0])
        elif kind == ACKNOWLEDGEMENT:
            self.acknowledged = item(sdu, 1)[0][0]
        elif kind == QUEUED:
            sequence = struct.unpack(">I", sdu[2:6])[0]
            if sequence == self.applied + 1:
                name, at = item(sdu, 6)
                self.applied = sequence
                self.messages.append((bytes(name).decode(), item(sdu, at)[0]))
            self.send(control(ACKNOWLEDGEMENT, {0: self.applied, 1: 0, 2: 1_000}))

    def answer(self, hello):
        """The phone's hello. A watch that forgot our epoch is told of a new one, in which nothing was sent yet."""
        if hello.get(5, 0) != self.epoch:
            self.epoch += 1
            self.queued = 0
        if hello[4] != self.watch_epoch:
            self.watch_epoch, self.applied = hello[4], hello.get(15, 0)
        self.acknowledged = hello.get(6, 0) if hello.get(5, 0) == self.epoch else 0
        self.send(control(HELLO, {
            0: 1, 1: 1, 2: 1, 3: 0x5EED, 4: self.epoch, 5: self.watch_epoch, 6: self.applied, 8: 512, 9: 506, 11: self.queued,
            13: 8, 14: 1795169310, 15: self.acknowledged}))

    def give_list(self, count, name=None):
        """Gives the watch a list of so many items, in batches that fit a datagram; of more than it holds the first 128. With a
        name, that too."""
        changes = [[0]] + puts(min(count, LARGEST_LIST))
        more = max(0, count - LARGEST_LIST)
        if name is not None:
            self.send(message(LATEST, 1, "title", {0: name, 1: 0}))
        while changes:
            batch = []
            while changes and len(cbor(batch + changes[:1])) < 440:
                batch.append(changes.pop(0))
            self.queue("list", {0: more, 1: batch})
            self.settle()
