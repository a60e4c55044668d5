"""Frames over a Unix socket: one packet is one frame."""
from __future__ import annotations

import select
import socket
import time
from pathlib import Path

# More than any frame.
LONGEST = 1 << 18
# Seconds after which a peer that reads nothing is given up.
LIMIT_OF_SENDING = 10


class Ended(ConnectionError):
    """The peer has closed, and everything that it sent is read."""


class Datagrams:
    """One connection."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(LIMIT_OF_SENDING)
        self.connection = connection
        self.poll = select.poll()
        self.poll.register(connection, select.POLLIN)

    def send(self, data: bytes) -> None:
        """Sends a frame. To a peer that has closed nothing is sent; what it said before can still be read."""
        try:
            self.connection.send(data)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def receive(self, seconds: float) -> bytes | None:
        """The next frame, or None where none comes in time. Raises `Ended`."""
        events = self.poll.poll(seconds * 1_000)
        if not events:
            return None
        try:
            data = self.connection.recv(LONGEST)
        except ConnectionResetError:
            # Once, where the peer closed while frames of ours were unread.
            data = self.connection.recv(LONGEST)
        if not data and events[0][1] & select.POLLHUP:
            raise Ended
        return data

    def close(self) -> None:
        """Closes without a word."""
        self.connection.close()


def connect(path: str) -> Datagrams | None:
    """Connects to a phone, where one listens."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        connection.connect(path)
    except (FileNotFoundError, ConnectionRefusedError):
        connection.close()
        return None
    return Datagrams(connection)


class Listener:
    """A phone's socket, which watches connect to one after the other."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.path.unlink(missing_ok=True)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.bind(path)
        self.socket.listen()

    def accept(self, seconds: float) -> Datagrams | None:
        """The next watch that connects, or None where none comes in time."""
        self.socket.settimeout(seconds)
        try:
            return Datagrams(self.socket.accept()[0])
        except TimeoutError:
            return None

    def close(self) -> None:
        """Listens no more."""
        self.socket.close()
        self.path.unlink(missing_ok=True)


class Patience:
    """A time until which something is waited for."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left, 0 for none."""
        return max(0, self.end - time.monotonic())
