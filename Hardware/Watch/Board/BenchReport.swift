import WatchLink

/// A report from a board to a bench, the program that acts as the wearer, draws the panel and measures the watch.
///
/// The report is a CBOR array that begins with the report's number. A `SerialFrame` carries it. Times are in microseconds, and
/// ticks count the board's 25 MHz timer.
package enum BenchReport: Sendable, BitwiseCopyable {
    case haptic(HapticPattern)
    /// A trace event. A mark of a tap: `[2, mark, tap, at, ticks]`. A stage: `[3, 0 began or 1 ended, stage, tap, at, ticks]`.
    /// The screen changed: `[4, at, ticks]`. The journal failed: `[5, code, at]`. The panel shows what the wearer waited for:
    /// `[12, moment, from, at]`.
    case trace(TraceEvent, ticks: UInt32)
    /// The runtime has nothing to do: `[6, inputs, deadline or null, now, panel bytes, radio bytes, ticks]`.
    case idle(BenchIdle)
    /// `[8, stack, handlers' stack]`: the most bytes of each stack that were ever used.
    case memory(stack: UInt32, handlerStack: UInt32)
    /// `[9]`: the panel shows its first picture.
    case ready
    /// `[10, answer]`: the wearer's answer to a pairing: 0 the digits differ, 1 they are the same, 2 phones may pair.
    case pairing(PairingAnswer)
    /// `[11, lines, first, last, awaited]`: the board has sent lines to the panel without a break. `first` and `last` are the
    /// ticks of the first and the last line. At `awaited`, the runtime began to wait for the last line. The ticks leave out the
    /// time that the lines would take on a panel's bus.
    case lines(UInt32, first: UInt32, last: UInt32, awaited: UInt32)

    /// The number of a report of the screen: `[7, description]`, with the CBOR of `WatchRuntime.description()` as a byte string.
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
            try writer.unsigned(error.benchCode)
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

/// What the board has done since its start, and until when it waits. If `deadline` is nil, it waits for an event.
package struct BenchIdle: Sendable, Equatable, BitwiseCopyable {
    package var inputs: UInt32
    package var deadline: Instant?
    package var now: Instant
    package var panelBytes: UInt32
    package var radioBytes: UInt32
    /// The board's timer, which stops while the board waits for the bench to set the clock.
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

extension JournalError {
    /// The error's number in a report: 0 and 2 to 5 in the order of the cases, and 16 or more for errors of the flash chip.
    package var benchCode: UInt32 {
        switch self {
        case .notMounted: 0
        case .full: 2
        case .recordTooLong: 3
        case .snapshotTooLarge: 4
        case .unsuitableGeometry: 5
        case .flash(.outOfRange): 16
        case .flash(.verifyFailed): 17
        case .flash(.notResponding): 18
        }
    }

    package init?(benchCode: UInt32) {
        switch benchCode {
        case 0: self = .notMounted
        case 2: self = .full
        case 3: self = .recordTooLong
        case 4: self = .snapshotTooLarge
        case 5: self = .unsuitableGeometry
        case 16: self = .flash(.outOfRange)
        case 17: self = .flash(.verifyFailed)
        case 18: self = .flash(.notResponding)
        default: return nil
        }
    }
}
