import DeviceModel

/// A figure that one of two reports has or both have.
package struct ComparedFigure: Sendable, Equatable {
    /// What takes the time.
    package enum Subject: Sendable, Equatable, Hashable {
        /// The way from the touch to a mark.
        case mark(LatencyMark)
        /// A stage by its name, and which it is of those with that name: 1 for the first.
        case stage(String, Int)
    }

    /// How many of the taps stay within the time.
    package enum Percentile: String, Sendable, CaseIterable, Codable {
        case p50, p99
    }

    /// What a report says of a figure.
    package enum Reading: Sendable, Equatable {
        /// The time in microseconds, and how many taps it is of.
        case time(UInt64, taps: Int)
        /// The same, without instructions that nobody has counted: what the figure is at least.
        case incomplete(UInt64, taps: Int)
        /// The handler has no such mark or stage.
        case missing
        /// The report does not have the handler.
        case notMeasured
    }

    /// The handler's name.
    package let handler: String
    package let subject: Subject
    package let percentile: Percentile
    package let old: Reading
    package let new: Reading
    package let verdict: FigureVerdict

    /// The figure, judged; nil where neither report has it.
    init?(
        handler: String, _ subject: Subject, _ percentile: Percentile, old: Reading, new: Reading,
        within tolerance: Tolerance
    ) {
        guard let verdict = FigureVerdict(old, new, within: tolerance) else { return nil }
        self.handler = handler
        self.subject = subject
        self.percentile = percentile
        self.old = old
        self.new = new
        self.verdict = verdict
    }
}

extension ComparedFigure {
    /// Whether a time can stand beside the other one: two that lack the same are as good as two that lack nothing.
    package var completeness: InstructionCount {
        switch (old, new) {
        case (.incomplete, .incomplete), (.incomplete, .notMeasured), (.notMeasured, .incomplete): .notCounted
        case (.time, _), (_, .time), (.missing, _), (_, .missing), (.notMeasured, .notMeasured): .counted
        }
    }

    /// The old time in microseconds; nil where it is not there, or not known.
    package var oldTime: UInt64? { old.microseconds(completeness) }

    /// The new time in microseconds; nil where it is not there, or not known.
    package var newTime: UInt64? { new.microseconds(completeness) }

    /// The change as a share of the old time, 0.02 for 2 %; infinite from 0, nil where one of the times is not there.
    package var change: Double? {
        guard let before = oldTime, let now = newTime else { return nil }
        if before == now { return 0 }
        return (Double(now) - Double(before)) / Double(before)
    }

    /// Whether there is anything to show: a change within the tolerance is one.
    package var isChanged: Bool { verdict != .kept || oldTime != newTime }
}

extension ComparedFigure.Reading {
    /// The time; nil where there is none. One that lacks something counts only where the other one lacks it, too.
    fileprivate func microseconds(_ completeness: InstructionCount) -> UInt64? {
        switch (self, completeness) {
        case (.time(let microseconds, _), _), (.incomplete(let microseconds, _), .notCounted): microseconds
        case (.incomplete, .counted), (.missing, _), (.notMeasured, _): nil
        }
    }
}

extension ComparedFigure.Subject {
    /// The name of the mark or the stage.
    package var name: String {
        switch self {
        case .mark(let mark): mark.rawValue
        case .stage(let name, 1): name
        case .stage(let name, let number): "\(name) (\(number))"
        }
    }
}

extension FigureVerdict {
    /// What has become of a figure; nil where neither report has it.
    fileprivate init?(
        _ old: ComparedFigure.Reading, _ new: ComparedFigure.Reading, within tolerance: Tolerance
    ) {
        switch (old, new) {
        case (.time(let before, let tapsBefore), .time(let now, let taps)),
            (.incomplete(let before, let tapsBefore), .incomplete(let now, let taps)):
            if taps < tapsBefore {
                self = .fewerTaps
            } else if now > before, tolerance.isExceeded(by: now - before, of: before) {
                self = .slower
            } else if now < before, tolerance.isExceeded(by: before - now, of: before) {
                self = .faster
            } else {
                self = .kept
            }
        // In the second case a stage was added, and nobody knows what it takes.
        case (.time, .incomplete), (.missing, .incomplete): self = .notKnown
        case (.time, .missing), (.time, .notMeasured), (.incomplete, .missing), (.incomplete, .notMeasured):
            self = .gone
        case (.missing, .time), (.incomplete, .time), (.notMeasured, .time), (.notMeasured, .incomplete): self = .new
        case (.missing, .missing), (.missing, .notMeasured), (.notMeasured, .missing), (.notMeasured, .notMeasured):
            return nil
        }
    }
}
