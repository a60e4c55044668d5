import WatchLink

/// What a board tells a bench over a serial line: whoever stands in for the wearer, draws the panel or measures the watch.
///
/// Each is a CBOR array that begins with a number, the payload of a `SerialFrame`. Times are microseconds; ticks count at
/// 25 MHz on the board's own timer.
public enum BenchReport: Sendable, BitwiseCopyable {
    /// `[1, pattern]`: the haptic driver was started.
    case haptic(HapticPattern)
    /// `[2, mark, tap, at, ticks]`, `[3, 0 began or 1 ended, stage, tap, at, ticks]`, `[4, at, ticks]` the screen changed,
    /// `[5, code, at]` the journal failed: what the runtime reports.
    case trace(TraceEvent, ticks: UInt32)
    /// `[6, inputs, deadline or null, now, panel bytes, radio bytes, ticks]`: the runtime has nothing to do.
    case idle(BenchIdle)
    /// `[8, stack, handlers' stack]`: the most bytes of the stacks that were ever in use.
    case memory(stack: UInt32, handlerStack: UInt32)
    /// `[9]`: the first frame is on the panel.
    case ready
    /// `[10, 0 different or 1 same]`: what the wearer says to the digits of a pairing.
    case pairing(PairingAnswer)

    /// `[11, lines, first, last, awaited]`: so many lines were handed to the panel as one run, the first and the last at these
    /// ticks, and from `awaited` on the runtime waited for the last. Times between do not hold what a bus takes.
    case lines(UInt32, first: UInt32, last: UInt32, awaited: UInt32)

    /// The number that a description begins with: `[7, description]`, a byte string of the CBOR that
    /// `WatchRuntime.describe` writes of the visible rows.
    public static var description: UInt32 { 7 }

    /// Writes the report.
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        switch self {
        case .haptic(let pattern):
            try BenchReport.begin(1, fields: 1, &writer)
            try writer.unsigned(UInt32(pattern.rawValue))
        case .trace(let event, let ticks):
            try BenchReport.encode(event, ticks, &writer)
        case .idle(let idle):
            try BenchReport.begin(6, fields: 6, &writer)
            try idle.encode(into: &writer)
        case .memory(let stack, let handlerStack):
            try BenchReport.begin(8, fields: 2, &writer)
            try writer.unsigned(stack)
            try writer.unsigned(handlerStack)
        case .ready:
            try BenchReport.begin(9, fields: 0, &writer)
        case .pairing(let answer):
            try BenchReport.begin(10, fields: 1, &writer)
            try writer.unsigned(UInt32(answer.rawValue))
        case .lines(let count, let first, let last, let awaited):
            try BenchReport.begin(11, fields: 4, &writer)
            try writer.unsigned(count)
            try writer.unsigned(first)
            try writer.unsigned(last)
            try writer.unsigned(awaited)
        }
    }

    private static func encode(_ event: TraceEvent, _ ticks: UInt32, _ writer: inout CBORWriter) throws(CBORError) {
        switch event {
        case .mark(let mark, let tap, let at):
            try begin(2, fields: 4, &writer)
            try writer.unsigned(UInt32(mark.rawValue))
            try end(tap, at, ticks, &writer)
        case .stageBegan(let name, let tap, let at):
            try begin(3, fields: 5, &writer)
            try writer.unsigned(0 as UInt32)
            try writer.text(name)
            try end(tap, at, ticks, &writer)
        case .stageEnded(let name, let tap, let at):
            try begin(3, fields: 5, &writer)
            try writer.unsigned(1 as UInt32)
            try writer.text(name)
            try end(tap, at, ticks, &writer)
        case .screenChanged(let at):
            try begin(4, fields: 2, &writer)
            try writer.unsigned(at.microseconds)
            try writer.unsigned(ticks)
        case .journalFailed(let error, let at):
            try begin(5, fields: 2, &writer)
            try writer.unsigned(error.benchCode)
            try writer.unsigned(at.microseconds)
        }
    }

    private static func begin(_ kind: UInt32, fields: Int, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.array(count: fields + 1)
        try writer.unsigned(kind)
    }

    private static func end(
        _ tap: TapNumber, _ at: Instant, _ ticks: UInt32, _ writer: inout CBORWriter
    ) throws(CBORError) {
        try writer.unsigned(tap.count)
        try writer.unsigned(at.microseconds)
        try writer.unsigned(ticks)
    }
}

/// What a board says when its runtime has nothing to do.
public struct BenchIdle: Sendable, Equatable, BitwiseCopyable {
    /// Inputs that were handled since the board started.
    public var inputs: UInt32
    /// When the runtime has something to do even if nothing happens.
    public var deadline: Instant?
    /// The board's time.
    public var now: Instant
    /// Bytes sent to the panel since the board started.
    public var panelBytes: UInt32
    /// Bytes sent to the radio since the board started.
    public var radioBytes: UInt32
    /// The board's timer, which stands until the time goes on where that is the bench's.
    public var ticks: UInt32

    /// A board that has handled `inputs` inputs and so on.
    public init(
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

    /// Reads the six fields.
    public init(from reader: inout CBORReader) throws(CBORError) {
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
    /// The error as a number: 0 to 5 in the order of the cases, and 16 and on for the flash chip's.
    var benchCode: UInt32 {
        switch self {
        case .notMounted: 0
        case .busy: 1
        case .full: 2
        case .recordTooLong: 3
        case .snapshotTooLarge: 4
        case .unsuitableGeometry: 5
        case .flash(.outOfRange): 16
        case .flash(.verifyFailed): 17
        case .flash(.notResponding): 18
        }
    }
}
