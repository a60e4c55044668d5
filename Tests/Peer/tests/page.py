"""The examples of the protocol page."""
import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "Sources/WatchLink/PROTOCOL.md"


def examples() -> dict[str, bytes]:
    """The frames of the page under their titles."""
    found = re.findall(r"^Example: (.+)\n\n```hex\n([0-9a-f\s]+)```", PAGE.read_text(), re.MULTILINE)
    return {title: bytes.fromhex(digits) for title, digits in found}
