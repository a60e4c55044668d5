import DeviceModel
import HostCalls
import Watch
import WatchLink

/// What a program asks for, read from the registers and the memory of its processor. `HostCall` says what each means.
enum LabCall: Equatable, Sendable {
    case settings(block: UInt32)
    case started(stack: Range<UInt32>)
    case worked
    case idle(until: Instant?)
    /// Whether the panel shows the rows that the description names is 1 or 0.
    case description([UInt8], panel: UInt32)
    case name(String, HostNameKind, size: UInt32)
    case exception
    /// The handler's own code begins, or returns.
    case handler(HandlerEdge)
    /// What the runtime does for a message, by `MessageTitle`, begins or has ended.
    case messageWork(String, HandlerEdge)
    case board(BoardCall)
}

/// Where code of the handler's stands at a call.
enum HandlerEdge: UInt32, Sendable {
    case returns = 0
    case begins = 1
}

/// What a program asks of its board.
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

/// What a runtime reports, with a stage's name read from the program's memory.
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
    /// - Throws: `.unknownCall` where it is none, or an argument is no address or number that it may have.
    init(of processor: borrowing CortexM4) throws(LabImageError) {
        let arguments = CallArguments(processor)
        guard let call = HostCall(rawValue: processor.register(0)), let read = LabCall(call, arguments) else {
            throw .unknownCall(processor.register(0))
        }
        self = read
    }

    private init?(_ call: HostCall, _ arguments: CallArguments) {
        let (first, second) = (arguments.first, arguments.second)
        switch call {
        case .settings: self = .settings(block: first)
        case .started:
            guard first <= second, second - first <= 65_536 else { return nil }
            self = .started(stack: first..<second)
        case .worked: self = .worked
        case .idle: self = .idle(until: arguments.deadline)
        case .description:
            guard let bytes = arguments.bytes(at: first, count: second, most: 4_096) else { return nil }
            self = .description(bytes, panel: arguments.third)
        case .name:
            guard let name = arguments.text(at: first), let kind = HostNameKind(rawValue: second) else { return nil }
            self = .name(name, kind, size: arguments.third)
        case .exception: self = .exception
        case .handler:
            guard let edge = HandlerEdge(rawValue: first) else { return nil }
            self = .handler(edge)
        case .messageWork:
            guard let name = arguments.text(at: first), let edge = HandlerEdge(rawValue: second),
                let kind = MessageWork.Kind(rawValue: UInt8(truncatingIfNeeded: arguments.third))
            else { return nil }
            let button = UInt8(truncatingIfNeeded: arguments.third >> 8)
            self = .messageWork(MessageTitle.text(kind, name, button: button), edge)
        case .now, .nextInput, .touchScanInterval, .play, .wait, .beginLines, .writeLine, .finishLines, .calendar,
            .setCalendar, .trace, .flashGeometry, .flashActivity, .readFlash, .programFlash, .beginErase, .finishErase,
            .radioState, .sendDatagram, .receiveDatagram, .answerPairing, .disconnectRadio:
            guard let board = BoardCall(call, arguments) else { return nil }
            self = .board(board)
        }
    }
}

extension BoardCall {
    fileprivate init?(_ call: HostCall, _ arguments: CallArguments) {
        let (first, second, third) = (arguments.first, arguments.second, arguments.third)
        switch call {
        case .now: self = .now
        case .nextInput: self = .nextInput(block: first)
        case .touchScanInterval: self = .touchScanInterval
        case .play: self = .play(first)
        case .wait: self = .wait(until: arguments.deadline)
        case .beginLines: self = .beginLines
        case .writeLine:
            // The mark and the line's number come before the pixels.
            guard let pixels = arguments.bytes(at: second &+ 2, count: 18, most: 18) else { return nil }
            self = .writeLine(Int(first), pixels: pixels)
        case .finishLines: self = .finishLines
        case .calendar:
            guard let instant = arguments.instant(at: first) else { return nil }
            self = .calendar(block: first, at: instant)
        case .setCalendar: self = .setCalendar(first)
        case .trace:
            guard let trace = TraceCall(arguments) else { return nil }
            self = .trace(trace)
        case .flashGeometry: self = .flashGeometry(block: first)
        case .flashActivity: self = .flashActivity
        case .readFlash:
            guard arguments.bytes(at: second, count: third, most: 65_536) != nil || third == 0 else { return nil }
            self = .readFlash(address: Int(first), memory: second, count: Int(third))
        case .programFlash:
            guard let bytes = arguments.bytes(at: second, count: third, most: 65_536) else { return nil }
            self = .programFlash(address: Int(first), bytes)
        case .beginErase: self = .beginErase(Int(first))
        case .finishErase: self = .finishErase
        case .radioState: self = .radioState(block: first)
        case .sendDatagram:
            guard let bytes = arguments.bytes(at: first, count: second, most: 65_536) else { return nil }
            self = .sendDatagram(bytes)
        case .receiveDatagram:
            guard arguments.bytes(at: first, count: second, most: 65_536) != nil else { return nil }
            self = .receiveDatagram(memory: first, room: Int(second))
        case .answerPairing: self = .answerPairing(first)
        case .disconnectRadio: self = .disconnectRadio
        case .settings, .started, .worked, .idle, .description, .name, .exception, .handler, .messageWork: return nil
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
    private let memory: CortexM4

    init(_ processor: borrowing CortexM4) {
        first = processor.register(1)
        second = processor.register(2)
        third = processor.register(3)
        memory = copy processor
    }

    /// The instant of a call that may have one.
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

    /// A text, up to its zero byte; of a longer one its first 63 bytes.
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
