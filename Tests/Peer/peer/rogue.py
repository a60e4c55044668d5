"""Plays bad watches against a phone's host in a guest, beside a good one: python -m peer.rogue FOLDER

FOLDER has the guest's serial port, hci0, and `results`, the folder that both see. Both watches let phones pair, with the digits in
`watch.digits`. The guest leaves an attack's name in `go`; the bad watch plays it and leaves what it found in `done`, a line
`NAME VALUE` for each figure. The guest judges.
"""
from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from unittest.mock import patch

from bumble import l2cap
from bumble.core import AdvertisingData, BaseBumbleError
from bumble.device import Device
from bumble.gatt import Characteristic, Service
from bumble.l2cap import (
    L2CAP_LE_Credit_Based_Connection_Response, L2CAP_LE_Flow_Control_Credit, LeCreditBasedChannel, LeCreditBasedChannelSpec)
from bumble.pairing import PairingConfig

from .frames import Control, Kind, Message, ProtocolError, decode, encode
from .handshake import Hello, Role
from .phone import CHANNEL_CREDITS, CHANNEL_MPS, CHANNEL_MTU, PSM_CHARACTERISTIC, SERVICE, Channel, Comparison
from .radio import LIMIT, RadioLink, device_on, radio_of_guest, run_beside_guest, tell_ready

# Seconds that something may take: only a phone that hangs takes as long.
PATIENCE = 200
# Random static addresses.
GOOD_ADDRESS, BAD_ADDRESS = "F0:00:5E:00:53:0A", "F0:00:5E:00:53:0B"
GOOD_IDENTITY, BAD_IDENTITY = 0x600D, 0xBAD
PSM = 0x95

Figures = dict[str, object]


class Wrist:
    """A watch's Bluetooth: it is advertised, lets phones pair, and keeps the channels that they open."""

    def __init__(self, device: Device, results: Path, identity: int) -> None:
        self.device, self.results, self.identity = device, results, identity
        self.channels: asyncio.Queue[Channel] = asyncio.Queue()
        self.credits = CHANNEL_CREDITS

    @classmethod
    async def on(cls, link: RadioLink, name: str, address: str, identity: int, results: Path) -> Wrist:
        """A watch of that name on a radio link."""
        wrist = cls(await device_on(link, name, address), results, identity)
        device = wrist.device
        device.add_service(Service(SERVICE, [Characteristic(
            PSM_CHARACTERISTIC, Characteristic.Properties.READ, Characteristic.READABLE, PSM.to_bytes(2, "little"))]))
        device.pairing_config_factory = lambda _: PairingConfig(
            sc=True, mitm=True, bonding=True, delegate=Comparison(wrist.show))
        device.create_l2cap_server(
            LeCreditBasedChannelSpec(psm=PSM, mtu=CHANNEL_MTU, mps=CHANNEL_MPS, max_credits=CHANNEL_CREDITS), wrist.opened)
        send = device.l2cap_channel_manager.send_control_frame

        def send_changed(connection: object, cid: int, frame: object) -> None:
            if isinstance(frame, L2CAP_LE_Credit_Based_Connection_Response) and frame.destination_cid:
                frame = L2CAP_LE_Credit_Based_Connection_Response(
                    identifier=frame.identifier, destination_cid=frame.destination_cid, mtu=frame.mtu, mps=frame.mps,
                    initial_credits=wrist.credits, result=frame.result)
            send(connection, cid, frame)

        device.l2cap_channel_manager.send_control_frame = send_changed
        data = AdvertisingData([
            (AdvertisingData.Type.FLAGS, bytes([6])),
            (AdvertisingData.Type.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, SERVICE.to_bytes()),
            (AdvertisingData.Type.COMPLETE_LOCAL_NAME, name.encode())])
        await device.start_advertising(advertising_data=bytes(data), scan_response_data=b"", auto_restart=True)
        return wrist

    def opened(self, channel: LeCreditBasedChannel) -> None:
        """The phone has opened a channel."""
        assert isinstance(channel, Channel)
        # Bumble keeps the phone's number of a channel that is closed, and refuses the next one with it.
        numbers = channel.manager.le_coc_channels[channel.connection.handle]
        channel.on(LeCreditBasedChannel.EVENT_CLOSE, lambda: numbers.pop(channel.destination_cid, None))
        self.channels.put_nowait(channel)

    async def show(self, digits: str) -> bool:
        """Shows the digits, and its wearer says yes."""
        put(self.results, "watch.digits", digits)
        return True

    async def channel(self, limit: float = PATIENCE) -> Channel:
        """The newest channel that the phone has opened and not closed. Raises `TimeoutError`."""
        async with asyncio.timeout(limit):
            while True:
                channel = await self.channels.get()
                if channel.state is LeCreditBasedChannel.State.CONNECTED and self.channels.empty():
                    return channel

    def hello(self, **changes: int) -> bytes:
        """Its first frame."""
        fields: dict[str, int] = {"identity": self.identity, "epoch": int(time.time())} | changes
        return encode(Hello(
            role=Role.WATCH, longest_frame=CHANNEL_MTU, longest_body=CHANNEL_MTU - 6, window=8, name="bumble", **fields).frame())


class GoodWatch:
    """A watch that keeps to the protocol: it acknowledges everything, and checks off what does not exist."""

    def __init__(self, wrist: Wrist) -> None:
        self.wrist = wrist
        self.epoch, self.known_epoch = 7, 0
        self.issued = self.acknowledged = self.queued = self.latest = 0
        self.links = self.messages = 0
        self.news = asyncio.Condition()

    async def run(self) -> None:
        """Link after link."""
        while True:
            channel = await self.wrist.channel(LIMIT)
            await send(channel, self.wrist.hello(
                epoch=self.epoch, known_epoch=self.known_epoch, applied_sequence=self.queued,
                applied_revision=self.latest, issued_sequence=self.issued, floor=self.acknowledged))
            self.links += 1
            while data := await channel.incoming.get():
                await self.take(channel, data)

    async def take(self, channel: Channel, data: bytes) -> None:
        """Does what a frame of the phone asks for."""
        frame = decode(data)
        if isinstance(frame, Message):
            self.messages += 1
            if frame.kind is Kind.QUEUED:
                self.queued = frame.number
            else:
                self.latest = frame.number
            await send(channel, encode(Control(Kind.ACKNOWLEDGEMENT, {0: self.queued, 1: self.latest})))
        elif frame.kind is Kind.HELLO:
            hello = Hello.of(frame)
            self.known_epoch, self.queued, self.latest = hello.epoch, hello.floor, 0
            self.acknowledged = max(self.acknowledged, hello.applied_sequence)
            for sequence in range(self.acknowledged + 1, self.issued + 1):
                await send(channel, self.check(sequence))
        elif frame.kind is Kind.PING:
            await send(channel, encode(Control(Kind.PONG, {0: frame.fields[0]})))
        elif frame.kind is Kind.ACKNOWLEDGEMENT:
            self.acknowledged = max(self.acknowledged, frame.fields[0])
        self.channel = channel
        async with self.news:
            self.news.notify_all()

    def check(self, sequence: int) -> bytes:
        """A check-off."""
        return encode(Message(Kind.QUEUED, sequence, "check", {0: 4_000_000 + sequence}))

    async def is_served(self) -> bool:
        """Whether the phone acknowledges one more message."""
        self.issued += 1
        try:
            async with asyncio.timeout(PATIENCE):
                await send(self.channel, self.check(self.issued))
                async with self.news:
                    await self.news.wait_for(lambda: self.acknowledged >= self.issued)
            return True
        except TimeoutError:
            return False


async def send(channel: Channel, *frames: bytes, limit: float = 5) -> None:
    """Sends frames, each an SDU of its own, for as long as the phone has given credits. Raises `TimeoutError`."""
    async with asyncio.timeout(limit):
        for frame in frames:
            if channel.state is not LeCreditBasedChannel.State.CONNECTED:
                return
            channel.write(frame)
            await channel.drain()


def put(results: Path, name: str, text: str) -> None:
    """Leaves a word for the guest, whole or not at all."""
    unfinished = results / f"{name}.unfinished"
    unfinished.write_text(text)
    unfinished.rename(results / name)


class Rogue:
    """The attacks of one bad watch."""

    def __init__(self, wrist: Wrist, good: GoodWatch) -> None:
        self.wrist, self.good = wrist, good

    async def last_words(self, channel: Channel, limit: float = 15) -> Figures:
        """Reads until the phone closes: how many messages of its list came, and the reason of its goodbye."""
        messages, reason = 0, -1
        begin = time.monotonic()
        try:
            async with asyncio.timeout(limit):
                while data := await channel.incoming.get():
                    try:
                        frame = decode(data)
                    except ProtocolError:
                        continue
                    if isinstance(frame, Message):
                        messages += 1
                    elif frame.kind is Kind.GOODBYE:
                        reason = frame.fields[0]
            closed = 1
        except TimeoutError:
            closed = 0
        return {"closed": closed, "goodbye": reason, "messages": messages, "seconds": round(time.monotonic() - begin, 1)}

    async def close(self, channel: Channel) -> None:
        """Ends the connection under a channel, which may have ended."""
        try:
            async with asyncio.timeout(3):
                await channel.connection.disconnect()
        except (BaseBumbleError, TimeoutError, asyncio.CancelledError):
            pass

    async def silent(self) -> Figures:
        """Says nothing."""
        return await self.last_words(await self.wrist.channel())

    async def wrong_kind(self) -> Figures:
        """Begins with a message."""
        channel = await self.wrist.channel()
        await send(channel, encode(Message(Kind.QUEUED, 1, "check", {0: 1})))
        return await self.last_words(channel)

    async def malformed_sdus(self) -> Figures:
        """Sends packets whose SDU lengths are wrong, each on a channel of its own."""
        closed = opened = 0
        for sdu in [b"\xff\xff" + bytes(60), b"\x00", b"\x05\x00ab", b"\x01\x00abcdef"]:
            channel = await self.wrist.channel()
            opened += 1
            for _ in range(4):
                if channel.state is LeCreditBasedChannel.State.CONNECTED:
                    channel.send_pdu(sdu)
            closed += bool((await self.last_words(channel, 8))["closed"])
            await self.close(channel)
        return {"opened": opened, "closed": closed}

    async def no_credits(self) -> Figures:
        """Opens channels on which the phone may send nothing."""
        self.wrist.credits = 0
        begin = time.monotonic()
        opened = 0
        while time.monotonic() < begin + 10:
            try:
                channel = await self.wrist.channel(5)
            except TimeoutError:
                continue
            opened += 1
            await send(channel, self.wrist.hello())
            await self.last_words(channel, 8)
        self.wrist.credits = CHANNEL_CREDITS
        await self.close(channel)
        return {"opened": opened}

    async def too_many_credits(self) -> Figures:
        """Gives more credits than a channel may have."""
        channel = await self.wrist.channel()
        for _ in range(3):
            channel.send_control_frame(L2CAP_LE_Flow_Control_Credit(
                identifier=channel.manager.next_identifier(channel.connection), cid=channel.source_cid, credits=65_535))
        return await self.last_words(channel)

    async def after_the_close(self) -> Figures:
        """Says goodbye, and goes on sending, also where no channel is."""
        channel = await self.wrist.channel()
        goodbye = encode(Control(Kind.GOODBYE, {0: 0, 2: 2, 3: 2}))
        await send(channel, self.wrist.hello(), goodbye)
        for number in range(200):
            data = encode(Control(Kind.PING, {0: number}))
            channel.send_pdu(len(data).to_bytes(2, "little") + data)
        figures = await self.last_words(channel)
        for _ in range(50):
            channel.manager.send_pdu(channel.connection, channel.destination_cid, b"\x01\x00\x03")
            channel.manager.send_pdu(channel.connection, 0x7F, b"\x01\x00\x03")
        await self.close(channel)
        return figures

    async def flood(self) -> Figures:
        """Sends pings and values under invented names as fast as the phone takes them, and reads as little as it can."""
        channel = await self.wrist.channel()
        await send(channel, self.wrist.hello())
        sent, end = 0, time.monotonic() + 10
        try:
            while time.monotonic() < end and channel.state is LeCreditBasedChannel.State.CONNECTED:
                sent += 2
                await send(channel, encode(Control(Kind.PING, {0: sent})), encode(
                    Message(Kind.LATEST, sent, f"invented {sent}", "x" * 400)))
        except TimeoutError:
            pass
        await self.close(channel)
        return {"sent": sent}

    async def claimed_identity(self) -> Figures:
        """Says that it is the good watch."""
        channel = await self.wrist.channel()
        await send(channel, self.wrist.hello(identity=self.good.wrist.identity))
        return await self.last_words(channel)

    async def another_version(self) -> Figures:
        """Speaks a version that is to come, and counts how often the phone comes back."""
        channel = await self.wrist.channel()
        await send(channel, self.wrist.hello(version=9))
        figures = await self.last_words(channel)
        await asyncio.sleep(10)
        return figures | {"back": self.wrist.channels.qsize()}

    async def play(self) -> None:
        """Attack after attack, as the guest wants them."""
        attacks: dict[str, Callable[[], Awaitable[Figures]]] = {
            name: getattr(self, name) for name in (
                "silent", "wrong_kind", "malformed_sdus", "no_credits", "too_many_credits", "after_the_close", "flood",
                "another_version", "claimed_identity")}
        results = self.wrist.results
        while name := await take(results, "go"):
            begin = time.monotonic()
            try:
                figures = await attacks[name]() | {"served": int(await self.good.is_served()), "links": self.good.links}
            except (BaseBumbleError, TimeoutError, ConnectionError):
                # The guest misses the figures then, and says so with what the phone's host has said.
                traceback.print_exc()
                figures = {}
            print(name, figures, f"({time.monotonic() - begin:.1f} s)", flush=True)
            put(results, "done", "".join(f"{key} {value}\n" for key, value in figures.items()))


async def take(results: Path, name: str) -> str:
    """A word of the guest, once it is there; it is taken away."""
    while not (results / name).exists():
        await asyncio.sleep(0.05)
    word = (results / name).read_text().strip()
    (results / name).unlink()
    return word


async def main(folder: Path) -> None:
    """Plays."""
    results = folder / "results"
    # Bumble has no other way to say which class a channel is of.
    with patch.object(l2cap, "LeCreditBasedChannel", Channel):
        async with radio_of_guest(folder) as link:
            good = await Wrist.on(link, "good", GOOD_ADDRESS, GOOD_IDENTITY, results)
            bad = await Wrist.on(link, "bad", BAD_ADDRESS, BAD_IDENTITY, results)
            watch = GoodWatch(good)
            running = asyncio.create_task(watch.run())
            tell_ready(folder)
            await Rogue(bad, watch).play()
            running.cancel()


if __name__ == "__main__":
    run_beside_guest(main)
