import WatchLink

/// By how much a time may be shorter or longer than what was charged, because the manual of the processor's core leaves cycles open.
package struct TimeMargin: Sendable, Equatable {
    package var shorter: Microseconds
    package var longer: Microseconds

    package init(shorter: Microseconds = .zero, longer: Microseconds = .zero) {
        self.shorter = shorter
        self.longer = longer
    }

    package static let none = TimeMargin()

    /// What has come since an earlier moment.
    package func since(_ earlier: TimeMargin) -> TimeMargin {
        TimeMargin(shorter: shorter - earlier.shorter, longer: longer - earlier.longer)
    }
}

extension Processor {
    /// What the manual leaves open of the cycles that a board was charged since it started.
    package func margin(of work: BoardWork) -> TimeMargin {
        let charged = time(cycles: work.cycles)
        return TimeMargin(
            shorter: charged - time(cycles: work.fewestCycles),
            longer: time(cycles: max(work.mostCycles, work.cycles)) - charged)
    }
}
