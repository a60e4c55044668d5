import BoardSupport
import CCortexM
import HostCalls
import Watch
import WatchLink

/// A board whose devices are calls to the machine that executes the program. The processor's time follows from the executed
/// instructions, and the machine adds the time of each device.
struct LabBoard: Board, ~Copyable {
    /// When the clock was last read. The call returns only the low word.
    var microseconds: UInt64 = 0
    var panel: PanelTransfer
    let block: FixedArray<UInt32>
    let flashGeometry: FlashGeometry

    private static var lineMark: UInt32 { 0xA5 }

    init(block: FixedArray<UInt32>, arena: inout MemoryArena) {
        self.block = block
        panel = PanelTransfer(arena: &arena)
        Host.fill(block, .flashGeometry)
        flashGeometry = FlashGeometry(
            pageSize: Int(block[0]), sectorSize: Int(block[1]), sectorCount: Int(block[2]),
            fileSectorCount: Int(block[3]))
    }
}

extension LabBoard: BoardClock {
    /// The time since the start. It counts how often the 32-bit timer wraps. The TIMER of an nRF52832 with a prescaler of 4
    /// counts the same microseconds.
    var now: Instant {
        @inline(never) mutating get {
            let low = Host.call(.now)
            let passed = low &- UInt32(truncatingIfNeeded: microseconds)
            microseconds &+= UInt64(word: passed)
            return Instant(microseconds: microseconds)
        }
    }

    @inline(never)
    func calendar(at instant: Instant) -> LocalTime? {
        block[0] = instant.microseconds.lowWord
        block[1] = instant.microseconds.highWord
        return Host.fill(block, .calendar) == 0 ? nil : LocalTime(seconds: block[2])
    }

    func setCalendar(_ time: LocalTime) {
        Host.call(.setCalendar, time.seconds)
    }
}

extension LabBoard: InputSource {
    @inline(never)
    func nextInput() -> TimedInput? {
        guard Host.fill(block, .nextInput) != 0, let input else { return nil }
        let time = UInt64(high: block[HostBlock.Input.timeHigh], low: block[HostBlock.Input.timeLow])
        return TimedInput(input, at: Instant(microseconds: time))
    }

    var touchScanInterval: Microseconds { Microseconds(UInt64(word: Host.call(.touchScanInterval))) }

    /// The input that the machine has written into the block; nil if the program does not know its kind.
    private var input: Input? {
        let first = block[HostBlock.Input.first]
        let second = Int16(truncatingIfNeeded: block[HostBlock.Input.second])
        switch HostBlock.InputKind(rawValue: block[HostBlock.Input.kind]) {
        case .touch: return .touch(x: Int16(truncatingIfNeeded: first), y: second)
        case .moved: return .moved(x: Int16(truncatingIfNeeded: first), y: second)
        case .lifted: return .lifted(x: Int16(truncatingIfNeeded: first), y: second)
        case .crown: return .crown(detents: Int8(truncatingIfNeeded: first))
        case .press: return button(first).map { .press($0) }
        case .hold: return button(first).map { .hold($0) }
        case .compareDigits: return .pairing(.compare(digits: first))
        case .pairingOver: return .pairing(.over)
        case .pairingOpen: return .pairing(.open)
        case .pairingClosed: return .pairing(.closed)
        case .wrist: return WristEvent(rawValue: UInt8(truncatingIfNeeded: first)).map { .wrist($0) }
        case .clock: return ClockForm(rawValue: UInt8(truncatingIfNeeded: first)).map { .clock($0) }
        case nil: return nil
        }
    }

    private func button(_ number: UInt32) -> Button? { Button(rawValue: UInt8(truncatingIfNeeded: number)) }
}

extension LabBoard: HapticDriver {
    func play(_ pattern: HapticPattern) {
        Host.call(.play, UInt32(pattern.rawValue))
    }
}

extension LabBoard: Panel {
    func beginLines() {
        Host.call(.beginLines)
    }

    @inline(never)
    mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        let frame = panel.frame(head: LabBoard.lineMark | UInt32(truncatingIfNeeded: line) &<< 8, pixels)
        Host.call(.writeLine, UInt32(truncatingIfNeeded: line), Host.word(panel.address(of: frame)))
    }

    func finishLines() {
        Host.call(.finishLines)
    }
}

extension LabBoard: NORFlash {
    var flashActivity: FlashActivity { Host.call(.flashActivity) == 0 ? .ready : .erasing }

    @inline(never)
    func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        let answer = destination.withUnsafeMutableBufferPointer { bytes in
            LabBoard.move(.readFlash, at: address, UnsafeRawBufferPointer(bytes))
        }
        try LabBoard.check(answer)
    }

    @inline(never)
    func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        let answer = bytes.withUnsafeBufferPointer { bytes in
            LabBoard.move(.programFlash, at: address, UnsafeRawBufferPointer(bytes))
        }
        try LabBoard.check(answer)
    }

    func beginErase(sector: Int) throws(FlashError) {
        try LabBoard.check(Host.call(.beginErase, UInt32(truncatingIfNeeded: sector)))
    }

    func finishErase() {
        Host.call(.finishErase)
    }

    private static func move(_ call: HostCall, at address: Int, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        // An empty buffer has no address.
        let place = bytes.baseAddress.map { Host.word($0) } ?? 0
        return Host.call(call, UInt32(truncatingIfNeeded: address), place, UInt32(truncatingIfNeeded: bytes.count))
    }

    private static func check(_ answer: UInt32) throws(FlashError) {
        switch HostFlashAnswer(rawValue: answer) {
        case .done: return
        case .outOfRange: throw .outOfRange
        case .verifyFailed: throw .verifyFailed
        case .notResponding, nil: throw .notResponding
        }
    }
}

extension LabBoard: Radio {
    var radioState: RadioState {
        @inline(never) get {
            guard Host.fill(block, .radioState) != 0 else { return .down }
            return .up(connection: block[0], maximumSDU: Int(block[1]))
        }
    }

    @inline(never)
    func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome {
        let answer = bytes.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { Host.call(.sendDatagram, Host.word($0), UInt32(truncatingIfNeeded: bytes.count)) }
        }
        switch answer {
        case 0: return .sent
        case 1: return .busy
        case _: return .refused
        }
    }

    @inline(never)
    func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int? {
        let answer = buffer.withUnsafeMutableBufferPointer { bytes in
            bytes.baseAddress.map {
                Host.call(.receiveDatagram, Host.word($0), UInt32(truncatingIfNeeded: bytes.count))
            }
        }
        guard let answer, answer != HostCall.nothing else { return nil }
        return Int(answer)
    }

    func answerPairing(_ answer: PairingAnswer) {
        Host.call(.answerPairing, UInt32(answer.rawValue))
    }

    func disconnectRadio() {
        Host.call(.disconnectRadio)
    }
}

extension LabBoard: TraceSink {
    /// Reports an event with a few stores and a call, so that the runtime never waits for it.
    @inline(__always)
    mutating func trace(_ event: TraceEvent) {
        switch event {
        case .mark(let mark, let tap, let time): report(.mark, UInt32(mark.rawValue), tap, time)
        case .stageBegan(let name, let tap, let time): report(.stageBegan, Host.word(name.utf8Start), tap, time)
        case .stageEnded(let name, let tap, let time): report(.stageEnded, Host.word(name.utf8Start), tap, time)
        case .screenChanged(let time): report(.screenChanged, 0, TapNumber(0), time)
        case .moment(let moment, let from, let time):
            let words = block.address(of: 0)
            words[HostBlock.Trace.fromLow] = from.microseconds.lowWord
            words[HostBlock.Trace.fromHigh] = from.microseconds.highWord
            report(.moment, UInt32(moment.rawValue), TapNumber(0), time)
        case .journalFailed(let error, let time): report(.journalFailed, error.benchCode, TapNumber(0), time)
        }
    }

    @inline(never)
    private mutating func report(_ kind: HostBlock.TraceKind, _ value: UInt32, _ tap: TapNumber, _ time: Instant) {
        let words = block.address(of: 0)
        words[HostBlock.Trace.timeLow] = time.microseconds.lowWord
        words[HostBlock.Trace.timeHigh] = time.microseconds.highWord
        words[HostBlock.Trace.tap] = tap.count
        Host.call(.trace, Host.word(words), kind.rawValue, value)
    }

    mutating func began(_ work: MessageWork) { report(work, 1) }

    mutating func ended(_ work: MessageWork) { report(work, 0) }

    private func report(_ work: MessageWork, _ edge: UInt32) {
        Host.call(
            .messageWork, Host.word(work.name.utf8Start), edge, UInt32(work.button) << 8 | UInt32(work.kind.rawValue))
    }

    /// Waits, for a stage that waits for the phone. The run loop does not call this: it makes another host call.
    func idle(until deadline: Instant?) {
        guard let deadline else {
            Host.call(.wait)
            return
        }
        Host.call(.wait, deadline.microseconds.lowWord, deadline.microseconds.highWord, 1)
    }
}

/// The machine that executes the program.
enum Host {
    /// Makes a call, and returns register 0 of the answer.
    @inline(__always)
    @discardableResult
    static func call(_ call: HostCall, _ first: UInt32 = 0, _ second: UInt32 = 0, _ third: UInt32 = 0) -> UInt32 {
        UInt32(truncatingIfNeeded: call_host(call.rawValue, first, second, third))
    }

    @inline(__always)
    @discardableResult
    static func fill(_ block: FixedArray<UInt32>, _ call: HostCall) -> UInt32 {
        Host.call(call, word(block.address(of: 0)))
    }

    @inline(__always)
    static func word(_ address: UnsafeRawPointer) -> UInt32 { UInt32(truncatingIfNeeded: UInt(bitPattern: address)) }
}
