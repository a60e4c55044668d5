"""Plays the phone against a watch in a guest: python -m peer FOLDER

FOLDER has the guest's serial port, hci0, and `results`, the folder that both see. What is agreed there:

phone.digits    the phone's digits, once it shows them; it says yes when watch.digits says the same
watch.digits    the digits on the watch's screen
tap             how many rows the wearer is to check off by now
left            there once the phone has left, and everything was as the protocol page says

Prints what it finds.
"""
from __future__ import annotations

import asyncio
import time
from pathlib import Path

from bumble.core import AdvertisingData
from bumble.core import ProtocolError as BumbleError
from bumble.device import Connection, Device
from bumble.gatt import (
    GATT_BATTERY_LEVEL_CHARACTERISTIC, GATT_BATTERY_SERVICE, GATT_DEVICE_INFORMATION_SERVICE,
    GATT_MANUFACTURER_NAME_STRING_CHARACTERISTIC, GATT_MODEL_NUMBER_STRING_CHARACTERISTIC)
from bumble.keys import PairingKeys

from .frames import Kind, decode, encode
from .handshake import Streams
from .link import Link
from .messages import CheckOff, title_of_list
from .phone import (
    CHANNEL_MTU, PSM_CHARACTERISTIC, SERVICE, Comparison, Conversation, Ended, JustWorks, Security, demand_not_cancelled,
    find_watch, open_channel, pair, psm_of, read_psm, read_services)
from .radio import PHONE_ADDRESS, device_on, radio_of_guest, run_beside_guest, tell_ready
from .shopping import ShoppingList

ITEMS = {70_001: "Milk", 70_002: "Crème fraîche", 70_003: "Bread"}
IDENTITY = 0x7461706C696E65


class Difference(Exception):
    """The watch does something else than the page says."""


def expect(what: str, expected: object, found: object) -> None:
    """Prints what was found, or raises `Difference`."""
    if expected != found:
        raise Difference(f"{what}: expected {expected!r}, found {found!r}")
    print(f"{what}: {found}", flush=True)


class Meeting:
    """The scenario: one watch, and everything that the phone does to it."""

    def __init__(self, device: Device, results: Path) -> None:
        self.device, self.results = device, results
        self.streams = Streams()
        self.shopping = ShoppingList(dict(ITEMS))
        self.begin = time.monotonic()
        self.compared = False

    def put(self, name: str, text: str) -> None:
        """Leaves a word for the guest, whole or not at all."""
        unfinished = self.results / f"{name}.unfinished"
        unfinished.write_text(text)
        unfinished.rename(self.results / name)

    async def take(self, name: str) -> str:
        """A word of the guest, once it is there."""
        while not (self.results / name).exists():
            await asyncio.sleep(0.05)
        return (self.results / name).read_text().strip()

    def chapter(self, title: str) -> None:
        """Prints what follows, and the seconds since the beginning."""
        print(f"-- {title} ({time.monotonic() - self.begin:.1f} s)", flush=True)

    async def connect(self) -> Connection:
        """Connects to the watch that advertises."""
        advertisement = await find_watch(self.device)
        return await self.device.connect(advertisement.address)

    async def be_refused_without_pairing(self) -> None:
        """A phone that has not paired reads the PSM and is refused the channel."""
        advertisement = await find_watch(self.device)
        expect("name", "wrist", advertisement.data.get(AdvertisingData.Type.COMPLETE_LOCAL_NAME))
        connection = await self.device.connect(advertisement.address)
        psm = await read_psm(connection)
        expect("PSM read without pairing", 0x95, psm)
        await self.expect_refusal("channel without pairing", connection, psm)
        await self.end(connection)

    async def be_refused_after_just_works(self) -> None:
        """A phone without a screen cannot compare digits: it is refused, at pairing or at the channel."""
        connection = await self.connect()
        psm = await read_psm(connection)
        try:
            keys = await pair(self.device, connection, JustWorks())
            expect("authenticated by just works", "no", Security.of(connection, keys).authenticated)
        except BumbleError as error:
            print(f"pairing by just works: refused, {error}")
        except asyncio.CancelledError:
            # The watch may end the connection before its word of the refusal is through: Bumble then cancels what waits.
            self.expect_end(connection)
            print("pairing by just works: refused, the watch has ended the connection")
            return
        try:
            await self.expect_refusal("channel after just works", connection, psm)
            await self.end(connection)
        except (Ended, asyncio.CancelledError):
            self.expect_end(connection)
            print("channel after just works: refused, the watch has ended the connection")

    async def end(self, connection: Connection) -> None:
        """Ends a connection. If the watch ends it at the same time, Bumble's call may wait without an end."""
        if connection.handle not in self.device.connections:
            return
        ending = asyncio.ensure_future(connection.disconnect())
        while connection.handle in self.device.connections and not ending.done():
            await asyncio.sleep(0.05)
        if ending.done():
            ending.result()
        ending.cancel()

    def expect_end(self, connection: Connection) -> None:
        """The rule that what Bumble has cancelled waited for a connection that has ended."""
        if connection.handle in self.device.connections:
            raise Difference("something was cancelled on a connection that is there")

    async def expect_refusal(self, what: str, connection: Connection, psm: int) -> None:
        """The rule that the watch does not open its channel."""
        try:
            await open_channel(connection, psm)
        except BumbleError as error:
            print(f"{what}: refused, {error}", flush=True)
        else:
            raise Difference(f"{what}: it opened")

    async def compare(self, digits: str) -> bool:
        """What the phone's owner does: looks at both screens."""
        self.compared = True
        print(f"digits on the phone: {digits}", flush=True)
        self.put("phone.digits", digits)
        expect("digits on the watch", digits, await self.take("watch.digits"))
        return True

    async def pair_when_allowed(self) -> tuple[Connection, PairingKeys]:
        """Pairs by comparing digits. After a pairing that failed, the watch accepts none for two seconds: then it tries again."""
        while True:
            connection = await self.connect()
            try:
                return connection, await pair(self.device, connection, Comparison(self.compare))
            except (BumbleError, asyncio.CancelledError) as error:
                demand_not_cancelled()
                if self.compared:
                    raise Difference("a pairing with the same digits failed") from error
                print(f"pairing: not yet, {error!r}", flush=True)
            await self.end(connection)
            await asyncio.sleep(1)

    async def read(self, connection: Connection, keys: PairingKeys) -> int:
        """Reads every service. Returns the PSM."""
        expect("security", Security("yes", "yes", 16, "LE Secure Connections"), Security.of(connection, keys))
        services = await read_services(connection)
        for service, values in services.items():
            print(f"service {service}:", *(f"\n    {each}: {value.hex(' ')}" for each, value in values.items()))
        information = services[GATT_DEVICE_INFORMATION_SERVICE]
        expect("manufacturer", b"Tapline", information[GATT_MANUFACTURER_NAME_STRING_CHARACTERISTIC])
        expect("model", b"Tapline watch", information[GATT_MODEL_NUMBER_STRING_CHARACTERISTIC])
        expect("battery, percent", 100, services[GATT_BATTERY_SERVICE][GATT_BATTERY_LEVEL_CHARACTERISTIC][0])
        psm = psm_of(services[SERVICE][PSM_CHARACTERISTIC])
        expect("PSM", 0x95, psm)
        return psm

    async def open_link(self, connection: Connection, psm: int) -> Conversation:
        """Opens the channel, on which the watch says hello. A watch that is new hears of the list and its title."""
        channel = await open_channel(connection, psm)
        print(f"channel: SDUs of up to {channel.peer_mtu}, PDUs of up to {channel.peer_mps}, {channel.credits} credits")
        link = Link(
            self.streams, self.shopping, IDENTITY, "peer", CHANNEL_MTU, transport_maximum=channel.peer_mtu, local_time=1_790_000_000)
        if not self.streams.values:
            link.set("title", title_of_list("Groceries"))
        conversation = Conversation(channel, link)
        await conversation.until(lambda: link.peer)
        print(f"hello: {link.peer}", flush=True)
        return conversation

    async def return_to(self, psm: int) -> tuple[Connection, Conversation]:
        """Connects once more, with the keys of the pairing, and opens a link."""
        connection = await self.connect()
        await connection.encrypt()
        return connection, await self.open_link(connection, psm)

    async def take_a_check_off(self, conversation: Conversation, count: int) -> None:
        """Has the wearer check a row off, and hears of it, once: what was repeated would come before the next sequence."""
        self.put("tap", str(count))
        link = conversation.link
        await conversation.until(lambda: link.applied)
        (message,) = link.applied
        expect("sequence of the check-off", count, message.number)
        expect("item checked off", list(ITEMS)[count - 1], CheckOff.of(message).item)
        expect("check-offs that came twice", [], link.duplicates)
        expect("messages rejected", [], link.rejected)

    async def lose_a_check_off(self, conversation: Conversation, count: int) -> None:
        """Has the wearer check a row off, and forgets it as soon as it is there."""
        conversation.task.cancel()
        self.put("tap", str(count))
        message = decode(await conversation.channel.incoming.get())
        # A watch that has heard nothing for a while asks first whether the phone is there.
        while message.kind is Kind.PING:
            message = decode(await conversation.channel.incoming.get())
        expect("check-off that is lost", (Kind.QUEUED, count), (message.kind, getattr(message, "number", None)))

    async def leave(self, conversation: Conversation) -> None:
        """Ends a link, in which the watch kept to the rules."""
        link = conversation.link
        expect("frames not in the deterministic encoding", [], [
            data.hex(" ") for data in link.heard if encode(decode(data)) != data])
        expect("goodbye of the watch", None, link.goodbye)
        await conversation.leave()

    async def play(self) -> None:
        """Everything, in its order."""
        self.chapter("a phone that has not paired")
        await self.be_refused_without_pairing()
        self.chapter("a phone that cannot compare digits")
        await self.be_refused_after_just_works()
        self.chapter("pairing by comparing digits")
        connection, keys = await self.pair_when_allowed()
        psm = await self.read(connection, keys)
        self.chapter("the first link: a list, and a check-off")
        conversation = await self.open_link(connection, psm)
        await conversation.until(lambda: not self.streams.outbox and self.streams.acknowledged_revision == 1)
        print("list and title: acknowledged")
        await self.take_a_check_off(conversation, 1)
        await self.leave(conversation)
        await self.end(connection)
        self.chapter("the second link: what was acknowledged is not repeated")
        connection, conversation = await self.return_to(psm)
        assert (hello := conversation.link.peer)
        known = (hello.known_epoch, hello.applied_sequence, hello.applied_revision)
        expect("what the watch knows of the phone's streams", (self.streams.epoch, 1, 1), known)
        expect("check-offs issued and acknowledged", (1, 1), (hello.issued_sequence, hello.floor))
        await self.take_a_check_off(conversation, 2)
        await self.leave(conversation)
        await self.end(connection)
        self.chapter("the third link: it breaks before a check-off is applied")
        connection, conversation = await self.return_to(psm)
        await self.lose_a_check_off(conversation, 3)
        await self.end(connection)
        self.chapter("the fourth link: the check-off comes again")
        connection, conversation = await self.return_to(psm)
        await self.take_a_check_off(conversation, 3)
        await self.leave(conversation)
        await self.end(connection)
        self.put("left", "")
        self.chapter("done")


async def main(folder: Path) -> None:
    """Plays."""
    async with radio_of_guest(folder) as link:
        phone = await device_on(link, "phone", PHONE_ADDRESS)
        tell_ready(folder)
        await Meeting(phone, folder / "results").play()


if __name__ == "__main__":
    run_beside_guest(main)
