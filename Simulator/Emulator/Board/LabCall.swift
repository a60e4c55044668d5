import DeviceModel
import HostCalls
import Watch
import WatchLink

/// A call of a program to the host, read from the registers and the memory of its processor. `HostCall` documents each.
enum LabCall: Equatable, Sendable {
    case settings(block: UInt32)
    case started(stack: Range<UInt32>)
    case worked
    case idle(until: Instant?)
    /// `panel` is 1 if the panel shows the rows of the description, otherwise 0.
    case description([UInt8], panel: UInt32)
    case name(String, HostNameKind, size: UInt32)
    case exception
    /// Around the handler's own code.
    case handler(HandlerEdge)
    /// Around what the runtime does for a message, by `MessageTitle`.
    case messageWork(String, HandlerEdge)
    case board(BoardCall)
}

/// The side of a piece of code that a call reports.
enum HandlerEdge: UInt32, Sendable {
    case returns = 0
    case begins = 1
}

enum BoardCall: Equatable, Sendable {
    case now
    case nextInput(block: UInt32)
    case touchScanInterval
    case play(UInt32)
    case wait(until: Instant?)
    case beginLines
    case writeLine(Int, pixels: [UInt8])
    case finishLines
    case calendar(block: UInt32, at: Instant)
    case setCalendar(UInt32)
    case trace(TraceCall)
    case flashGeometry(block: UInt32)
    case flashActivity
    case readFlash(address: Int, memory: UInt32, count: Int)
    case programFlash(address: Int, [UInt8])
    case beginErase(Int)
    case finishErase
    case radioState(block: UInt32)
    case sendDatagram([UInt8])
    case receiveDatagram(memory: UInt32, room: Int)
    case answerPairing(UInt32)
    case disconnectRadio
}

/// A report of the runtime, with the stage's name read from the program's memory.
enum TraceCall: Equatable, Sendable {
    case mark(TapMark, tap: TapNumber, at: Instant)
    case stageBegan(String, tap: TapNumber, at: Instant)
    case stageEnded(String, tap: TapNumber, at: Instant)
    case screenChanged(at: Instant)
    case moment(WatchMoment, from: Instant, at: Instant)
    case journalFailed(JournalError, at: Instant)
}

extension LabCall {
    /// The call that a processor stands at.
    ///
    /// - Throws: `.unknownCall` if there is no such call, or an argument is out of its range.
    init(of processor: borrowing CortexM4) throws(EmulatorError) {
        let arguments = CallArguments(processor)
        guard let call = HostCall(rawValue: processor.register(0)), let read = LabCall(call, arguments) else {
            throw .unknownCall(processor.register(0))
        }
        self = read
    }

    private init?(_ call: HostCall, _ arguments: CallArguments) {
        let (first, second, third) = (arguments.first, arguments.second, arguments.third)
        switch call {
        case .settings: self = .settings(block: first)
        case .started:
            guard first <= second, second - first <= 65_536 else { return nil }
            self = .started(stack: first..<second)
        case .worked: self = .worked
        case .idle: self = .idle(until: arguments.deadline)
        case .description:
            guard let bytes = arguments.bytes(at: first, count: second, most: 4_096) else { return nil }
            self = .description(bytes, panel: third)
        case .name:
            guard let name = arguments.text(at: first), let kind = HostNameKind(rawValue: second) else { return nil }
            self = .name(name, kind, size: third)
        case .exception: self = .exception
        case .handler:
            guard let edge = HandlerEdge(rawValue: first) else { return nil }
            self = .handler(edge)
        case .messageWork:
            guard let name = arguments.text(at: first), let edge = HandlerEdge(rawValue: second),
                let kind = MessageWork.Kind(rawValue: UInt8(truncatingIfNeeded: third))
            else { return nil }
            let button = UInt8(truncatingIfNeeded: third >> 8)
            self = .messageWork(MessageTitle.text(kind, name, button: button), edge)
        case .now: self = .board(.now)
        case .nextInput: self = .board(.nextInput(block: first))
        case .touchScanInterval: self = .board(.touchScanInterval)
        case .play: self = .board(.play(first))
        case .wait: self = .board(.wait(until: arguments.deadline))
        case .beginLines: self = .board(.beginLines)
        case .writeLine:
            // The mark and the line's number come before the pixels.
            guard let pixels = arguments.bytes(at: second &+ 2, count: 18, most: 18) else { return nil }
            self = .board(.writeLine(Int(first), pixels: pixels))
        case .finishLines: self = .board(.finishLines)
        case .calendar:
            guard let instant = arguments.instant(at: first) else { return nil }
            self = .board(.calendar(block: first, at: instant))
        case .setCalendar: self = .board(.setCalendar(first))
        case .trace:
            guard let trace = TraceCall(arguments) else { return nil }
            self = .board(.trace(trace))
        case .flashGeometry: self = .board(.flashGeometry(block: first))
        case .flashActivity: self = .board(.flashActivity)
        case .readFlash:
            guard arguments.bytes(at: second, count: third, most: 65_536) != nil || third == 0 else { return nil }
            self = .board(.readFlash(address: Int(first), memory: second, count: Int(third)))
        case .programFlash:
            guard let bytes = arguments.bytes(at: second, count: third, most: 65_536) else { return nil }
            self = .board(.programFlash(address: Int(first), bytes))
        case .beginErase: self = .board(.beginErase(Int(first)))
        case .finishErase: self = .board(.finishErase)
        case .radioState: self = .board(.radioState(block: first))
        case .sendDatagram:
            guard let bytes = arguments.bytes(at: first, count: second, most: 65_536) else { return nil }
            self = .board(.sendDatagram(bytes))
        case .receiveDatagram:
            guard arguments.bytes(at: first, count: second, most: 65_536) != nil else { return nil }
            self = .board(.receiveDatagram(memory: first, room: Int(second)))
        case .answerPairing: self = .board(.answerPairing(first))
        case .disconnectRadio: self = .board(.disconnectRadio)
        }
    }
}

extension TraceCall {
    fileprivate init?(_ arguments: CallArguments) {
        let block = arguments.first
        let value = arguments.third
        guard let kind = HostBlock.TraceKind(rawValue: arguments.second),
            let low = arguments.word(HostBlock.Trace.timeLow, of: block),
            let high = arguments.word(HostBlock.Trace.timeHigh, of: block),
            let tap = arguments.word(HostBlock.Trace.tap, of: block).map({ TapNumber($0) })
        else { return nil }
        let time = Instant(microseconds: UInt64(high) << 32 | UInt64(low))
        switch kind {
        case .mark:
            guard let mark = UInt8(exactly: value).flatMap(TapMark.init(rawValue:)) else { return nil }
            self = .mark(mark, tap: tap, at: time)
        case .stageBegan:
            guard let name = arguments.text(at: value) else { return nil }
            self = .stageBegan(StageName.plain(name), tap: tap, at: time)
        case .stageEnded:
            guard let name = arguments.text(at: value) else { return nil }
            self = .stageEnded(StageName.plain(name), tap: tap, at: time)
        case .screenChanged: self = .screenChanged(at: time)
        case .moment:
            guard let low = arguments.word(HostBlock.Trace.fromLow, of: block),
                let high = arguments.word(HostBlock.Trace.fromHigh, of: block),
                let moment = UInt8(exactly: value).flatMap(WatchMoment.init(rawValue:))
            else { return nil }
            self = .moment(moment, from: Instant(microseconds: UInt64(high) << 32 | UInt64(low)), at: time)
        case .journalFailed:
            guard let error = JournalError(benchCode: value) else { return nil }
            self = .journalFailed(error, at: time)
        }
    }
}

/// The arguments of a call, and the memory that they point into.
private struct CallArguments {
    let first: UInt32
    let second: UInt32
    let third: UInt32
    private let memory: MemoryMap

    init(_ processor: borrowing CortexM4) {
        first = processor.register(1)
        second = processor.register(2)
        third = processor.register(3)
        memory = processor.memory
    }

    /// Nil if the call has none.
    var deadline: Instant? {
        third == 0 ? nil : Instant(microseconds: UInt64(second) << 32 | UInt64(first))
    }

    func word(_ index: Int, of block: UInt32) -> UInt32? { memory.word(at: block &+ UInt32(4 * index)) }

    func instant(at block: UInt32) -> Instant? {
        guard let low = word(0, of: block), let high = word(1, of: block) else { return nil }
        return Instant(microseconds: UInt64(high) << 32 | UInt64(low))
    }

    func bytes(at address: UInt32, count: UInt32, most: Int) -> [UInt8]? {
        guard count <= most else { return nil }
        return memory.bytes(at: address, count: Int(count)).map(Array.init)
    }

    /// Up to the zero byte, at most 63 bytes.
    func text(at address: UInt32) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < 63 {
            guard let byte = memory.byte(at: address &+ UInt32(bytes.count)) else { return nil }
            if byte == 0 { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
