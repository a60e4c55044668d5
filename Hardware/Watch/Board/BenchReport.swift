import WatchLink

/// A report that a board sends to a bench, the program that stands in for the wearer, draws the panel and measures the watch.
///
/// The report is a CBOR array that begins with its number, and a `SerialFrame` carries it. Times are in microseconds, and ticks
/// are those of the board's 25 MHz timer.
package enum BenchReport: Sendable, BitwiseCopyable {
    case haptic(HapticPattern)
    /// A trace event. A mark of a tap: `[2, mark, tap, at, ticks]`. A stage: `[3, 0 began or 1 ended, stage, tap, at, ticks]`.
    /// The screen changed: `[4, at, ticks]`. The journal failed: `[5, code, at]`. The panel shows what the wearer waited for:
    /// `[12, moment, from, at]`.
    case trace(TraceEvent, ticks: UInt32)
    /// `[6, inputs, deadline or null, now, panel bytes, radio bytes, ticks]`: the runtime waits for something to do.
    case idle(BenchIdle)
    /// `[8, stack, handlers' stack]`: the most bytes of each stack that were ever in use.
    case memory(stack: UInt32, handlerStack: UInt32)
    /// `[9]`: the panel shows its first picture.
    case ready
    /// `[10, answer]`: the wearer's answer to a pairing: 0 different, 1 same, 2 phones may pair.
    case pairing(PairingAnswer)
    /// `[11, lines, first, last, awaited]`: the board has sent a run of lines to the panel, the first and the last at these
    /// ticks. At `awaited`, the runtime began to wait for the last line. The times do not include the bus.
    case lines(UInt32, first: UInt32, last: UInt32, awaited: UInt32)

    /// The number of a report with the screen: `[7, description]`. The description is the CBOR of `WatchRuntime.description()`
    /// as a byte string.
    package static var description: UInt32 { 7 }

    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        switch self {
        case .haptic(let pattern):
            try writer.begin(1, fields: 1)
            try writer.unsigned(UInt32(pattern.rawValue))
        case .trace(let event, let ticks):
            try BenchReport.encode(event, ticks, &writer)
        case .idle(let idle):
            try writer.begin(6, fields: 6)
            try idle.encode(into: &writer)
        case .memory(let stack, let handlerStack):
            try writer.begin(8, fields: 2)
            try writer.unsigned(stack)
            try writer.unsigned(handlerStack)
        case .ready:
            try writer.begin(9, fields: 0)
        case .pairing(let answer):
            try writer.begin(10, fields: 1)
            try writer.unsigned(UInt32(answer.rawValue))
        case .lines(let count, let first, let last, let awaited):
            try writer.begin(11, fields: 4)
            try writer.unsigned(count)
            try writer.unsigned(first)
            try writer.unsigned(last)
            try writer.unsigned(awaited)
        }
    }

    private static func encode(_ event: TraceEvent, _ ticks: UInt32, _ writer: inout CBORWriter) throws(CBORError) {
        switch event {
        case .mark(let mark, let tap, let at):
            try writer.begin(2, fields: 4)
            try writer.unsigned(UInt32(mark.rawValue))
            try end(tap, at, ticks, &writer)
        case .stageBegan(let name, let tap, let at):
            try writer.begin(3, fields: 5)
            try writer.unsigned(0 as UInt32)
            try writer.text(name)
            try end(tap, at, ticks, &writer)
        case .stageEnded(let name, let tap, let at):
            try writer.begin(3, fields: 5)
            try writer.unsigned(1 as UInt32)
            try writer.text(name)
            try end(tap, at, ticks, &writer)
        case .screenChanged(let at):
            try writer.begin(4, fields: 2)
            try writer.unsigned(at.microseconds)
            try writer.unsigned(ticks)
        case .moment(let moment, let from, let at):
            try writer.begin(12, fields: 3)
            try writer.unsigned(UInt32(moment.rawValue))
            try writer.unsigned(from.microseconds)
            try writer.unsigned(at.microseconds)
        case .journalFailed(let error, let at):
            try writer.begin(5, fields: 2)
            try writer.unsigned(error.traceCode)
            try writer.unsigned(at.microseconds)
        }
    }

    private static func end(
        _ tap: TapNumber, _ at: Instant, _ ticks: UInt32, _ writer: inout CBORWriter
    ) throws(CBORError) {
        try writer.unsigned(tap.count)
        try writer.unsigned(at.microseconds)
        try writer.unsigned(ticks)
    }
}

extension CBORWriter {
    mutating func begin(_ number: UInt32, fields: Int) throws(CBORError) {
        try array(count: fields + 1)
        try unsigned(number)
    }
}

/// What the board has done since its start, and until when it waits. A nil deadline means that it waits for an event.
package struct BenchIdle: Sendable, Equatable, BitwiseCopyable {
    package var inputs: UInt32
    package var deadline: Instant?
    package var now: Instant
    package var panelBytes: UInt32
    package var radioBytes: UInt32
    /// The board's timer. It stands still while the board waits for the bench to set the clock.
    package var ticks: UInt32

    package init(
        inputs: UInt32, deadline: Instant?, now: Instant, panelBytes: UInt32, radioBytes: UInt32, ticks: UInt32 = 0
    ) {
        self.inputs = inputs
        self.deadline = deadline
        self.now = now
        self.panelBytes = panelBytes
        self.radioBytes = radioBytes
        self.ticks = ticks
    }

    func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(inputs)
        if let deadline { try writer.unsigned(deadline.microseconds) } else { try writer.null() }
        try writer.unsigned(now.microseconds)
        try writer.unsigned(panelBytes)
        try writer.unsigned(radioBytes)
        try writer.unsigned(ticks)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        inputs = try reader.word()
        if try reader.peekKind() == .null {
            try reader.null()
            deadline = nil
        } else {
            deadline = Instant(microseconds: try reader.unsigned())
        }
        now = Instant(microseconds: try reader.unsigned())
        panelBytes = try reader.word()
        radioBytes = try reader.word()
        ticks = try reader.word()
    }
}
