"""The radio link between the guest and the peer: a controller for each of the guest's serial lines, one for the phone, and what
passes between them.

    python -m peer.radio FOLDER

is a radio link of the guest's adapters alone, until it is ended. FOLDER has the guest's serial ports, the Unix sockets hci0,
hci1 ..., and `results`, the folder that both see.
"""
from __future__ import annotations

import asyncio
import dataclasses
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bumble.controller import Controller
from bumble.core import PhysicalTransport
from bumble.device import Device, DeviceConfiguration
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.ll import AdvertisingPdu, AdvExtInd
from bumble.transport import open_transport
from bumble.transport.common import AsyncPipeSink, Transport

# Addresses that no device has: some of the block for documentation (RFC 7042, section 2.1.2), and a random static one.
GUEST_ADDRESSES = ["00:00:5E:00:53:01", "00:00:5E:00:53:11", "00:00:5E:00:53:21"]
PHONE_ADDRESS = "F0:00:5E:00:53:02"


class RadioLink(LocalLink):
    """Carries data as coming from the address that a connection was made with, and scan responses with the advertisement.

    Bumble's own link takes every sender for one with a random address, which the guest has not, and drops scan responses.
    """

    def send_advertising_pdu(self, sender_controller: Controller, packet: AdvertisingPdu) -> None:
        if isinstance(packet, AdvExtInd):
            responses = [
                bytes(each.scan_response_data) for each in sender_controller.advertising_sets.values()
                if each.address == packet.advertiser_address]
            packet = dataclasses.replace(packet, data=packet.data + b"".join(responses[:1]))
        super().send_advertising_pdu(sender_controller, packet)

    def send_acl_data(
        self, sender_controller: Controller, destination_address: Address, transport: PhysicalTransport, data: bytes
    ) -> None:
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection is not None and receiver is not None:
            asyncio.get_running_loop().call_soon(receiver.on_link_acl_data, connection.self_address, transport, data)


@asynccontextmanager
async def radio_of_guest(folder: Path) -> AsyncIterator[RadioLink]:
    """The radio link of a guest with one adapter, whose serial port is in this folder."""
    link = RadioLink()
    async with adapter_of_guest(link, str(folder / "hci0"), GUEST_ADDRESSES[0]):
        yield link


@asynccontextmanager
async def adapter_of_guest(link: RadioLink, socket: str, address: str) -> AsyncIterator[Transport]:
    """An adapter of the guest on a radio link: what passes between its serial port, at a Unix socket, and a controller."""
    transport = await open_transport(f"unix:{socket}")
    try:
        Controller(f"guest at {address}", transport.source, transport.sink, link, address)
        yield transport
    finally:
        await transport.close()


async def device_on(link: RadioLink, name: str, address: str) -> Device:
    """A device of its own on a radio link."""
    controller = Controller(name, link=link)
    device = Device(
        config=DeviceConfiguration(name=name, address=Address(address)),
        host=Host(controller, AsyncPipeSink(controller)))
    await device.power_on()
    return device


# Seconds: only a guest that hangs takes as long.
LIMIT = 1_800


def run_beside_guest(play: Callable[[Path], Awaitable[None]]) -> None:
    """Runs the main function of a module with the folder that the command names. Leaves a word for the guest if it fails."""
    # Refusals, which are wanted, are errors to Bumble.
    logging.getLogger("bumble").setLevel(logging.CRITICAL)
    folder = Path(sys.argv[1])

    async def limited() -> None:
        async with asyncio.timeout(LIMIT):
            await play(folder)

    try:
        asyncio.run(limited())
    except BaseException:
        (folder / "results" / "peer.failed").touch()
        raise


def tell_ready(folder: Path) -> None:
    """Tells the guest that its adapters are on the air."""
    (folder / "results" / "peer.ready").touch()


async def main(folder: Path) -> None:
    """Carries what passes between the guest's adapters."""
    link = RadioLink()
    async with AsyncExitStack() as stack:
        for number, address in enumerate(GUEST_ADDRESSES):
            await stack.enter_async_context(adapter_of_guest(link, str(folder / f"hci{number}"), address))
        tell_ready(folder)
        # Until this process is ended.
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    run_beside_guest(main)
