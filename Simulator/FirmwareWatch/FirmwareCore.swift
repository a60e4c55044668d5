import DeviceModel
import Emulator
import Watch
import WatchLink

/// The state of the firmware as the host (this process) knows it from two serial lines: the bench line carries reports and
/// questions, the panel line carries pixels.
///
/// It performs no I/O. Reports take effect in order. A report that the board is idle waits until all earlier pixels have
/// arrived, so that the picture and the reports always belong together.
struct FirmwareCore {
    private(set) var output = FirmwareCore.nothingYet
    /// The screen in the board's last answer. Empty before the first answer.
    private(set) var description = ScreenDescription()
    /// The newest input that the board had handled when the host asked for `description`.
    private(set) var handled = InputNumber(0)
    /// The last report that the board is idle. Nil while the board works.
    private(set) var idle: BenchIdle?
    /// The number of damaged frames, unknown reports and answers that cannot be decoded.
    var unreadable: Int { Int(bench.dropped) + unknownReports }

    /// The output before the first report. It says that haptic times are unknown: the board reports that a pattern plays, but
    /// not when the wearer feels it.
    private static var nothingYet: BoardOutput {
        var output = BoardOutput()
        output.knowsHapticTimes = false
        return output
    }

    /// The most panel lines that wait for their report: twenty times the panel.
    private static var mostLines: Int { 20 * PanelGeometry.height }
    private static var mostReports: Int { 1_024 }
    private static var mostStages: Int { 256 }

    private var unknownReports = 0
    private var stageTicks: [String: UInt32] = [:]
    private var inquiry = Inquiry.due
    private var flow = InputFlow()
    private var bench = FrameReader(largestPayload: 1_024)
    private var panel = PanelDecoder()
    private var lines: [PanelLine] = []
    /// The number of taps since the board last reported that it is idle. Its next report of that kind tells how many inputs it has
    /// handled since.
    private var newTaps = 0
    private var reports: [FirmwareReport] = []

    var isDescribed: Bool { inquiry == .answered }

    var isToBeAsked: Bool { inquiry == .due }

    mutating func hear(panel bytes: [UInt8], at now: Instant) {
        for byte in bytes {
            if let line = panel.take(byte) { lines.append(line) }
        }
        apply(at: now)
        if lines.count > FirmwareCore.mostLines { showLines() }
    }

    /// Reads bytes of the bench line. `now` is this machine's time.
    mutating func hear(bench bytes: [UInt8], at now: Instant) {
        for byte in bytes {
            guard let payload = bench.take(byte) else { continue }
            do throws(ReportError) {
                reports.append(try FirmwareReport(payload))
            } catch {
                unknownReports += 1
            }
        }
        apply(at: now)
    }

    private mutating func apply(at now: Instant) {
        let complete = reports.firstIndex { !isComplete($0) } ?? reports.count
        // If a report waits for pixels that never come, later reports take effect anyway when there are too many.
        let count = max(complete, reports.count - FirmwareCore.mostReports)
        for report in reports[..<count] { apply(report, at: now) }
        reports.removeFirst(count)
    }

    /// Whether all pixels that the board sent before a report have arrived.
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

    private mutating func beginTaps(with inputs: ClosedRange<InputNumber>?) {
        // There are at most as many taps as inputs, whatever the board reports.
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
        do throws(CBORError) {
            description = try ScreenDescription(cbor: bytes.span)
        } catch {
            unknownReports += 1
        }
    }

    // MARK: Frames to the board

    /// The question for the screen, if the host needs a new answer. Otherwise nil.
    mutating func question() -> [UInt8]? {
        guard inquiry == .due else { return nil }
        inquiry = .asked(flow.handled)
        return BenchCommand.describe.frame
    }

    /// Frames with the oldest inputs, as many as the board has room for.
    mutating func inputs(from queue: InputQueue) -> [UInt8] {
        var frames: [UInt8] = []
        while flow.hasRoom, let input = queue.next() {
            flow.send()
            frames += BenchCommand.input(input.input).frame
        }
        return frames
    }

    mutating func go(at now: Instant, radioBytes: UInt32) -> [UInt8] {
        idle = nil
        return BenchCommand.go(now: now, radioBytes: radioBytes).frame
    }
}

/// The state of the host's question for the screen.
enum Inquiry: Equatable {
    /// The board has answered, and nothing has happened since.
    case answered
    case due
    /// The host sent the question after the board had handled this input.
    case asked(InputNumber)
    /// Something has happened since the question, so the host asks again after the answer.
    case askedTooEarly(InputNumber)

    var afterWork: Inquiry {
        switch self {
        case .answered, .due: .due
        case .asked(let handled), .askedTooEarly(let handled): .askedTooEarly(handled)
        }
    }
}

/// Limits the inputs on their way to the board to the room that it has, so that none is lost.
///
/// The board reads the bench line when it looks for input. Until then, a buffer of 256 bytes holds up to twelve input frames of
/// at most 15 bytes, a question of 9 bytes and a `go` of 23. The board's own queue holds 32 inputs.
struct InputFlow {
    /// The most inputs that the host has sent and the board has not handled.
    static var mostOutstanding: UInt64 { 12 }

    private(set) var sent: UInt64 = 0
    /// The number of handled inputs in the board's last report.
    private var counted: UInt32 = 0
    private var done: UInt64 = 0

    var handled: InputNumber { InputNumber(done) }

    var hasRoom: Bool { sent - done < InputFlow.mostOutstanding }

    mutating func send() {
        sent += 1
    }

    /// Reads the board's count of handled inputs, which wraps at 2^32. Ignores an impossible count.
    ///
    /// - Returns: the inputs handled since the previous count. Nil if there are none.
    @discardableResult mutating func handle(_ count: UInt32) -> ClosedRange<InputNumber>? {
        let more = UInt64(count &- counted)
        guard more > 0, more <= sent - done else { return nil }
        counted = count
        done += more
        return InputNumber(done - more + 1)...InputNumber(done)
    }
}
