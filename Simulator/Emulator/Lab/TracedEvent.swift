import DeviceModel
import Watch
import WatchLink

/// An event of an image's trace. `TracePort` describes the events. The times `at` and `from` are the low 32 bits of the image's
/// clock, in microseconds.
package enum TracedEvent: Equatable, Sendable {
    case mark(TapMark, tap: TapNumber, at: UInt32)
    case stageBegan(String, tap: TapNumber)
    case stageEnded(String, tap: TapNumber)
    case screenChanged
    case moment(WatchMoment, from: UInt32, at: UInt32)
    case journalFailed(JournalError)
    /// A `MessageWork` begins or ends. The text is its title from `MessageTitle`.
    case messageWork(String, HandlerEdge)
    case haptic(HapticPattern)
    case input, datagram, beginLines, line, finishLines, shownLines
    /// The program has started. While the word at the address `request` is not 0, the program describes its screen after each
    /// step. `stack` has the addresses of the stack.
    case started(request: UInt32, stack: Range<UInt32>, at: UInt32)
    case stepping
    case stepped(isIdle: Bool)
    case described([UInt8], isPanelCurrent: Bool)
    /// A call of the handler's `runImmediate`, `runDeferred` or `deferredCount` begins or returns.
    case handler(HandlerEdge)
    case name(String, TracedName, size: Int)
    case named
}

package enum HandlerEdge: UInt32, Sendable {
    case returns = 0
    case begins = 1
}

struct TraceReader: Sendable {
    private var port = -1
    private var words: [UInt32] = []

    /// Takes a word of the trace. Returns the event whose last word this is, or nil if more words of the event follow.
    mutating func take(_ word: TracedWord, of machine: borrowing Machine) throws(EmulatorError) -> TracedEvent? {
        if word.port != port { (port, words) = (word.port, []) }
        words.append(word.word)
        guard let kind = TracePort(rawValue: UInt32(port)) else { throw .unknownEvent(port) }
        guard words.count == kind.words else { return nil }
        defer { words = [] }
        guard let event = TracedEvent(kind, words, machine.core.memory) else { throw .unknownEvent(port) }
        return event
    }
}

extension TracedEvent {
    fileprivate init?(_ kind: TracePort, _ words: [UInt32], _ memory: borrowing MemoryMap) {
        let first = words[0]
        let byte = UInt8(truncatingIfNeeded: first)
        switch kind {
        case .mark:
            guard let mark = TapMark(rawValue: byte) else { return nil }
            self = .mark(mark, tap: TapNumber(first >> 8), at: words[1])
        case .stageBegan, .stageEnded:
            guard let name = memory.text(at: first)?.asStageName else { return nil }
            let tap = TapNumber(words[1])
            self = kind == .stageBegan ? .stageBegan(name, tap: tap) : .stageEnded(name, tap: tap)
        case .screenChanged: self = .screenChanged
        case .moment:
            guard let moment = WatchMoment(rawValue: byte) else { return nil }
            self = .moment(moment, from: words[1], at: words[2])
        case .journalFailed:
            guard let error = JournalError(traceCode: first) else { return nil }
            self = .journalFailed(error)
        case .messageWork:
            let kind = UInt8(truncatingIfNeeded: words[1])
            guard let name = memory.text(at: first), let kind = MessageWork.Kind(rawValue: kind) else { return nil }
            let title = MessageTitle.text(kind, name, button: UInt8(truncatingIfNeeded: words[1] >> 8))
            self = .messageWork(title, words[1] & TracePort.began == 0 ? .returns : .begins)
        case .haptic:
            guard let pattern = HapticPattern(rawValue: byte) else { return nil }
            self = .haptic(pattern)
        case .input: self = .input
        case .datagram: self = .datagram
        case .beginLines: self = .beginLines
        case .line: self = .line
        case .finishLines: self = .finishLines
        case .shownLines: self = .shownLines
        case .started:
            guard words[1] <= words[2] else { return nil }
            self = .started(request: first, stack: words[1]..<words[2], at: words[3])
        case .stepping: self = .stepping
        case .stepped: self = .stepped(isIdle: first != 0)
        case .described:
            guard words[1] <= 4_096, let bytes = memory.bytes(at: first, count: Int(words[1])) else { return nil }
            self = .described(Array(bytes), isPanelCurrent: words[2] != 0)
        case .handler:
            guard let edge = HandlerEdge(rawValue: first) else { return nil }
            self = .handler(edge)
        case .name:
            guard let name = memory.text(at: first), let kind = TracedName(rawValue: words[1]) else { return nil }
            self = .name(name, kind, size: Int(words[2]))
        case .named: self = .named
        }
    }
}

extension MemoryMap {
    /// Reads text up to a zero byte, at most 63 bytes. Returns nil if a byte cannot be read.
    fileprivate func text(at address: UInt32) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < 63 {
            guard let byte = byte(at: address &+ UInt32(bytes.count)) else { return nil }
            if byte == 0 { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
