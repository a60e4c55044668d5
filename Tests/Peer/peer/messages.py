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
