"""A phone's Bluetooth: finds a watch, pairs with it, reads its services and opens its channel."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from bumble import l2cap
from bumble.core import UUID, AdvertisingData
from bumble.device import Advertisement, Connection, Device, Peer
from bumble.gatt import Characteristic
from bumble.keys import PairingKeys
from bumble.l2cap import LeCreditBasedChannel, LeCreditBasedChannelSpec
from bumble.pairing import PairingConfig, PairingDelegate

from .link import Link, State

SERVICE = UUID("7A9B0001-3F2C-4D1E-9C54-5441504C494E")
PSM_CHARACTERISTIC = UUID("ABDD3056-28FA-441D-A470-55A75A52553A")

# The longest frame that the phone takes, and the data of one packet: small, so that frames take several. Few credits, so
# that more have to be given.
CHANNEL_MTU, CHANNEL_MPS, CHANNEL_CREDITS = 512, 64, 4

Services = dict[UUID, dict[UUID, bytes]]


@dataclass(frozen=True)
class Security:
    """What pairing and encryption came to, as the phone's own stack reports it."""

    encrypted: str
    authenticated: str
    key_size: int
    method: str

    @classmethod
    def of(cls, connection: Connection, keys: PairingKeys | None) -> Security:
        """The security of a connection with these keys."""
        key = keys.ltk if keys else None
        return cls(
            encrypted="yes" if connection.is_encrypted else "no",
            authenticated="yes" if key and key.authenticated else "no",
            key_size=len(key.value) if key else 0,
            method="LE Secure Connections" if connection.sc else "legacy")


class Comparison(PairingDelegate):
    """A user who compares digits; a function gives the answer."""

    def __init__(self, answer: Callable[[str], Awaitable[bool]]) -> None:
        super().__init__(PairingDelegate.IoCapability.DISPLAY_OUTPUT_AND_YES_NO_INPUT)
        self.answer = answer

    async def compare_numbers(self, number: int, digits: int) -> bool:
        return await self.answer(f"{number:0{digits}}")


class JustWorks(PairingDelegate):
    """A device without a screen and without buttons."""

    def __init__(self) -> None:
        super().__init__(PairingDelegate.IoCapability.NO_OUTPUT_NO_INPUT)


async def find_watch(device: Device) -> Advertisement:
    """The first advertisement of the watch's service."""
    found: asyncio.Future[Advertisement] = asyncio.get_running_loop().create_future()

    def on_advertisement(advertisement: Advertisement) -> None:
        services = advertisement.data.get(AdvertisingData.Type.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS) or []
        if SERVICE in services and not found.done():
            found.set_result(advertisement)

    device.on(Device.EVENT_ADVERTISEMENT, on_advertisement)
    await device.start_scanning(active=False)
    try:
        return await found
    finally:
        await device.stop_scanning()
        device.remove_listener(Device.EVENT_ADVERTISEMENT, on_advertisement)


async def pair(device: Device, connection: Connection, delegate: PairingDelegate) -> PairingKeys:
    """Pairs with a watch and returns the keys. Raises Bumble's error where either side refuses."""
    device.pairing_config_factory = lambda _: PairingConfig(
        sc=True, mitm=not isinstance(delegate, JustWorks), bonding=True, delegate=delegate)
    paired: asyncio.Future[PairingKeys] = asyncio.get_running_loop().create_future()
    connection.once(Connection.EVENT_PAIRING, paired.set_result)
    await device.pair(connection)
    return await paired


async def read_services(connection: Connection) -> Services:
    """Every service with the values of its characteristics that can be read."""
    peer = Peer(connection)
    await peer.discover_all()
    services: Services = {}
    for service in peer.services:
        values = services.setdefault(service.uuid, {})
        for characteristic in service.characteristics:
            if characteristic.properties & Characteristic.Properties.READ:
                values[characteristic.uuid] = await characteristic.read_value()
    return services


async def read_psm(connection: Connection) -> int:
    """The PSM of the watch's channel."""
    values = await Peer(connection).read_characteristics_by_uuid(PSM_CHARACTERISTIC)
    return psm_of(values[0])


def psm_of(value: bytes) -> int:
    """The PSM in its characteristic's value: two bytes, the low one first."""
    if len(value) != 2:
        raise ValueError(f"a PSM of {len(value)} bytes")
    return int.from_bytes(value, "little")


class Channel(LeCreditBasedChannel):
    """A channel that keeps what comes before it is taken, as the watch's hello may. Bumble's own drops it."""

    def __init__(self, *arguments: Any, **fields: Any) -> None:
        super().__init__(*arguments, **fields)
        # Empty once the channel is closed; no frame is.
        self.incoming: asyncio.Queue[bytes] = asyncio.Queue()
        self.sink = self.incoming.put_nowait
        self.on(LeCreditBasedChannel.EVENT_CLOSE, lambda: self.incoming.put_nowait(b""))


class Ended(ConnectionError):
    """The watch has ended the connection."""


def demand_not_cancelled() -> None:
    """Raises where this task itself is cancelled. Bumble cancels what waits for a link that is lost."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def open_channel(connection: Connection, psm: int) -> Channel:
    """Opens the channel. Raises Bumble's `L2capError` where the watch refuses, and `Ended` where the connection has ended."""
    # Bumble would ask on a connection that is no more, and wait for the answer for ever.
    if connection.handle not in connection.device.connections:
        raise Ended
    spec = LeCreditBasedChannelSpec(psm=psm, mtu=CHANNEL_MTU, mps=CHANNEL_MPS, max_credits=CHANNEL_CREDITS)
    requests = connection.device.l2cap_channel_manager.le_coc_requests
    before = set(requests)
    try:
        # Bumble has no other way to say which class a channel is of.
        with patch.object(l2cap, "LeCreditBasedChannel", Channel):
            channel = await connection.create_l2cap_channel(spec)
    except asyncio.CancelledError:
        demand_not_cancelled()
        raise Ended from None
    finally:
        # Bumble keeps the request of a connection that has ended, and then makes none on the next with the same number.
        for number in set(requests) - before:
            del requests[number]
    assert isinstance(channel, Channel)
    return channel


class Conversation:
    """Carries the frames of a link over a channel: each is one SDU."""

    def __init__(self, channel: Channel, link: Link) -> None:
        self.channel, self.link = channel, link
        self.heard = asyncio.Condition()
        self.task = asyncio.create_task(self.run())

    async def run(self) -> None:
        """Gives the link what comes, and sends what it answers, until the link ends."""
        while self.link.state is not State.CLOSED and (data := await self.channel.incoming.get()):
            answers = self.link.receive(data)
            await self.send(*answers)
            async with self.heard:
                self.heard.notify_all()
        raise ConnectionError(f"the link ended: {self.link.state.name}, {self.link.goodbye}, {self.link.heard[-1:]}")

    async def send(self, *frames: bytes) -> None:
        """Sends frames. Bumble joins what is written while credits are out, so each is waited for."""
        for frame in frames:
            self.channel.write(frame)
            await self.channel.drain()

    async def until(self, condition: Callable[[], object]) -> None:
        """Waits until what the link has heard meets a condition. Raises `ConnectionError` where it ends before."""
        waiting = asyncio.create_task(self.wait(condition))
        await asyncio.wait({waiting, self.task}, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            waiting.cancel()
            await self.task

    async def wait(self, condition: Callable[[], object]) -> None:
        """The same, for as long as it takes."""
        async with self.heard:
            await self.heard.wait_for(lambda: bool(condition()))

    async def leave(self) -> None:
        """Says goodbye and closes the channel."""
        self.task.cancel()
        await self.send(self.link.leave())
        # The watch closes it as soon as it has read the goodbye.
        if self.channel.state is LeCreditBasedChannel.State.CONNECTED:
            await self.channel.disconnect()
