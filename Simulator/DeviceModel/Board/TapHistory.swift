import HostSystem
import Watch
import WatchLink

/// How complete a stage's duration is: with or without the time of the stage's instructions.
public enum InstructionCount: String, Sendable, Codable {
    case counted
    /// The duration lacks the time of the stage's instructions. On a device, the stage takes longer.
    case notCounted = "not counted"
}

/// A stage of a tap with its times.
public struct StageSpan: Sendable, Equatable {
    /// The progress of a stage: running, or ended at a time.
    public enum Progress: Sendable, Equatable {
        case running
        case ended(at: Instant)
    }

    /// The name that the handler gives the stage.
    public var name: String
    /// The time at which the stage began, on the board's clock.
    public var began: Instant
    /// The progress of the stage, with the time of its end.
    public var progress: Progress
    /// `.counted` if the stage's duration includes the time of its instructions.
    public var instructionCount = InstructionCount.counted
    package var spent: TimeSpent?
    /// The number of instructions that the processor executed in the stage. Nil until the stage has ended, or if the board does
    /// not count them.
    public var instructions: Int?
    /// The processor cycles in the stage, counted by the emulator or taken from the count table. Nil until the stage has ended.
    package var cycles: Int?
    package var allowedCycles: ClosedRange<Int>?

    /// The stage's duration. Nil while it runs.
    public var duration: Microseconds? {
        switch progress {
        case .running: nil
        case .ended(let end): end - began
        }
    }
}

/// The history of a tap: the times at which it reached each mark, and its stages. A mark (`TapMark`) is a point that a tap
/// reaches once, such as the touch or the update of the panel.
public struct TapHistory: Sendable, Equatable {
    static let mostStages = 256

    /// The number of the tap.
    public let tap: TapNumber
    /// The first 256 stages of the tap, in the order in which they began.
    public private(set) var stages: [StageSpan] = []
    private var times = [Instant?](repeating: nil, count: 8)
    /// `times` and `margins` are indexed by the mark's raw value.
    private var margins = [TimeMargin?](repeating: nil, count: 8)

    package init(tap: TapNumber) {
        self.tap = tap
    }

    /// The time at which the tap reached `mark`. Nil if it has not.
    public func time(of mark: TapMark) -> Instant? {
        times[Int(mark.rawValue)]
    }

    /// How much earlier or later the tap may have reached `mark`. The processor manual gives some cycle counts only as
    /// ranges. Nil if unknown, or if the tap has not reached `mark`.
    package func margin(at mark: TapMark) -> TimeMargin? {
        margins[Int(mark.rawValue)]
    }

    /// The time from the touch interrupt to `mark`. Nil if the tap has not reached `mark`.
    public func sinceTouch(_ mark: TapMark) -> Microseconds? {
        guard let touch = time(of: .touch), let reached = time(of: mark) else { return nil }
        return reached - touch
    }

    /// When the motor began to move for the tap's first haptic pattern. Nil if no stage has played a pattern. The delay
    /// until the wearer feels the movement is the profile's `HapticCost.rise`.
    package private(set) var felt: Instant?

    package var touchToFelt: Microseconds? {
        guard let touch = time(of: .touch), let felt else { return nil }
        return felt - touch
    }

    var isInStage: Bool { stages.last { $0.progress == .running } != nil }

    /// Records when the motor began to move. Ignores all calls after the first.
    mutating func felt(at time: Instant) {
        felt = felt ?? time
    }

    /// The time from the touch interrupt until the panel shows the tapped row struck through.
    public var tapToUpdate: Microseconds? { sinceTouch(.updated) }

    /// Records when the tap reached `mark`. Ignores later calls for the same mark.
    package mutating func reached(_ mark: TapMark, at time: Instant, _ margin: TimeMargin? = nil) {
        let index = Int(mark.rawValue)
        guard times[index] == nil else { return }
        (times[index], margins[index]) = (time, margin)
    }

    package mutating func stageBegan(_ name: String, at time: Instant, _ count: InstructionCount = .counted) {
        guard stages.count < TapHistory.mostStages else { return }
        stages.append(StageSpan(name: name, began: time, progress: .running, instructionCount: count))
    }

    /// Ends the newest running stage called `name`. Does nothing if there is none.
    package mutating func stageEnded(
        _ name: String, at time: Instant, _ work: BoardWork? = nil, since before: BoardWork? = nil
    ) {
        guard let index = stages.lastIndex(where: { $0.name == name && $0.progress == .running }) else { return }
        stages[index].progress = .ended(at: time)
        guard let work, let before else { return }
        stages[index].spent = work.spent.since(before.spent)
        stages[index].instructions = work.instructions - before.instructions
        stages[index].cycles = work.cycles - before.cycles
        stages[index].allowedCycles =
            work.fewestCycles - before.fewestCycles...work.mostCycles - before.mostCycles
    }
}

package struct TapLog: Sendable, Equatable {
    static let capacity = 64

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

    /// Records when the motor began to move, for the newest tap with a running stage. Does nothing if no stage runs.
    mutating func felt(at time: Instant) {
        guard let index = histories.lastIndex(where: \.isInStage) else { return }
        histories[index].felt(at: time)
    }

    /// Changes the history of `tap`. Adds a history if the log has none for this tap. Ignores number 0, which means no tap.
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
    /// The text as one line without control characters, cut after 63 Unicode scalars. If the text is blank, returns a
    /// substitute.
    package var asStageName: String {
        let line = SanitizedLine(self, limit: 63).text
        return line.allSatisfy(\.isWhitespace) ? "stage without a name" : line
    }
}

extension StaticString {
    package var stageName: String { description.asStageName }
}
