import Watch
import WatchLink

/// What a stage of a tap took: when it began and ended.
public struct StageSpan: Sendable, Equatable {
    /// Whether the stage is still running.
    public enum Progress: Sendable, Equatable {
        /// It has begun and not ended.
        case running
        /// It ended at this time.
        case ended(at: Instant)
    }

    /// The stage's own name.
    public var name: String
    /// When it began.
    public var began: Instant
    /// Whether it is still running.
    public var progress: Progress
    /// Where its time went, if its board knows: known once it has ended.
    public var spent: TimeSpent?
    /// The instructions that the processor executed from its beginning to its end, if its board counts them: known once it
    /// has ended.
    public var instructions: Int?

    /// How long it took, or nil while it runs.
    public var duration: Microseconds? {
        switch progress {
        case .running: nil
        case .ended(let end): end - began
        }
    }
}

/// What is known of one tap: the marks on its time line and the stages it went through.
public struct TapHistory: Sendable, Equatable {
    /// The tap's number.
    public let tap: TapNumber
    /// The stages, in the order in which they began.
    public private(set) var stages: [StageSpan] = []
    /// When each mark was reached, by the mark's raw value.
    private var times = [Instant?](repeating: nil, count: 8)

    /// The history of a tap of which nothing is known yet.
    public init(tap: TapNumber) {
        self.tap = tap
    }

    /// When the tap reached `mark`, or nil when it has not.
    public func time(of mark: TapMark) -> Instant? {
        times[Int(mark.rawValue)]
    }

    /// The time from the touch interrupt to `mark`, or nil while one of the two is missing.
    public func sinceTouch(_ mark: TapMark) -> Microseconds? {
        guard let touch = time(of: .touch), let reached = time(of: mark) else { return nil }
        return reached - touch
    }

    /// What the wearer waited for: from the touch to the last line of the struck row being on the panel.
    public var tapToUpdate: Microseconds? { sinceTouch(.updated) }

    /// Notes that the tap reached `mark`. The first time counts.
    mutating func reached(_ mark: TapMark, at time: Instant) {
        let index = Int(mark.rawValue)
        times[index] = times[index] ?? time
    }

    /// Notes that the stage called `name` began.
    mutating func stageBegan(_ name: String, at time: Instant) {
        stages.append(StageSpan(name: name, began: time, progress: .running))
    }

    /// Notes where the time of the newest stage called `name` went.
    mutating func stageSpent(_ spent: TimeSpent, _ name: String) {
        guard let index = stages.lastIndex(where: { $0.name == name }) else { return }
        stages[index].spent = spent
    }

    /// Notes what the newest stage called `name` executed.
    mutating func stageExecuted(_ instructions: Int, _ name: String) {
        guard let index = stages.lastIndex(where: { $0.name == name }) else { return }
        stages[index].instructions = instructions
    }

    /// Notes that the newest running stage called `name` ended. Without one there is nothing to note.
    mutating func stageEnded(_ name: String, at time: Instant) {
        guard let index = stages.lastIndex(where: { $0.name == name && $0.progress == .running }) else { return }
        stages[index].progress = .ended(at: time)
    }
}
