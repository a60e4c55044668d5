import HostSystem
import Watch
import WatchLink

/// Whether the processor's time of a stage is known.
public enum InstructionCount: String, Sendable, Codable {
    /// Its instructions were counted, and its time includes them.
    case counted
    /// Its instructions were not counted, and its time lacks them: on a device it takes longer.
    case notCounted = "not counted"
}

/// The times of a tap's stage.
public struct StageSpan: Sendable, Equatable {
    /// Whether the stage is still running.
    public enum Progress: Sendable, Equatable {
        case running
        case ended(at: Instant)
    }

    /// The name that the handler gave the stage.
    public var name: String
    /// When it began, on the board's clock.
    public var began: Instant
    /// Whether it has ended, and when.
    public var progress: Progress
    /// Whether its time includes the instructions that it executed.
    public var instructionCount = InstructionCount.counted
    /// The parts of its time. Nil until the stage has ended, or if the board does not know.
    package var spent: TimeSpent?
    /// The instructions from its beginning to its end. Nil until the stage has ended, or if the board does not count them.
    public var instructions: Int?
    /// The cycles of these instructions; nil if no machine code was executed.
    package var cycles: Int?
    /// The fewest and the most cycles that the core's manual allows; nil if `cycles` is.
    package var allowedCycles: ClosedRange<Int>?

    /// How long it took, or nil while it runs.
    public var duration: Microseconds? {
        switch progress {
        case .running: nil
        case .ended(let end): end - began
        }
    }
}

/// The marks on a tap's time line, and its stages.
public struct TapHistory: Sendable, Equatable {
    static let mostStages = 256

    /// The tap's number.
    public let tap: TapNumber
    /// The stages, in the order in which they began.
    public private(set) var stages: [StageSpan] = []
    /// Indexed by the mark's raw value.
    private var times = [Instant?](repeating: nil, count: 8)
    /// The open part of the board's time at each mark, indexed by the mark's raw value.
    private var margins = [TimeMargin?](repeating: nil, count: 8)

    package init(tap: TapNumber) {
        self.tap = tap
    }

    /// When the tap reached `mark`; nil if it has not.
    public func time(of mark: TapMark) -> Instant? {
        times[Int(mark.rawValue)]
    }

    /// The time that the core's manual left open from the board's start until `mark`; nil if unknown.
    package func margin(at mark: TapMark) -> TimeMargin? {
        margins[Int(mark.rawValue)]
    }

    /// The time from the touch interrupt to `mark`; nil if the tap has not reached both.
    public func sinceTouch(_ mark: TapMark) -> Microseconds? {
        guard let touch = time(of: .touch), let reached = time(of: mark) else { return nil }
        return reached - touch
    }

    /// When the wearer first felt a haptic pattern of one of its stages. Nil if none was felt, or if the board does not know.
    package private(set) var felt: Instant?

    /// The time from the touch interrupt until the wearer felt the tap; nil if either time is unknown.
    package var touchToFelt: Microseconds? {
        guard let touch = time(of: .touch), let felt else { return nil }
        return felt - touch
    }

    var isInStage: Bool { stages.last { $0.progress == .running } != nil }

    /// Records that the wearer feels a haptic pattern of the tap. Only the first time counts.
    mutating func felt(at time: Instant) {
        felt = felt ?? time
    }

    /// The time from the touch until the last line of the struck row is on the panel.
    public var tapToUpdate: Microseconds? { sinceTouch(.updated) }

    /// Records that the tap reached `mark`, and the open part of the board's time then. Only the first time counts.
    mutating func reached(_ mark: TapMark, at time: Instant, _ margin: TimeMargin? = nil) {
        let index = Int(mark.rawValue)
        guard times[index] == nil else { return }
        (times[index], margins[index]) = (time, margin)
    }

    package mutating func stageBegan(_ name: String, at time: Instant, _ count: InstructionCount = .counted) {
        guard stages.count < TapHistory.mostStages else { return }
        stages.append(StageSpan(name: name, began: time, progress: .running, instructionCount: count))
    }

    /// Records the end of the newest running stage called `name`. `note` adds what is known of it then. Without such a stage it
    /// does nothing.
    package mutating func stageEnded(_ name: String, at time: Instant, _ note: (inout StageSpan) -> Void = { _ in }) {
        guard let index = stages.lastIndex(where: { $0.name == name && $0.progress == .running }) else { return }
        stages[index].progress = .ended(at: time)
        note(&stages[index])
    }
}

package struct TapLog: Sendable, Equatable {
    static let capacity = 64

    /// Oldest first, at most `capacity`.
    package private(set) var histories: [TapHistory] = []

    package init() {}

    package mutating func enter(_ event: TraceEvent) {
        switch event {
        case .mark(let mark, let tap, let time): change(tap) { $0.reached(mark, at: time) }
        case .stageBegan(let name, let tap, let time): change(tap) { $0.stageBegan(name.stageName, at: time) }
        case .stageEnded(let name, let tap, let time): change(tap) { $0.stageEnded(name.stageName, at: time) }
        case .screenChanged, .moment, .journalFailed: break
        }
    }

    /// Records that the wearer felt the tap whose stage runs.
    mutating func felt(at time: Instant) {
        guard let index = histories.lastIndex(where: \.isInStage) else { return }
        histories[index].felt(at: time)
    }

    /// Changes the history of `tap`. Ignores tap number 0, which stands for no tap.
    mutating func change(_ tap: TapNumber, _ change: (inout TapHistory) -> Void) {
        guard tap.count > 0 else { return }
        if let index = histories.lastIndex(where: { $0.tap == tap }) { return change(&histories[index]) }
        var history = TapHistory(tap: tap)
        change(&history)
        histories.append(history)
        if histories.count > TapLog.capacity { histories.removeFirst() }
    }
}

extension String {
    /// This text as the name of a stage in reports: a line without control characters, or a substitute for an empty name. The
    /// author of a stage may use any characters.
    package var asStageName: String {
        let line = SanitizedLine(self, limit: 63).text
        return line.allSatisfy(\.isWhitespace) ? "stage without a name" : line
    }
}

extension StaticString {
    package var stageName: String { description.asStageName }
}
