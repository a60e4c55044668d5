import Watch
import WatchLink

/// The histories of the last taps.
package struct TapLog: Sendable, Equatable {
    /// The most histories that are kept: the older ones go.
    static let capacity = 64

    /// The histories, oldest first, at most `capacity`.
    package private(set) var histories: [TapHistory] = []

    package init() {}

    /// Enters what `event` says about a tap.
    package mutating func enter(_ event: TraceEvent) {
        switch event {
        case .mark(let mark, let tap, let time): change(tap) { $0.reached(mark, at: time) }
        case .stageBegan(let name, let tap, let time): change(tap) { $0.stageBegan(name.stageName, at: time) }
        case .stageEnded(let name, let tap, let time): change(tap) { $0.stageEnded(name.stageName, at: time) }
        case .screenChanged, .moment, .journalFailed: break
        }
    }

    /// Notes that the tap is felt of which a stage is running, where there is one.
    mutating func felt(at time: Instant) {
        guard let index = histories.lastIndex(where: \.isInStage) else { return }
        histories[index].felt(at: time)
    }

    /// Changes the history of a tap. What belongs to no tap (number 0) is not entered.
    mutating func change(_ tap: TapNumber, _ change: (inout TapHistory) -> Void) {
        guard tap.count > 0 else { return }
        if let index = histories.lastIndex(where: { $0.tap == tap }) { return change(&histories[index]) }
        var history = TapHistory(tap: tap)
        change(&history)
        histories.append(history)
        if histories.count > TapLog.capacity { histories.removeFirst() }
    }
}
