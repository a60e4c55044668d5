import Watch
import WatchLink

/// The histories of the last taps.
public struct TapLog: Sendable, Equatable {
    /// The most histories that are kept: the older ones go.
    public static let capacity = 64

    /// The histories, oldest first, at most `capacity`.
    public private(set) var histories: [TapHistory] = []

    /// No taps.
    public init() {}

    /// Enters what `event` says about a tap. Other events, and those without a tap (number 0), change nothing.
    public mutating func enter(_ event: TraceEvent) {
        switch event {
        case .mark(let mark, let tap, let time):
            update(tap) { $0.reached(mark, at: time) }
        case .stageBegan(let name, let tap, let time): stageBegan(name.description, tap: tap, at: time)
        case .stageEnded(let name, let tap, let time): stageEnded(name.description, tap: tap, at: time)
        case .screenChanged, .journalFailed:
            break
        }
    }

    /// Enters that a stage of `tap` began.
    public mutating func stageBegan(_ name: String, tap: TapNumber, at time: Instant) {
        update(tap) { $0.stageBegan(name, at: time) }
    }

    /// Enters that a stage of `tap` ended.
    public mutating func stageEnded(_ name: String, tap: TapNumber, at time: Instant) {
        update(tap) { $0.stageEnded(name, at: time) }
    }

    /// Enters where the time of a stage of `tap` went.
    mutating func stageSpent(_ spent: TimeSpent, _ name: String, tap: TapNumber) {
        update(tap) { $0.stageSpent(spent, name) }
    }

    /// Enters what a stage of `tap` executed.
    mutating func stageExecuted(_ instructions: Int, _ name: String, tap: TapNumber) {
        update(tap) { $0.stageExecuted(instructions, name) }
    }

    private mutating func update(_ tap: TapNumber, _ change: (inout TapHistory) -> Void) {
        guard tap.count > 0 else { return }
        if let index = histories.lastIndex(where: { $0.tap == tap }) {
            change(&histories[index])
            return
        }
        var history = TapHistory(tap: tap)
        change(&history)
        histories.append(history)
        if histories.count > TapLog.capacity { histories.removeFirst() }
    }
}
