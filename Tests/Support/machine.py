"""The firmware in QEMU, its serial lines and its flash chip. It knows the lines from Hardware/Watch/Bench and
Sources/WatchLink/PROTOCOL.md, and shares no code with the firmware.
"""
import os
import select
import struct
import subprocess
import tempfile
import time
import zlib

CONSOLE, RADIO, PANEL, BENCH = range(4)
FLASH_SIZE, MEMORY_SIZE = 64 << 10, 16 << 20
PACED, FREE, CALENDAR, SEED = 0x50414345, 0, 1795169310, 7
MARK, STAGE, SCREEN, IDLE, DESCRIBED, MEMORY, ANSWER, LINES = 2, 3, 4, 6, 7, 8, 10, 11
TOUCH, CROWN, PRESS, DESCRIBE, GO, ASK_MEMORY, COMPARE, OVER = 65, 66, 67, 68, 69, 70, 71, 72
PATIENCE = 20


def head(major, value):
    """The head of a CBOR item, in its shortest form."""
    if value < 24:
        return bytes([major << 5 | value])
    for info, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if value < 1 << 8 * size:
            return bytes([major << 5 | info]) + value.to_bytes(size, "big")
    raise ValueError(value)


def cbor(value):
    """A CBOR item of integers, texts, byte strings, arrays and maps, deterministic."""
    match value:
        case int():
            return head(0, value) if value >= 0 else head(1, -1 - value)
        case bytes():
            return head(2, len(value)) + value
        case str():
            return head(3, len(value.encode())) + value.encode()
        case list() | tuple():
            return head(4, len(value)) + b"".join(map(cbor, value))
        case dict():
            return head(5, len(value)) + b"".join(cbor(key) + cbor(value[key]) for key in sorted(value))


def item(data, at=0):
    """The CBOR item at a place of `data`, and where the next one is."""
    major, value, at = data[at] >> 5, data[at] & 31, at + 1
    if major == 7:
        return None, at
    if value >= 24:
        size = 1 << value - 24
        value, at = int.from_bytes(data[at:at + size], "big"), at + size
    if major in (0, 1):
        return (value if major == 0 else -1 - value), at
    if major in (2, 3):
        return data[at:at + value], at + value
    items = []
    for _ in range(value * (major - 3)):
        each, at = item(data, at)
        items.append(each)
    return (dict(zip(items[::2], items[1::2])) if major == 5 else items), at


def framed(payload):
    """A payload as a frame: check, stuffing, zero."""
    data, out = payload + struct.pack(">I", zlib.crc32(payload)), b""
    for block in data.split(b"\0"):
        while len(block) >= 254:
            out, block = out + b"\xff" + block[:254], block[254:]
        out += bytes([len(block) + 1]) + block
    return out + b"\0"


def unframed(line):
    """The payload of a frame without its zero."""
    out, at = b"", 0
    while at < len(line):
        code = line[at]
        out += line[at + 1:at + code]
        at += code
        if code < 255 and at < len(line):
            out += b"\0"
    payload, check = out[:-4], out[-4:]
    assert struct.pack(">I", zlib.crc32(payload)) == check, f"a frame of the firmware's has a wrong check: {line.hex()}"
    return payload


class Machine:
    """QEMU with the image, its lines and its flash chip. Time on the board is the bench's where it is paced."""

    def __init__(self, image, flash, pacing=PACED):
        if not os.path.exists(flash):
            with open(flash, "wb") as file:
                file.write(b"\xff" * FLASH_SIZE)
                file.truncate(MEMORY_SIZE)
        # Pipes, because QEMU writes byte by byte: a socket is full after some 200 of them, and the wait is time on the board.
        command = [
            "setpriv", "--pdeathsig", "KILL", "--", "qemu-system-arm", "-M", "mps2-an386,memory-backend=flash", "-kernel", image,
            "-nographic", "-monitor", "none", "-icount", "shift=4", "-semihosting-config", "enable=on,target=native",
            "-object", f"memory-backend-file,id=flash,size={MEMORY_SIZE},mem-path={flash},share=on"]
        for address, value, size in ((0, pacing, 4), (4, CALENDAR, 4), (8, SEED, 8)):
            command += ["-device", f"loader,addr={0x21010000 + address},data={value},data-len={size}"]
        self.lines, self.inputs = [], []
        with tempfile.TemporaryDirectory() as directory:
            for number in range(4):
                path = os.path.join(directory, str(number))
                os.mkfifo(path + ".in")
                os.mkfifo(path + ".out")
                self.inputs.append(os.open(path + ".in", os.O_RDWR))
                self.lines.append(os.open(path + ".out", os.O_RDONLY | os.O_NONBLOCK))
                command += ["-chardev", f"pipe,id=line{number},path={path}", "-serial", f"chardev:line{number}"]
            self.process = subprocess.Popen(command)
            # The first lines of the panel: it has opened all of them.
            select.select([self.lines[PANEL]], [], [], PATIENCE)
        self.said = [bytearray() for _ in range(4)]
        self.heard = 0
        self.sent_to_radio = 0
        self.now = 0
        self.ticks = 0
        self.deadline = None

    def end(self):
        self.process.kill()
        self.process.wait()
        for descriptor in self.lines + self.inputs:
            os.close(descriptor)

    def ended(self):
        """Waits until the machine ends by itself. Returns its status and what is on the console."""
        while self.process.poll() is None:
            self.read(0.1)
        self.read(0)
        return self.process.returncode, self.said[CONSOLE].decode()

    def read(self, seconds):
        """Takes what has come on the lines. Returns whether none of them has ended."""
        ready, _, _ = select.select(self.lines, [], [], seconds)
        data = [os.read(line, 65536) for line in ready]
        for line, each in zip(ready, data):
            self.said[self.lines.index(line)] += each
        return all(data)

    def pump(self, seconds):
        if not self.read(seconds):
            self.process.wait()
            raise SystemExit(f"the machine ended with {self.process.returncode}: {self.said[CONSOLE].decode()}")

    def report(self, kind):
        """The next report of a kind; those before it are passed over."""
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            end = self.said[BENCH].find(b"\0", self.heard)
            if end < 0:
                self.pump(1)
                continue
            line, self.heard = self.said[BENCH][self.heard:end], end + 1
            if line:
                fields = item(unframed(line))[0]
                if fields[0] == kind:
                    return fields
        raise SystemExit(f"the firmware does not answer: {self.said[CONSOLE].decode()!r}")

    def idle(self):
        """Waits until the firmware has nothing to do, and reads what it sent. Returns the inputs that it has handled."""
        _, handled, self.deadline, self.now, panel, radio, self.ticks = self.report(IDLE)
        while len(self.said[PANEL]) < panel or len(self.said[RADIO]) < radio:
            self.pump(PATIENCE)
        return handled

    def tell(self, *command):
        self.send(BENCH, framed(cbor(command)))

    def send(self, line, data):
        """Puts bytes on a line."""
        if line == RADIO:
            self.sent_to_radio += len(data)
        while data:
            data = data[os.write(self.inputs[line], data):]

    def go(self, microseconds=0):
        """Lets the time go on from so much later."""
        self.tell(GO, self.now + microseconds, self.sent_to_radio)

    def wait(self, microseconds):
        """Lets so much time pass, with all that falls due meanwhile."""
        end = self.now + microseconds
        while self.deadline is not None and self.deadline < end:
            self.go(max(0, self.deadline - self.now))
            self.idle()
        self.go(max(0, end - self.now))
        return self.idle()

    def do(self, *command, after=0):
        """What the wearer does after so much time. Returns when the firmware has nothing to do, with what it has handled."""
        if after > 0:
            self.wait(after)
        self.tell(*command)
        self.go()
        return self.idle()

    def frame(self):
        lines, data = [bytes(18)] * 168, self.said[PANEL]
        for at in range(0, len(data), 20):
            assert data[at] == 0xA5, "the panel's line is out of step"
            lines[data[at + 1]] = data[at + 2:at + 20]
        return b"".join(lines)
