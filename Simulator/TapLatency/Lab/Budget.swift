import HostSystem
import Watch
import WatchLink

/// A time limit for taps: 99 % of them must reach a mark within this time after the touch.
public struct Budget: Sendable, Equatable {
    /// The mark that the taps must reach within `limit`.
    public var mark: LatencyMark
    /// The maximum time from the touch interrupt to the mark, for 99 % of the taps.
    public var limit: Microseconds

    /// Creates a budget that requires 99 % of the taps to reach `mark` within `limit`.
    public init(_ mark: LatencyMark, within limit: Microseconds) {
        self.mark = mark
        self.limit = limit
    }

    /// Requires that the panel is updated within 8 ms of the touch, which is about half a frame at 60 frames a second.
    public static var tapToUpdate: Budget { Budget(.updated, within: .milliseconds(8)) }
}

extension TapReport {
    /// Whether 99 % of the taps reached `mark` within `limit`. False if any tap never reached `mark`.
    public func keeps(_ mark: LatencyMark, within limit: Microseconds) -> Bool {
        guard let time = marks[mark], time.count == taps else { return false }
        return time.p99 <= limit.count
    }

    /// Whether the taps are within the budget.
    public func keeps(_ budget: Budget) -> Bool {
        keeps(budget.mark, within: budget.limit)
    }

    /// Throws if fewer than 99 % of the taps reached `mark` within `limit`. `file` is a source file of the handler's package.
    /// By default, it is the file that calls this function.
    ///
    /// - Throws: `.budgetExceeded`, usually with the name of the slowest stage; `.markNotReached` if no tap reached `mark`;
    ///   `.notCounted` if a stage's instructions were not counted; `.counts` if the handler's own code was not counted.
    public func require(
        _ mark: LatencyMark, within limit: Microseconds, file: StaticString = #filePath
    ) throws(TapLatencyError) {
        try requireCounts(file)
        guard let time = marks[mark] else { throw .markNotReached(mark, handler: handler) }
        // The handler's own code can only add to the time, so a late tap is late even if that code was not counted.
        if keeps(mark, within: limit) { return try requireOwnCode(file) }
        throw .budgetExceeded(finding(mark, time, limit))
    }

    private func requireCounts(_ file: StaticString) throws(TapLatencyError) {
        if processor == .unknown {
            throw .counts(
                "handler '\(handler)' takes a time that is not known: put it into a library, and run tapline count"
            )
        }
        if let stage = stages.first(where: { $0.instructionCount == .notCounted }) {
            throw .notCounted(stage: stage.name, TapReport.whyNotCounted(file))
        }
    }

    private func requireOwnCode(_ file: StaticString) throws(TapLatencyError) {
        guard ownCode == .notCounted else { return }
        throw .counts(
            "handler '\(handler)' may compute something around its stages, which was not counted: "
                + "\(ownCodeReason ?? TapReport.whyNotCounted(file)); or expect a StageSequence, which has no code of its own"
        )
    }

    private static func whyNotCounted(_ file: StaticString) -> String {
        do throws(TapLatencyError) {
            let counts = try PackageSources.counts(around: "\(file)")
            let known = counts.handlers.map(\.name).joined(separator: ", ")
            return "it is in no handler that was counted (\(known)): put it into a library, and run tapline count again"
        } catch {
            return error.description
        }
    }

    /// Returns the slowest of the stages that delay `mark`, by p99 time. Nil if no stage delays `mark`. A deferred stage
    /// delays the removal of the row only if the stage ends later than `WatchLimits.struckRowHold` after the touch.
    public func slowestStage(until mark: LatencyMark) -> StageReport? {
        guard let reached = marks[mark]?.p99 else { return nil }
        // In the mean tap, each stage begins when the previous one ends. Deferred stages begin after the update of the panel.
        var end = 0.0
        func delays(_ stage: StageReport) -> Bool {
            let begin = end
            end += stage.mean.total
            guard begin < Double(reached) else { return false }
            switch (stage.placement, mark) {
            case (.immediate, _): return true
            case (.deferred, .handled), (.deferred, .updated): return false
            case (.deferred, .settled): return end > Double(WatchLimits.struckRowHold.count)
            case (.deferred, .durable), (.deferred, .sent), (.deferred, .committed), (.deferred, .acknowledged):
                return true
            }
        }
        let immediate = stages.filter { $0.placement == .immediate && delays($0) }
        if let handled = marks.handled?.p50, let updated = marks.updated?.p50 {
            end = max(end, Double(handled)) + Double(updated) - Double(handled)
        }
        let deferred = stages.filter { $0.placement == .deferred && delays($0) }
        return (immediate + deferred).max { $0.time.p99 < $1.time.p99 }
    }

    private func finding(_ mark: LatencyMark, _ time: Distribution, _ limit: Microseconds) -> String {
        guard time.count == taps else {
            return "handler '\(handler)' is \(mark.rawValue) after only \(time.count) of \(CountText(taps, "tap"))"
        }
        var text = "handler '\(handler)' is \(mark.rawValue) after \(Figure.time(time.p99)) (p99), "
        text += "\(Figure.time(limit.count)) are allowed"
        if ownTime > slowestStage(until: mark)?.time.p99 ?? 0 {
            text += ": the code around its stages takes \(Figure.time(ownTime)) of it"
        } else if let stage = slowestStage(until: mark), let (kind, share) = stage.mean.largest {
            text += ": stage '\(stage.name)' takes \(Figure.time(stage.time.p99)) of it, "
            text += "\(Figure.percent(share)) \(kind.title)\(stage.instructionCount.remark)"
        }
        return text
    }
}
