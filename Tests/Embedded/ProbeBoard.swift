import Watch
import WatchLink

// A board of nothing but addresses, so that the runtime's generic code is compiled for the device: what allocates, and
// whose stack frame is too large, shows here and not in the firmware. It is compiled, never run.

struct ProbeBoard: Board, ~Copyable {
    private func register(_ offset: Int) -> UnsafeMutablePointer<UInt32> {
        guard let pointer = UnsafeMutablePointer<UInt32>(bitPattern: 0x4000_0000 + offset) else { fatalError() }
        return pointer
    }

    mutating func idle(until deadline: Instant?) {
        register(0).pointee = deadline == nil ? 0 : 1
    }

    mutating func beginLines() {
        register(60).pointee = 1
    }

    mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        for index in pixels.indices { register(4).pointee = UInt32(pixels[index]) }
    }

    mutating func finishLines() {
        while register(64).pointee != 0 {}
    }

    mutating func nextInput() -> TimedInput? {
        let y = Int16(truncatingIfNeeded: register(8).pointee)
        return switch register(68).pointee {
        case 0: nil
        case 1: TimedInput(.touch(x: 1, y: y), at: now)
        case 2: TimedInput(.moved(x: 1, y: y), at: now)
        default: TimedInput(.lifted(x: 1, y: y), at: now)
        }
    }

    var touchScanInterval: Microseconds { .milliseconds(10) }

    mutating func play(_ pattern: HapticPattern) {
        register(12).pointee = UInt32(pattern.rawValue)
    }

    var now: Instant { mutating get { Instant(microseconds: UInt64(word: register(16).pointee)) } }

    func calendar(at instant: Instant) -> LocalTime? { LocalTime(seconds: register(20).pointee) }

    mutating func setCalendar(_ time: LocalTime) {
        register(20).pointee = time.seconds
    }

    var flashGeometry: FlashGeometry { FlashGeometry(sectorCount: 16) }

    var flashActivity: FlashActivity { mutating get { register(24).pointee == 0 ? .ready : .erasing } }

    mutating func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        for index in destination.indices { destination[index] = UInt8(truncatingIfNeeded: register(28).pointee) }
    }

    mutating func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        for index in bytes.indices { register(32).pointee = UInt32(bytes[index]) }
    }

    mutating func beginErase(sector: Int) throws(FlashError) {
        register(36).pointee = UInt32(truncatingIfNeeded: sector)
    }

    mutating func finishErase() {
        while flashActivity == .erasing {}
    }

    var radioState: RadioState {
        mutating get { register(40).pointee == 0 ? .down : .up(connection: register(40).pointee, maximumSDU: 512) }
    }

    mutating func answerPairing(_ answer: PairingAnswer) {
        register(48).pointee = UInt32(answer.rawValue)
    }

    mutating func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome {
        for index in bytes.indices { register(44).pointee = UInt32(bytes[index]) }
        return .sent
    }

    mutating func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int? {
        let count = Int(register(48).pointee)
        for index in 0..<min(count, buffer.count) { buffer[index] = UInt8(truncatingIfNeeded: register(48).pointee) }
        return count == 0 ? nil : count
    }

    mutating func disconnectRadio() {
        register(52).pointee = 1
    }

    mutating func trace(_ event: TraceEvent) {
        register(56).pointee = 1
    }
}

@c func runWatch(_ memory: UnsafeMutableRawPointer, _ size: Int) {
    let region = UnsafeMutableRawBufferPointer(start: memory, count: size)
    var watch = WatchRuntime(board: ProbeBoard(), handler: ShippingHandler(), memory: region, seed: 1)
    watch.start()
    while true {
        switch watch.step() {
        case .again: continue
        case .idle(let deadline): watch.board.idle(until: deadline)
        }
    }
}

@c func runLegacyWatch(_ memory: UnsafeMutableRawPointer, _ size: Int) {
    let region = UnsafeMutableRawBufferPointer(start: memory, count: size)
    var watch = WatchRuntime(board: ProbeBoard(), handler: LegacyHandler(), memory: region, seed: 1)
    watch.start()
    while true { _ = watch.step() }
}

@c func memorySize() -> Int {
    WatchRuntime<ProbeBoard, ShippingHandler>.memorySize
}
