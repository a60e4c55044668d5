import BoardSupport
import CCortexM
import Watch
import WatchLink

/// The driver of the NOR flash chip XT25F32B: 4 MB on SPI. The watch uses the first 200 KB. The driver assumes the commands
/// and times of similar chips. The chip stays in deep power-down except while the watch uses it.
struct FlashChip {
    enum State: BitwiseCopyable {
        case poweredDown
        case ready
        case erasing(sector: Int)
    }

    private enum Command {
        static var program: UInt32 { 0x02 }
        static var read: UInt32 { 0x03 }
        static var status: UInt32 { 0x05 }
        static var enableWriting: UInt32 { 0x06 }
        static var eraseSector: UInt32 { 0x20 }
        static var suspend: UInt32 { 0x75 }
        static var resume: UInt32 { 0x7A }
        static var wake: UInt32 { 0xAB }
        static var powerDown: UInt32 { 0xB9 }
    }

    private(set) var state = State.poweredDown

    /// Sixteen sectors of 4 KB for the journal, and 34 for two files of 64 KB.
    static var geometry: FlashGeometry { FlashGeometry(sectorCount: 50, fileSectorCount: 34) }
    /// The maximum time that the watch sleeps before it checks whether an erase has ended. An erase usually takes 70 ms.
    static var eraseCheck: Microseconds { .milliseconds(5) }
    /// The time from the wake command until the chip takes the next command, in microseconds.
    private static var wakeTime: Int { 30 }
    // Time limits in milliseconds, above the maximum times of similar chips.
    private static var longestProgram: UInt32 { 10 }
    private static var longestErase: UInt32 { 1_000 }

    /// Wakes the chip. Also resumes an erase, in case the nRF52832 was reset while the erase was suspended.
    static func start() {
        Pin.flashSelect.drive(true)
        perform(Command.wake)
        Part.delay(microseconds: wakeTime)
        perform(Command.resume)
    }

    /// Puts the chip into deep power-down, unless an erase is running. The board calls this before it sleeps.
    mutating func rest() {
        guard case .ready = state else { return }
        FlashChip.perform(Command.powerDown)
        state = .poweredDown
    }

    private mutating func wake() throws(FlashError) {
        guard case .poweredDown = state else { return }
        FlashChip.perform(Command.wake)
        Part.delay(microseconds: FlashChip.wakeTime)
        try FlashChip.wait(milliseconds: FlashChip.longestErase)
        state = .ready
    }

    var activity: FlashActivity {
        @inline(never) mutating get {
            guard case .erasing = state else { return .ready }
            guard FlashChip.isBusy() else {
                state = .ready
                return .ready
            }
            return .erasing
        }
    }

    @inline(never)
    mutating func read(at address: Int, into bytes: inout MutableSpan<UInt8>) throws(FlashError) {
        let count = bytes.count
        try FlashChip.check(address, count)
        guard count > 0 else { return }
        let resume = try prepare(for: address)
        bytes.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { FlashChip.read(UInt32(truncatingIfNeeded: address), base, count) }
        }
        if resume { FlashChip.perform(Command.resume) }
    }

    /// Programs bytes, and checks the result by reading it.
    @inline(never)
    mutating func program(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        let count = bytes.count
        try FlashChip.check(address, count)
        let page = FlashChip.geometry.pageSize
        guard address % page + count <= page else { throw .outOfRange }
        guard count > 0 else { return }
        let resume = try prepare(for: address)
        FlashChip.perform(Command.enableWriting)
        bytes.withUnsafeBufferPointer { buffer in
            Pin.flashSelect.set(false)
            SPIBus.command(FlashChip.head(Command.program, address), count: 4)
            if let base = buffer.baseAddress { SPIBus.send(base, count: count) }
            SPIBus.finish()
            Pin.flashSelect.set(true)
        }
        try FlashChip.wait(milliseconds: FlashChip.longestProgram)
        try FlashChip.verify(address, bytes)
        if resume { FlashChip.perform(Command.resume) }
    }

    @inline(never)
    private static func verify(_ address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        var part = InlineArray<32, UInt8>(repeating: 0)
        var done = 0
        var isRight = true
        while done < bytes.count {
            let count = min(part.count, bytes.count - done)
            withUnsafeMutableBytes(of: &part) { buffer in
                if let base = buffer.baseAddress { read(UInt32(truncatingIfNeeded: address + done), base, count) }
                // A bit that was already 0 stays 0, whatever `bytes` says.
                for index in 0..<count where buffer[index] & ~bytes[done + index] != 0 { isRight = false }
            }
            done += count
        }
        guard isRight else { throw .verifyFailed }
    }

    @inline(never)
    mutating func beginErase(_ sector: Int) throws(FlashError) {
        guard (0..<FlashChip.geometry.sectorCount).contains(sector) else { throw .outOfRange }
        finishErase()
        try wake()
        FlashChip.perform(Command.enableWriting)
        FlashChip.perform(FlashChip.head(Command.eraseSector, sector * FlashChip.geometry.sectorSize), count: 4)
        state = .erasing(sector: sector)
    }

    @inline(never)
    mutating func finishErase() {
        guard case .erasing = state else { return }
        // If the chip no longer answers, the next operation fails.
        do throws(FlashError) { try FlashChip.wait(milliseconds: FlashChip.longestErase) } catch {}
        state = .ready
    }

    /// Wakes the chip if it is in deep power-down. Waits for the end of an erase of the sector at `address`. Suspends an erase
    /// of another sector; the caller must resume that erase if the result is true.
    private mutating func prepare(for address: Int) throws(FlashError) -> Bool {
        switch state {
        case .poweredDown: try wake()
        case .ready: break
        case .erasing(let sector):
            guard sector != address / FlashChip.geometry.sectorSize, FlashChip.isBusy() else {
                finishErase()
                break
            }
            FlashChip.perform(Command.suspend)
            try FlashChip.wait(milliseconds: FlashChip.longestErase)
            return true
        }
        return false
    }

    private static func check(_ address: Int, _ count: Int) throws(FlashError) {
        guard address >= 0, address <= geometry.capacity - count else { throw .outOfRange }
    }

    /// Packs the command byte and the three bytes of the address for `SPIBus.command`.
    private static func head(_ command: UInt32, _ address: Int) -> UInt32 {
        command | UInt32(truncatingIfNeeded: address).byteSwapped & ~0xFF
    }

    @inline(never)
    private static func perform(_ command: UInt32, count: Int = 1) {
        SPIBus.setSpeed(.eightMegahertz)
        Pin.flashSelect.set(false)
        SPIBus.command(command, count: count)
        Pin.flashSelect.set(true)
    }

    @inline(never)
    private static func read(_ address: UInt32, _ bytes: UnsafeMutableRawPointer, _ count: Int) {
        SPIBus.setSpeed(.eightMegahertz)
        Pin.flashSelect.set(false)
        SPIBus.command(head(Command.read, Int(address)), count: 4)
        SPIBus.receive(bytes, count: count)
        Pin.flashSelect.set(true)
    }

    @inline(never)
    private static func isBusy() -> Bool {
        SPIBus.setSpeed(.eightMegahertz)
        Pin.flashSelect.set(false)
        SPIBus.command(Command.status, count: 1)
        // Reads two bytes, because of SPIM's erratum 58.
        let word = SharedMemory.address(of: .spiCommand)
        if let place = UnsafeRawPointer(bitPattern: word) { SPIBus.receive(place, count: 2) }
        Pin.flashSelect.set(true)
        return SharedByte(word).value & 1 != 0
    }

    /// Waits until the chip is ready. Throws `.notResponding` if the chip is still busy after `milliseconds`. A missing chip
    /// reads as busy.
    private static func wait(milliseconds: UInt32) throws(FlashError) {
        let start = RealTimeClock.count
        let limit = milliseconds &* RealTimeClock.ticksPerSecond / 1_000 &+ 2
        while isBusy() {
            guard (RealTimeClock.count &- start) & RealTimeClock.mask < limit else { throw .notResponding }
        }
    }
}
