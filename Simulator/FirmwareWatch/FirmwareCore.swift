import DeviceModel
import Watch
import WatchLink

/// What the host knows of the firmware from its bench line and its panel line, and what there is to say on the bench line.
///
/// It decides and does nothing itself. Reports come into force in their order, and a report of being idle only when all lines
/// of the panel that the board had sent by then have arrived: the picture and the reports are always of one moment.
struct FirmwareCore {
    /// What has come out of the board.
    private(set) var output = FirmwareCore.nothingYet
    /// What the screen says, by the last answer; nothing before the first one.
    private(set) var description = ScreenDescription()
    /// The newest input that was handled when `description` was asked for.
    private(set) var handled = InputNumber(0)
    /// The last report of being idle that is in force, nil while the board works.
    private(set) var idle: BenchIdle?
    /// Frames that were damaged or no reports, and answers that were no descriptions.
    var unreadable: Int { Int(bench.dropped) + strange }

    /// A dark panel. The board reports that it plays a pattern, and not when.
    private static var nothingYet: BoardOutput {
        var output = BoardOutput()
        output.hapticTimes = .unknown
        return output
    }

    /// The most lines of the panel that wait for the report which they belong to: twenty times all there are.
    private static var mostLines: Int { 20 * PanelGeometry.height }
    /// The most reports that wait for lines of the panel.
    private static var mostReports: Int { 1_024 }
    /// The most names of stages that have begun and not ended.
    private static var mostStages: Int { 256 }

    private var strange = 0
    private var stageTicks: [String: UInt32] = [:]
    private var inquiry = Inquiry.due
    private var flow = InputFlow()
    private var bench = FrameReader(largestPayload: 1_024)
    private var panel = PanelDecoder()
    private var lines: [PanelLine] = []
    /// Taps that have begun since the last report of being idle, with inputs that it counts.
    private var newTaps = 0
    private var reports: [FirmwareReport] = []

    /// Whether the screen was described, as it is now.
    var isDescribed: Bool { inquiry == .answered }

    /// Whether the board is to be asked what the screen says.
    var isToBeAsked: Bool { inquiry == .due }

    /// Takes bytes of the panel line.
    mutating func hear(panel bytes: [UInt8], at now: Instant) {
        for byte in bytes {
            if let line = panel.take(byte) { lines.append(line) }
        }
        apply(at: now)
        if lines.count > FirmwareCore.mostLines { showLines() }
    }

    /// Takes bytes of the bench line; `now` is the host's time.
    mutating func hear(bench bytes: [UInt8], at now: Instant) {
        for byte in bytes {
            guard let payload = bench.take(byte) else { continue }
            do throws(ReportError) {
                reports.append(try FirmwareReport(payload))
            } catch {
                strange += 1
            }
        }
        apply(at: now)
    }

    private mutating func apply(at now: Instant) {
        let complete = reports.firstIndex { !isComplete($0) } ?? reports.count
        // One that claims lines which never come does not keep the others for ever.
        let count = max(complete, reports.count - FirmwareCore.mostReports)
        for report in reports[..<count] { apply(report, at: now) }
        reports.removeFirst(count)
    }

    /// Whether everything has arrived that belongs to a report.
    private func isComplete(_ report: FirmwareReport) -> Bool {
        guard case .idle(let idle) = report else { return true }
        return Int32(bitPattern: panel.received &- idle.panelBytes) >= 0
    }

    private mutating func apply(_ report: FirmwareReport, at now: Instant) {
        switch report {
        case .haptic(let pattern): output.play(HapticPulse(pattern, at: now))
        case .mark(let mark, let tap, let at, _):
            output.enter(.mark(mark, tap: tap, at: at))
            if mark == .touch { newTaps += 1 }
        case .stageBegan(let name, let tap, let at, let ticks):
            if stageTicks.count >= FirmwareCore.mostStages { stageTicks = [:] }
            stageTicks[name] = ticks
            output.change(tap) { $0.stageBegan(name, at: at) }
        case .stageEnded(let name, let tap, let at, let ticks):
            let began = stageTicks.removeValue(forKey: name)
            let instructions = began.map { QEMUCommand.instructions(inTicks: ticks &- $0) }
            output.change(tap) { $0.stageEnded(name, at: at) { $0.instructions = instructions } }
        case .screenChanged(let at, _): output.enter(.screenChanged(at: at))
        case .moment(let moment, let from, let at): output.enter(.moment(moment, from: from, at: at))
        case .journalFailed(let error, let at): output.enter(.journalFailed(error, at: at))
        case .idle(let report):
            showLines()
            beginTaps(with: flow.handle(report.inputs))
            idle = report
            inquiry = inquiry.afterWork
        case .described(let bytes): take(description: bytes)
        case .pairing(let answer): output.answerPairing(answer)
        case .memory, .ready, .lines: break
        }
    }

    /// Enters the taps that have begun with these inputs.
    private mutating func beginTaps(with inputs: ClosedRange<InputNumber>?) {
        // More than inputs there cannot be, whatever the board says.
        if let inputs {
            let most = inputs.upperBound.count - inputs.lowerBound.count + 1
            for _ in 0..<min(UInt64(newTaps), most) { output.beginTap(oneOf: inputs) }
        }
        newTaps = 0
    }

    private mutating func showLines() {
        for line in lines { output.writeLine(line.number, pixels: line.pixels.span) }
        lines = []
    }

    private mutating func take(description bytes: [UInt8]) {
        switch inquiry {
        case .answered, .due: return
        case .asked(let asked):
            inquiry = .answered
            handled = asked
        case .askedTooEarly(let asked):
            inquiry = .due
            handled = asked
        }
        do throws(DescriptionError) {
            description = try ScreenDescription(cbor: bytes)
        } catch {
            strange += 1
        }
    }

    // MARK: What there is to say

    /// The frame that asks what the screen says, or nil when there is no need to ask now.
    mutating func question() -> [UInt8]? {
        guard inquiry == .due else { return nil }
        inquiry = .asked(flow.handled)
        return BenchCommand.describe.frame
    }

    /// The frames of the oldest inputs that wait in `queue`, as many as the board has room for.
    mutating func inputs(from queue: InputQueue) -> [UInt8] {
        var frames: [UInt8] = []
        while flow.hasRoom, let input = queue.next() {
            flow.send()
            frames += BenchCommand.input(input.input).frame
        }
        return frames
    }

    /// The frame that resumes a paced board, which works from now on.
    mutating func go(at now: Instant, radioBytes: UInt32) -> [UInt8] {
        idle = nil
        return BenchCommand.go(now: now, radioBytes: radioBytes).frame
    }
}

/// How far the host is with asking what the screen says.
enum Inquiry: Equatable {
    /// What was answered holds: nothing has happened since.
    case answered
    /// Something has happened: the question is to be sent.
    case due
    /// The question was sent when the board had handled this input; the answer is as new as that.
    case asked(InputNumber)
    /// Something has happened since the question was sent: another one follows the answer.
    case askedTooEarly(InputNumber)

    /// After the board has done something.
    var afterWork: Inquiry {
        switch self {
        case .answered, .due: .due
        case .asked(let handled), .askedTooEarly(let handled): .askedTooEarly(handled)
        }
    }
}

/// How many inputs are with the board: no more than it has room for, so that none is lost.
///
/// The board hears the bench line whenever it looks for input, and between two looks a ring of 256 bytes keeps what comes.
/// Twelve inputs of at most 15 bytes as frames, a question of 9 and a `go` of 23 have room in it; so do twelve in the 32
/// places for inputs that wait.
struct InputFlow {
    /// The most inputs that the board is given before it has handled the first of them.
    static var mostOutstanding: UInt64 { 12 }

    /// Inputs that were given to the board.
    private(set) var sent: UInt64 = 0
    /// The board's count of the inputs that it has handled, as it was last told.
    private var counted: UInt32 = 0
    private var done: UInt64 = 0

    /// The newest input that the board has handled.
    var handled: InputNumber { InputNumber(done) }

    /// Whether the board may be given another one.
    var hasRoom: Bool { sent - done < InputFlow.mostOutstanding }

    /// Notes that the board was given one.
    mutating func send() {
        sent += 1
    }

    /// Notes the board's count, which wraps at 2^32. What it cannot have handled it has not.
    ///
    /// - Returns: the inputs that it has handled since the last count, nil for none.
    @discardableResult mutating func handle(_ count: UInt32) -> ClosedRange<InputNumber>? {
        let more = UInt64(count &- counted)
        guard more > 0, more <= sent - done else { return nil }
        counted = count
        done += more
        return InputNumber(done - more + 1)...InputNumber(done)
    }
}
