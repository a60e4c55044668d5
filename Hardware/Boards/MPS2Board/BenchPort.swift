import Watch
import WatchLink

/// The serial line to the bench, the program that stands in for the wearer and measures the watch. The wearer's inputs come in,
/// and reports go out.
///
/// Reports wait until the runtime is idle, so that they take no time from a tap.
struct BenchPort {
    enum Heard {
        case nothing
        /// The clock continues from this time, once this number of bytes has come in on the radio.
        case goOn(Instant, radioBytes: UInt32)
        /// The bench asks for something; see `takeRequest`.
        case request
    }

    enum Request {
        case nothing
        case description
        case memory
    }

    private typealias Note = BenchReport

    private var decoder = SerialDecoder()
    private var request = Request.nothing
    private let command: FixedArray<UInt8>
    private let inputs: FixedArray<TimedInput>
    private var firstInput = 0
    private var inputCount = 0
    /// How many inputs the runtime has taken since the start.
    private(set) var handled: UInt32 = 0
    private let notes: FixedArray<Note>
    private var noteCount = 0

    /// How many inputs can wait, as `InputSource` promises.
    private static var inputRoom: Int { 32 }
    /// How many reports can wait. A tap makes two for each of nine stages, and at most eight others.
    private static var noteRoom: Int { 26 }

    init(arena: inout MemoryArena) {
        command = arena.take(BenchCommand.largest + SerialFrame.checkSize, of: 0)
        inputs = arena.take(BenchPort.inputRoom, of: TimedInput(.crown(detents: 0), at: .start))
        notes = arena.take(BenchPort.noteRoom, of: .ready)
    }

    // MARK: Hearing

    /// Whether unread bytes wait, and there is room for an input among them.
    var hasNews: Bool { !ReceiveRing.bench.isEmpty && inputCount < BenchPort.inputRoom }

    /// Reads inputs, which were made at `instant`, up to the first command of another kind.
    @inline(never)
    mutating func listen(at instant: Instant) -> Heard {
        var buffer = command
        while hasNews, let byte = ReceiveRing.bench.next() {
            var span = buffer.mutableSpan
            guard let count = decoder.take(byte, into: &span) else { continue }
            // Anything else is ignored.
            guard let command = BenchPort.command(command.slice(0..<count)) else { continue }
            switch command {
            case .input(let input): put(TimedInput(input, at: instant))
            case .go(let now, let radioBytes): return .goOn(now, radioBytes: radioBytes)
            case .describe: return ask(.description)
            case .memory: return ask(.memory)
            }
        }
        return .nothing
    }

    private static func command(_ bytes: FixedArray<UInt8>) -> BenchCommand? {
        let span = bytes.span
        var reader = CBORReader(span)
        do throws(CBORError) {
            return try BenchCommand(from: &reader)
        } catch {
            return nil
        }
    }

    private mutating func ask(_ asked: Request) -> Heard {
        request = asked
        return .request
    }

    /// What the bench asks for. After this call, it counts as answered.
    mutating func takeRequest() -> Request {
        let taken = request
        request = .nothing
        return taken
    }

    private mutating func put(_ input: TimedInput) {
        inputs[(firstInput + inputCount) % BenchPort.inputRoom] = input
        inputCount += 1
    }

    /// Sets the time at which the waiting inputs were made.
    mutating func stampInputs(_ instant: Instant) {
        for index in 0..<inputCount { inputs[(firstInput + index) % BenchPort.inputRoom].time = instant }
    }

    @inline(never)
    mutating func nextInput() -> TimedInput? {
        guard inputCount > 0 else { return nil }
        let input = inputs[firstInput]
        firstInput = (firstInput + 1) % BenchPort.inputRoom
        inputCount -= 1
        handled &+= 1
        return input
    }

    // MARK: Reporting

    var isFull: Bool { noteCount == notes.count }

    /// Adds a report, for which there must be room. It is inlined, so that the report is made in its place.
    @inline(__always)
    mutating func append(_ report: BenchReport) {
        notes[noteCount] = report
        noteCount += 1
    }

    @inline(never)
    mutating func sendNotes() {
        for index in 0..<noteCount { send(notes[index]) }
        noteCount = 0
    }

    @inline(never)
    mutating func send(_ report: BenchReport) {
        // The longest report has a stage's name of 32 bytes and three numbers.
        var page = InlineArray<64, UInt8>(repeating: 0)
        var writer = CBORWriter(page.mutableSpan)
        do throws(CBORError) {
            try report.encode(into: &writer)
        } catch {
            check(false, "a report does not fit")
        }
        let count = writer.count
        let body = page.span
        transmit(body.extracting(0..<0), body.extracting(0..<count))
    }

    @inline(never)
    mutating func sendDescription(_ description: FixedArray<UInt8>) {
        let count = description.count
        var head = InlineArray<8, UInt8>(repeating: 0)
        var writer = CBORWriter(head.mutableSpan)
        do throws(CBORError) {
            try writer.array(count: 2)
            try writer.unsigned(BenchReport.description)
            // The head of a byte string: major type 2, with a length of two bytes (RFC 8949, section 3).
            try writer.raw(0x59)
            try writer.raw(UInt8(truncatingIfNeeded: count &>> 8))
            try writer.raw(UInt8(truncatingIfNeeded: count))
        } catch {
            check(false, "a head does not fit")
        }
        let length = writer.count
        transmit(head.span.extracting(0..<length), description.span)
    }

    @inline(never)
    private func transmit(_ head: Span<UInt8>, _ body: Span<UInt8>) {
        var encoder = SerialEncoder(head, body)
        while let byte = encoder.next() { UART.bench.send(byte) }
    }
}
