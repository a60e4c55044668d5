"""The messages of the list application."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .frames import Message

Change = list[int | str]


@dataclass(frozen=True)
class CheckOff:
    """A row that the wearer checked off. Time and number are 0 where the watch does not tell them."""

    item: int
    time: int
    tap: int

    @classmethod
    def of(cls, message: Message) -> CheckOff:
        """The check-off in a message, or `ValueError`."""
        payload = message.payload
        if message.name != "check" or not isinstance(payload, dict):
            raise ValueError(f"no check-off: {message}")
        values: list[Any] = [payload.get(0), payload.get(1, 0), payload.get(2, 0)]
        if not all(type(value) is int and 0 <= value < 1 << 32 for value in values):
            raise ValueError(f"no check-off: {message}")
        return cls(item=values[0], time=values[1], tap=values[2])


# The rows that a watch is given: the first of a list.
ROWS_OF_A_WATCH = 128
# As many rows of 65 bytes at most fit, with what surrounds them, into the smallest watch's frame of 512 bytes.
ROWS_OF_A_MESSAGE = 6


@dataclass(frozen=True)
class Reload:
    """A watch asks for its list again: the rows that it is given, or every row."""

    token: int
    everything: bool

    @classmethod
    def of(cls, message: Message) -> Reload:
        """The reload in a message, or `ValueError`."""
        payload = message.payload
        if message.name != "reload" or not isinstance(payload, dict):
            raise ValueError(f"no reload: {message}")
        token, extent = payload.get(0), payload.get(1, 0)
        if not all(type(value) is int and 0 <= value < 1 << 32 for value in (token, extent)):
            raise ValueError(f"no reload: {message}")
        return cls(token=token, everything=extent == 1)

    def answer(self, rows: list[Change]) -> list[dict[int, Any]]:
        """The payloads of the `list` messages for a list of these puts, in its order."""
        answer = whole_list(rows)
        if self.everything:
            rest = rows[ROWS_OF_A_WATCH:]
            answer += [changes_of_list(*part, beyond=len(rest)) | {3: 1} for part in parts(rest)]
        answer[-1][2] = self.token
        return answer


def whole_list(rows: list[Change]) -> list[dict[int, Any]]:
    """The payloads that replace every row of a watch, for a list of these puts."""
    beyond = max(len(rows) - ROWS_OF_A_WATCH, 0)
    return [changes_of_list(*part, beyond=beyond) for part in parts([clear(), *rows[:ROWS_OF_A_WATCH]])]


def parts(changes: list[Change]) -> list[list[Change]]:
    """Changes in as many parts as there have to be messages."""
    return [changes[start:start + ROWS_OF_A_MESSAGE] for start in range(0, len(changes), ROWS_OF_A_MESSAGE)]


def clear() -> Change:
    """Every item goes."""
    return [0]


def put(item: int, rank: int, title: str) -> Change:
    """Inserts an item whose title was not shortened."""
    return [1, item, rank, title, 0]


def remove(item: int) -> Change:
    """An item goes, if it is there."""
    return [2, item]


def changes_of_list(*changes: Change, beyond: int = 0) -> dict[int, Any]:
    """The payload of `list`: changes, and how many unchecked items the watch was not given."""
    return {0: beyond, 1: list(changes)}


def title_of_list(name: str) -> dict[int, Any]:
    """The payload of `title`."""
    return {0: name}
