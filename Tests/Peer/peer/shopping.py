"""The phone's list: what it sends to a watch, and how it applies the watch's messages."""
from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from .frames import Message
from .messages import Change, CheckOff, Reload, put, whole_list


class Rejection(IntEnum):
    """Why a message can never be applied."""

    MALFORMED = 1
    UNKNOWN_NAME = 2
    REFUSED = 4


class Rejected(Exception):
    """A message is done without having taken effect."""

    def __init__(self, reason: int) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass
class ShoppingList:
    """Items in their order, and those of them that are checked off. An item that is in neither is unknown."""

    items: dict[int, str]
    checked: set[int] = field(default_factory=set)

    def rows(self) -> list[Change]:
        """A put for every open item."""
        ranked = enumerate(self.items.items())
        return [put(item, rank, title) for rank, (item, title) in ranked if item not in self.checked]

    def greeting(self) -> list[dict[int, Any]]:
        """The payloads of the `list` messages for a watch that has no row yet."""
        return whole_list(self.rows())

    def take(self, message: Message) -> list[dict[int, Any]]:
        """Applies a queued message, and returns the `list` payloads that answer it. Raises `Rejected`."""
        try:
            if message.name == "check":
                self.check_off(CheckOff.of(message).item)
                return []
            if message.name == "reload":
                return Reload.of(message).answer(self.rows())
        except ValueError:
            raise Rejected(Rejection.MALFORMED) from None
        raise Rejected(Rejection.UNKNOWN_NAME)

    def check_off(self, item: int) -> None:
        """Checks an item off; a second time changes nothing."""
        if item not in self.items:
            raise Rejected(Rejection.REFUSED)
        self.checked.add(item)
