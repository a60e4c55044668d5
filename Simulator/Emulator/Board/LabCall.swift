import DeviceModel
import HostCalls
import Watch
import WatchLink

/// A host call: a call of the program to the emulator, read from the processor's registers and memory. `HostCall` documents
/// each call.
enum LabCall: Equatable, Sendable {
    case settings(block: UInt32)
    case started(stack: Range<UInt32>)
    case worked
    case idle(until: Instant?)
    /// `panel` is 1 if the panel already shows the rows of this description, otherwise 0.
    case description([UInt8], panel: UInt32)
    case name(String, HostNameKind, size: UInt32)
    case exception
    /// The handler's own code begins or returns.
    case handler(HandlerEdge)
    /// The runtime begins or ends its work for a message, named by `MessageTitle`.
    case messageWork(String, HandlerEdge)
    case trace(TraceCall)
    /// Any other call. `LabMachine` performs it on the board.
    case board(HostCall)
}

enum HandlerEdge: UInt32, Sendable {
    case returns = 0
    case begins = 1
}

/// A trace report of the runtime. A stage's name is read from the program's memory.
enum TraceCall: Equatable, Sendable {
    case mark(TapMark, tap: TapNumber, at: Instant)
    case stageBegan(String, tap: TapNumber, at: Instant)
    case stageEnded(String, tap: TapNumber, at: Instant)
    case screenChanged(at: Instant)
    case moment(WatchMoment, from: Instant, at: Instant)
    case journalFailed(JournalError, at: Instant)
}

extension LabCall {
    /// Reads the call at which the processor has stopped.
    ///
    /// - Throws: `.unknownCall` if the call does not exist or an argument is out of range.
    init(of processor: borrowing CortexM4) throws(EmulatorError) {
        guard let call = HostCall(rawValue: processor.register(0)), let read = LabCall(call, of: processor) else {
            throw .unknownCall(processor.register(0))
        }
        self = read
    }

    private init?(_ call: HostCall, of processor: borrowing CortexM4) {
        let (first, second, third) = (processor.register(1), processor.register(2), processor.register(3))
        switch call {
        case .settings: self = .settings(block: first)
        case .started:
            guard first <= second, second - first <= 65_536 else { return nil }
            self = .started(stack: first..<second)
        case .worked: self = .worked
        case .idle: self = .idle(until: processor.deadline)
        case .description:
            guard let bytes = processor.memory.bytes(at: first, count: second, most: 4_096) else { return nil }
            self = .description(bytes, panel: third)
        case .name:
            guard let name = processor.memory.text(at: first), let kind = HostNameKind(rawValue: second) else {
                return nil
            }
            self = .name(name, kind, size: third)
        case .exception: self = .exception
        case .handler:
            guard let edge = HandlerEdge(rawValue: first) else { return nil }
            self = .handler(edge)
        case .messageWork:
            guard let name = processor.memory.text(at: first), let edge = HandlerEdge(rawValue: second),
                let kind = MessageWork.Kind(rawValue: UInt8(truncatingIfNeeded: third))
            else { return nil }
            let button = UInt8(truncatingIfNeeded: third >> 8)
            self = .messageWork(MessageTitle.text(kind, name, button: button), edge)
        case .trace:
            guard let trace = TraceCall(block: first, kind: second, value: third, processor.memory) else { return nil }
            self = .trace(trace)
        case .now, .nextInput, .touchScanInterval, .play, .wait, .beginLines, .writeLine, .finishLines, .calendar,
            .setCalendar, .flashGeometry, .flashActivity, .readFlash, .programFlash, .beginErase, .finishErase,
            .radioState, .sendDatagram, .receiveDatagram, .answerPairing, .disconnectRadio:
            self = .board(call)
        }
    }
}

extension TraceCall {
    fileprivate init?(block: UInt32, kind: UInt32, value: UInt32, _ memory: MemoryMap) {
        guard let kind = HostBlock.TraceKind(rawValue: kind),
            let time = memory.instant(at: block &+ 4 * UInt32(HostBlock.Trace.timeLow)),
            let tap = memory.word(at: block &+ 4 * UInt32(HostBlock.Trace.tap)).map({ TapNumber($0) })
        else { return nil }
        switch kind {
        case .mark:
            guard let mark = UInt8(exactly: value).flatMap(TapMark.init(rawValue:)) else { return nil }
            self = .mark(mark, tap: tap, at: time)
        case .stageBegan:
            guard let name = memory.text(at: value) else { return nil }
            self = .stageBegan(name.asStageName, tap: tap, at: time)
        case .stageEnded:
            guard let name = memory.text(at: value) else { return nil }
            self = .stageEnded(name.asStageName, tap: tap, at: time)
        case .screenChanged: self = .screenChanged(at: time)
        case .moment:
            guard let from = memory.instant(at: block &+ 4 * UInt32(HostBlock.Trace.fromLow)),
                let moment = UInt8(exactly: value).flatMap(WatchMoment.init(rawValue:))
            else { return nil }
            self = .moment(moment, from: from, at: time)
        case .journalFailed:
            guard let error = JournalError(benchCode: value) else { return nil }
            self = .journalFailed(error, at: time)
        }
    }
}

extension CortexM4 {
    var deadline: Instant? {
        register(3) == 0 ? nil : Instant(microseconds: UInt64(register(2)) << 32 | UInt64(register(1)))
    }
}

extension MemoryMap {
    /// Reads an instant in microseconds, low word first.
    func instant(at address: UInt32) -> Instant? {
        guard let low = word(at: address), let high = word(at: address &+ 4) else { return nil }
        return Instant(microseconds: UInt64(high) << 32 | UInt64(low))
    }

    /// Nil if `count` exceeds `most`, or if a byte is not in memory.
    func bytes(at address: UInt32, count: UInt32, most: Int = 65_536) -> [UInt8]? {
        guard count <= most else { return nil }
        return bytes(at: address, count: Int(count)).map(Array.init)
    }

    /// Reads text up to its zero byte, at most 63 bytes.
    func text(at address: UInt32) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < 63 {
            guard let byte = byte(at: address &+ UInt32(bytes.count)) else { return nil }
            if byte == 0 { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
