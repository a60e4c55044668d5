"""The radio link between the guest and the peer: a controller for each of the guest's serial lines, one for the phone, and what
passes between them.

    python -m peer.radio SOCKET... RESULTS

is a radio link of the guest's adapters alone, until the guest ends. RESULTS, a folder, is for others.
"""
from __future__ import annotations

import asyncio
import dataclasses
import logging
import sys
from collections.abc import AsyncIterator
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
async def radio_of_guest(socket: str) -> AsyncIterator[RadioLink]:
    """The radio link of the guest whose second serial port is at this Unix socket."""
    link = RadioLink()
    async with adapter_of_guest(link, socket, GUEST_ADDRESSES[0]):
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


@asynccontextmanager
async def phone_beside_guest(socket: str) -> AsyncIterator[Device]:
    """A phone's Bluetooth on the radio link of that guest."""
    async with radio_of_guest(socket) as link:
        yield await device_on(link, "phone", PHONE_ADDRESS)


async def main(sockets: list[str]) -> None:
    """Waits for the guest's serial ports, and carries what passes between their adapters until the guest ends."""
    logging.getLogger("bumble").setLevel(logging.CRITICAL)
    link = RadioLink()
    async with AsyncExitStack() as stack:
        for socket, address in zip(sockets, GUEST_ADDRESSES, strict=False):
            while not Path(socket).exists():
                await asyncio.sleep(0.05)
            transport = await stack.enter_async_context(adapter_of_guest(link, socket, address))
        await transport.source.terminated


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 2 + len(GUEST_ADDRESSES):
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1:-1]))
