"""Plays an attacker against a watch in a guest: python -m peer.attack FOLDER

FOLDER has the guest's serial port, hci0, and `results`, the folder that both see. The guest leaves an attack's name there, in
`go`; this plays it and leaves what it found in `done`, a line `NAME VALUE` for each figure. The guest judges.
"""
from __future__ import annotations

import asyncio
import random
import time
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path

from bumble.core import BaseBumbleError
from bumble.device import Connection, Device
from bumble.keys import PairingKeys
from bumble.l2cap import (
    L2CAP_LE_Credit_Based_Connection_Request, LeCreditBasedChannel, LeCreditBasedChannelSpec)
from bumble.pairing import PairingConfig, PairingDelegate

from .handshake import Streams
from .link import Link
from .phone import (
    CHANNEL_CREDITS, CHANNEL_MPS, CHANNEL_MTU, Comparison, Conversation, Ended, demand_not_cancelled,
    find_watch, open_channel, read_psm)
from .radio import PHONE_ADDRESS, RadioLink, device_on, radio_of_guest, run_beside_guest, tell_ready
from .shopping import ShoppingList

# Seconds that something may take: only a watch that hangs takes as long.
PATIENCE = 200
# A random static address, as the phone's.
STRANGER_ADDRESS = "F0:00:5E:00:53:66"

Figures = dict[str, object]


class Guesser(PairingDelegate):
    """A keyboard without a screen: it types digits that it cannot see."""

    def __init__(self) -> None:
        super().__init__(PairingDelegate.IoCapability.KEYBOARD_INPUT_ONLY)
        self.guesses = 0

    async def get_number(self) -> int:
        self.guesses += 1
        return random.randrange(1_000_000)


class Mute(PairingDelegate):
    """A device without a screen and without buttons."""

    def __init__(self) -> None:
        super().__init__(PairingDelegate.IoCapability.NO_OUTPUT_NO_INPUT)


class Typist(Guesser):
    """A screen and a keyboard: by the rules of before LE Secure Connections it types what the other side shows."""

    def __init__(self) -> None:
        super().__init__()
        self.io_capability = PairingDelegate.IoCapability.DISPLAY_OUTPUT_AND_KEYBOARD_INPUT


class Attacker:
    """The attacks on one watch."""

    def __init__(self, link: RadioLink, results: Path, phone: Device, stranger: Device) -> None:
        self.link, self.results, self.phone, self.stranger = link, results, phone, stranger
        self.psm = 0x95

    async def take(self, name: str) -> str:
        """A word of the guest, once it is there; it is taken away."""
        while not (self.results / name).exists():
            await asyncio.sleep(0.05)
        word = (self.results / name).read_text().strip()
        (self.results / name).unlink()
        return word

    def put(self, name: str, text: str) -> None:
        """Leaves a word for the guest, whole or not at all."""
        unfinished = self.results / f"{name}.unfinished"
        unfinished.write_text(text)
        unfinished.rename(self.results / name)

    async def connect(self, device: Device, limit: float = PATIENCE) -> Connection:
        """Connects to the watch that advertises. Raises `TimeoutError` where none does."""
        async with asyncio.timeout(limit):
            advertisement = await find_watch(device)
            return await device.connect(advertisement.address)

    async def pair(
        self, device: Device, connection: Connection, delegate: PairingDelegate, *, secure: bool = True,
        bonding: bool = True
    ) -> PairingKeys | None:
        """Pairs; nil if the watch refuses, or does not answer."""
        device.pairing_config_factory = lambda _: PairingConfig(
            sc=secure, mitm=not isinstance(delegate, Mute), bonding=bonding, delegate=delegate)
        keys: asyncio.Future[PairingKeys] = asyncio.get_running_loop().create_future()
        connection.once(Connection.EVENT_PAIRING, lambda found: keys.done() or keys.set_result(found))
        try:
            async with asyncio.timeout(PATIENCE):
                await device.pair(connection)
                return await keys
        except (BaseBumbleError, TimeoutError, asyncio.CancelledError):
            demand_not_cancelled()
            return None

    async def opens(self, connection: Connection) -> bool:
        """Whether the watch opens its channel."""
        try:
            async with asyncio.timeout(30):
                await open_channel(connection, self.psm)
            return True
        except (BaseBumbleError, TimeoutError, Ended, asyncio.CancelledError):
            demand_not_cancelled()
            return False

    async def leave(self, connection: Connection) -> None:
        """Ends a connection that may have ended."""
        try:
            async with asyncio.timeout(3):
                await connection.disconnect()
        except (BaseBumbleError, TimeoutError, asyncio.CancelledError):
            demand_not_cancelled()

    # Pairing without a comparison.

    async def pair_again_and_again(
        self, make: Callable[[], PairingDelegate], seconds: float, *, secure: bool = True, bonding: bool = True
    ) -> Figures:
        """Pairs as fast as the watch lets it, for a while."""
        end = time.monotonic() + seconds
        attempts = guesses = pairings = channels = connections = 0
        while time.monotonic() < end:
            try:
                connection = await self.connect(self.stranger, max(0.1, end - time.monotonic()))
            except (TimeoutError, BaseBumbleError):
                continue
            connections += 1
            lost = asyncio.Event()
            connection.on(Connection.EVENT_DISCONNECTION, lambda _, lost=lost: lost.set())
            while not lost.is_set() and time.monotonic() < end:
                delegate = make()
                attempts += 1
                pairing = asyncio.create_task(
                    self.pair(self.stranger, connection, delegate, secure=secure, bonding=bonding))
                losing = asyncio.create_task(lost.wait())
                await asyncio.wait({pairing, losing}, return_when=asyncio.FIRST_COMPLETED)
                keys = pairing.result() if pairing.done() else None
                pairing.cancel()
                losing.cancel()
                guesses += getattr(delegate, "guesses", 0)
                if keys is not None and not lost.is_set():
                    pairings += 1
                    channels += await self.opens(connection)
                    break
                await asyncio.sleep(0.02)
            await self.leave(connection)
        return {
            "connections": connections, "attempts": attempts, "guesses": guesses, "pairings": pairings,
            "channels": channels}

    async def keyboard_only(self) -> Figures:
        """Guesses passkeys."""
        return await self.pair_again_and_again(Guesser, 20)

    async def keyboard_without_bonding(self) -> Figures:
        """Guesses passkeys for keys that neither side stores, which an adapter that is not pairable allows."""
        return await self.pair_again_and_again(Guesser, 10, bonding=False)

    async def just_works(self) -> Figures:
        """Pairs without digits."""
        return await self.pair_again_and_again(Mute, 8)

    async def legacy(self) -> Figures:
        """Pairs as devices did before LE Secure Connections."""
        return await self.pair_again_and_again(Typist, 8, secure=False)

    async def question_under_the_finger(self) -> Figures:
        """Wants a comparison, and says yes at once."""
        async def yes(_: str) -> bool:
            return True

        connection = await self.connect(self.stranger)
        keys = await self.pair(self.stranger, connection, Comparison(yes))
        await self.leave(connection)
        return {"pairings": int(keys is not None)}

    # Connections without a use.

    async def squat(self) -> Figures:
        """Connects and does nothing, three times, until the watch ends it; another looks whether the watch can still be found."""
        ended = seen = 0
        for _ in range(3):
            connection = await self.connect(self.stranger, PATIENCE)
            lost = asyncio.Event()
            connection.on(Connection.EVENT_DISCONNECTION, lambda _, lost=lost: lost.set())
            async with asyncio.timeout(PATIENCE):
                await find_watch(self.phone)
                seen += 1
                await lost.wait()
            ended += 1
        return {"ended": ended, "seen_meanwhile": seen}

    async def pair_properly(self) -> Figures:
        """The owner's phone pairs, and leaves."""
        async def yes(digits: str) -> bool:
            self.put("phone.digits", digits)
            return digits == await self.take("watch.digits")

        connection = await self.connect(self.phone)
        keys = await self.pair(self.phone, connection, Comparison(yes))
        if keys is None:
            return {"pairings": 0, "channels": 0}
        self.psm = await read_psm(connection)
        channel = await self.opens(connection)
        await self.leave(connection)
        return {"pairings": 1, "channels": int(channel)}

    async def phone_beside_a_squatter(self) -> Figures:
        """A stranger is connected when the owner's phone comes."""
        stranger = await self.connect(self.stranger, PATIENCE)
        lost = asyncio.Event()
        stranger.on(Connection.EVENT_DISCONNECTION, lambda _: lost.set())
        connection = await self.return_to()
        opened = await self.opens(connection)
        async with asyncio.timeout(PATIENCE):
            await lost.wait()
        await self.leave(connection)
        return {"channels": int(opened), "stranger_left": int(lost.is_set())}

    # Channels of a bonded phone that has gone bad.

    async def return_to(self, limit: float = PATIENCE) -> Connection:
        """Connects with the keys of the pairing, anew where the link is lost meanwhile. Raises `TimeoutError`."""
        async with asyncio.timeout(limit):
            while True:
                connection = await self.connect(self.phone, limit)
                if await self.encrypts(connection):
                    return connection
                await self.leave(connection)

    async def encrypts(self, connection: Connection) -> bool:
        """Whether the link becomes encrypted. Bumble waits for that on a link that is lost, too."""
        try:
            async with asyncio.timeout(30):
                await connection.encrypt()
            return True
        except (BaseBumbleError, TimeoutError, asyncio.CancelledError):
            demand_not_cancelled()
            return False

    async def no_credits(self) -> Figures:
        """Opens channels without giving the watch a credit, one after the other, for 20 s."""
        opened = 0
        connection = await self.return_to()
        for _ in range(20):
            channel = await open_raw_channel(connection, self.psm, credits=0)
            await asyncio.sleep(1)
            opened += channel is not None and channel.state is LeCreditBasedChannel.State.CONNECTED
            await self.close(channel)
        await self.leave(connection)
        return {"channels": opened}

    async def malformed(self) -> Figures:
        """Requests channels with values that no device may choose, and sends SDUs with lengths that are wrong."""
        opened = refused = 0
        connection = await self.return_to()
        for mtu, mps, credits in [
                (0, 64, 4), (1, 64, 4), (22, 64, 4), (23, 23, 1), (65_535, 0, 4), (512, 22, 4), (512, 65_535, 4),
                (512, 64, 65_535), (0, 0, 0)]:
            channel = await open_raw_channel(connection, self.psm, mtu=mtu, mps=mps, credits=credits)
            opened, refused = opened + (channel is not None), refused + (channel is None)
            await self.close(channel)
        for sdu in [b"\x00", b"\xff\xff", b"\x00\x00", b"\x05\x00ab", b"\x01\x00abcdef", b"\xff\xff" + bytes(60)]:
            channel = await open_raw_channel(connection, self.psm)
            if channel is not None:
                for _ in range(3):
                    channel.send_pdu(sdu)
                await asyncio.sleep(0.3)
            await self.close(channel)
        await self.leave(connection)
        return {"opened": opened, "refused": refused}

    async def close(self, channel: LeCreditBasedChannel | None) -> None:
        """Closes a channel that may be closed."""
        if channel is None or channel.state is not LeCreditBasedChannel.State.CONNECTED:
            return
        try:
            async with asyncio.timeout(2):
                await channel.disconnect()
        except (BaseBumbleError, TimeoutError, asyncio.CancelledError):
            demand_not_cancelled()

    async def ordinary(self) -> Figures:
        """The owner's phone, after all that: it comes again until the watch says hello and hears it.

        The watch bars it for up to 64 s after channels without a hello (Sources/BluetoothBridge/Peripheral/PhoneAdmission.swift).
        """
        begin = time.monotonic()
        tries = 0
        while time.monotonic() < begin + PATIENCE:
            tries += 1
            connection = await self.return_to()
            try:
                async with asyncio.timeout(15):
                    channel = await open_channel(connection, self.psm)
                    link = Link(
                        Streams(), ShoppingList({}), 7, "peer", CHANNEL_MTU, transport_maximum=channel.peer_mtu,
                        local_time=1_790_000_000)
                    conversation = Conversation(channel, link)
                    await conversation.until(lambda: link.peer)
                    # The watch takes what comes next, so it has heard the hello.
                    await conversation.until(lambda: len(link.heard) > 1)
                    await conversation.leave()
                return {"hellos": 1, "tries": tries, "seconds": round(time.monotonic() - begin, 1)}
            except (BaseBumbleError, TimeoutError, ConnectionError, asyncio.CancelledError):
                demand_not_cancelled()
            finally:
                await self.leave(connection)
        return {"hellos": 0, "tries": tries}

    async def play(self) -> None:
        """Attack after attack, as the guest wants them."""
        attacks: dict[str, Callable[[], Awaitable[Figures]]] = {
            name: getattr(self, name) for name in (
                "keyboard_only", "keyboard_without_bonding", "just_works", "legacy", "question_under_the_finger",
                "squat", "pair_properly", "phone_beside_a_squatter", "no_credits", "malformed", "ordinary")}
        while name := await self.take("go"):
            begin = time.monotonic()
            try:
                figures = await attacks[name]()
            except (BaseBumbleError, TimeoutError, ConnectionError):
                # The guest misses the figures then, and says so with what the watch has said.
                traceback.print_exc()
                figures = {}
            print(name, figures, f"({time.monotonic() - begin:.1f} s)", flush=True)
            self.put("done", "".join(f"{key} {value}\n" for key, value in figures.items()))


async def open_raw_channel(
    connection: Connection, psm: int, *, mtu: int = CHANNEL_MTU, mps: int = CHANNEL_MPS, credits: int = CHANNEL_CREDITS
) -> LeCreditBasedChannel | None:
    """Opens a channel with any values, which Bumble's own request may not have; None if the watch refuses."""
    spec = LeCreditBasedChannelSpec(psm=psm, mtu=CHANNEL_MTU, mps=CHANNEL_MPS, max_credits=CHANNEL_CREDITS)
    manager = connection.device.l2cap_channel_manager
    send = manager.send_control_frame

    def send_changed(link: Connection, cid: int, frame: object) -> None:
        if isinstance(frame, L2CAP_LE_Credit_Based_Connection_Request):
            frame = L2CAP_LE_Credit_Based_Connection_Request(
                identifier=frame.identifier, le_psm=frame.le_psm, source_cid=frame.source_cid, mtu=mtu, mps=mps,
                initial_credits=credits)
        send(link, cid, frame)

    manager.send_control_frame = send_changed
    try:
        async with asyncio.timeout(1.5):
            return await connection.create_l2cap_channel(spec)
    except (BaseBumbleError, TimeoutError, asyncio.CancelledError):
        demand_not_cancelled()
        return None
    finally:
        manager.send_control_frame = send
        # Bumble keeps a request that is not answered, and makes no other of its number.
        manager.le_coc_requests.clear()


async def main(folder: Path) -> None:
    """Plays."""
    async with radio_of_guest(folder) as link:
        phone = await device_on(link, "phone", PHONE_ADDRESS)
        stranger = await device_on(link, "stranger", STRANGER_ADDRESS)
        tell_ready(folder)
        await Attacker(link, folder / "results", phone, stranger).play()


if __name__ == "__main__":
    run_beside_guest(main)
