import DeviceModel

/// The differences between two reports that were measured under the same conditions.
package struct ReportComparison: Sendable {
    package let old: ComparedReport
    package let new: ComparedReport
    package let tolerance: Tolerance
    /// The figures of both reports, handler by handler. For each handler, the marks come first, then the stages in the order in
    /// which they run. If only the new report has a stage, that stage is at the end.
    package let figures: [ComparedFigure]

    /// - Throws: `.notComparable` if the reports measured a handler under different conditions, or share no handler.
    package init(
        _ old: ComparedReport, _ new: ComparedReport, within tolerance: Tolerance = .usual
    ) throws(TapLatencyError) {
        func refusal(_ why: String) -> TapLatencyError { .notComparable(old: old.name, new: new.name, why: why) }
        let names = old.handlers.map(\.handler)
        let added = new.handlers.map(\.handler).filter { !names.contains($0) }
        let pairs = (names + added).map { name in
            (
                name: name, old: old.handlers.first { $0.handler == name },
                new: new.handlers.first { $0.handler == name }
            )
        }
        guard pairs.contains(where: { $0.old != nil && $0.new != nil }) else {
            func names(_ report: ComparedReport) -> String { report.handlers.map(\.handler).joined(separator: " and ") }
            throw refusal(
                "one measures \(names(old)) and the other \(names(new)): measure the same --handler for both")
        }
        for pair in pairs {
            if let before = pair.old, let now = pair.new, let why = before.difference(from: now) { throw refusal(why) }
        }
        self.old = old
        self.new = new
        self.tolerance = tolerance
        figures = pairs.flatMap { ComparedFigure.figures(of: $0.name, $0.old, $0.new, within: tolerance) }
    }

    /// The figures that make the comparison fail. Figures whose change is unknown come first. The other figures follow, from
    /// the largest change to the smallest.
    package var regressions: [ComparedFigure] {
        figures.filter(\.verdict.isRegression).sorted { ($0.change ?? .infinity) > ($1.change ?? .infinity) }
    }

    /// The figures that differ, including those within the tolerance.
    package var changed: [ComparedFigure] { figures.filter { $0.verdict != .kept || $0.oldTime != $0.newTime } }

    package func count(_ verdict: ComparedFigure.Verdict) -> Int { figures.count { $0.verdict == verdict } }
}

package struct ComparedFigure: Sendable {
    package enum Subject: Sendable, Equatable {
        case mark(LatencyMark)
        /// The name of a stage, and a number that counts the handler's stages of this name, starting at 1.
        case stage(String, Int)

        fileprivate var isMark: Bool {
            switch self {
            case .mark: true
            case .stage: false
            }
        }

        package var name: String {
            switch self {
            case .mark(let mark): mark.rawValue
            case .stage(let name, 1): name
            case .stage(let name, let number): "\(name) (\(number))"
            }
        }
    }

    package enum Percentile: String, Sendable, CaseIterable, Encodable {
        case p50, p99
    }

    package enum Reading: Sendable, Equatable {
        /// The time in microseconds. `taps` is the number of taps that reached the mark or ran the stage.
        case time(UInt64, taps: Int)
        /// A lower bound of the time, because some instructions were not counted.
        case incomplete(UInt64, taps: Int)
        /// The report has the handler, but without this mark or stage.
        case missing
        /// The report does not have the handler.
        case notMeasured

        fileprivate func microseconds(_ completeness: InstructionCount) -> UInt64? {
            switch (self, completeness) {
            case (.time(let microseconds, _), _), (.incomplete(let microseconds, _), .notCounted): microseconds
            case (.incomplete, .counted), (.missing, _), (.notMeasured, _): nil
            }
        }
    }

    package enum Verdict: String, Sendable, Encodable {
        case kept
        case slower
        case faster
        /// The new time comes from fewer taps than the old one.
        case fewerTaps = "fewer taps"
        /// The new time is incomplete, and the old time is complete or `.missing`. So the two times cannot be compared.
        case notKnown = "not known"
        case gone
        /// The new report has the time. In the old report, the time was missing or incomplete.
        case new

        package var isRegression: Bool {
            switch self {
            case .slower, .fewerTaps, .notKnown, .gone: true
            case .kept, .faster, .new: false
            }
        }
    }

    package let handler: String
    package let subject: Subject
    package let percentile: Percentile
    package let old: Reading
    package let new: Reading
    package let verdict: Verdict

    /// `.notCounted` if `oldTime` and `newTime` can be incomplete times. If the completeness is `.counted`, `oldTime` is nil if
    /// `old` is incomplete, and `newTime` is nil if `new` is incomplete.
    package var completeness: InstructionCount {
        switch (old, new) {
        case (.incomplete, .incomplete), (.incomplete, .notMeasured), (.notMeasured, .incomplete): .notCounted
        case (.time, _), (_, .time), (.missing, _), (_, .missing), (.notMeasured, .notMeasured): .counted
        }
    }

    package var oldTime: UInt64? { old.microseconds(completeness) }

    package var newTime: UInt64? { new.microseconds(completeness) }

    /// The change as a share of the old time: 0.02 if the new time is 2 % longer. Infinite if only the old time is 0. Nil if a
    /// time is missing.
    package var change: Double? {
        guard let before = oldTime, let now = newTime else { return nil }
        if before == now { return 0 }
        return (Double(now) - Double(before)) / Double(before)
    }
}

extension ComparedFigure {
    fileprivate static func figures(
        of handler: String, _ old: ComparedHandler?, _ new: ComparedHandler?, within tolerance: Tolerance
    ) -> [ComparedFigure] {
        let before = old?.figures ?? []
        let subjects = before + (new?.figures ?? []).filter { now in !before.contains { $0.subject == now.subject } }
        return (subjects.filter(\.subject.isMark) + subjects.filter { !$0.subject.isMark }).flatMap { figure in
            Percentile.allCases.compactMap { percentile in
                let reading = (
                    old: Reading(of: figure.subject, percentile, old), new: Reading(of: figure.subject, percentile, new)
                )
                return Verdict(reading.old, reading.new, within: tolerance).map {
                    ComparedFigure(
                        handler: handler, subject: figure.subject, percentile: percentile, old: reading.old,
                        new: reading.new, verdict: $0)
                }
            }
        }
    }
}

extension ComparedHandler {
    /// The marks and stages with their times. If any code of the handler was not counted, the times of all marks are
    /// incomplete.
    fileprivate var figures: [(subject: ComparedFigure.Subject, time: Distribution, count: InstructionCount)] {
        let isUnknown = processor == .unknown
        let lacks = isUnknown || ownCode == .notCounted
        let ofMarks: InstructionCount =
            lacks || stages.contains { $0.instructionCount == .notCounted } ? .notCounted : .counted
        let reached = LatencyMark.allCases.compactMap { mark in
            marks[mark].map { (subject: ComparedFigure.Subject.mark(mark), time: $0, count: ofMarks) }
        }
        return reached
            + stages.enumerated().map { index, stage in
                let number = stages[...index].count { $0.name == stage.name }
                return (.stage(stage.name, number), stage.time, isUnknown ? .notCounted : stage.instructionCount)
            }
    }
}

extension ComparedFigure.Reading {
    fileprivate init(
        of subject: ComparedFigure.Subject, _ percentile: ComparedFigure.Percentile, _ handler: ComparedHandler?
    ) {
        guard let handler else {
            self = .notMeasured
            return
        }
        guard let figure = handler.figures.first(where: { $0.subject == subject }) else {
            self = .missing
            return
        }
        let time =
            switch percentile {
            case .p50: figure.time.p50
            case .p99: figure.time.p99
            }
        switch figure.count {
        case .counted: self = .time(time, taps: figure.time.count)
        case .notCounted: self = .incomplete(time, taps: figure.time.count)
        }
    }
}

extension ComparedFigure.Verdict {
    fileprivate init?(_ old: ComparedFigure.Reading, _ new: ComparedFigure.Reading, within tolerance: Tolerance) {
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
        // In the second case, the new report has an additional stage that was not counted.
        case (.time, .incomplete), (.missing, .incomplete): self = .notKnown
        case (.time, .missing), (.time, .notMeasured), (.incomplete, .missing), (.incomplete, .notMeasured):
            self = .gone
        case (.missing, .time), (.incomplete, .time), (.notMeasured, .time), (.notMeasured, .incomplete): self = .new
        case (.missing, .missing), (.missing, .notMeasured), (.notMeasured, .missing), (.notMeasured, .notMeasured):
            return nil
        }
    }
}

package struct Tolerance: Sendable, Equatable {
    package let percent: Double

    package static let usual = Tolerance(percent: 2)

    private init(percent: Double) {
        self.percent = percent
    }

    /// Parses a tolerance in per cent, such as `2%`, `2 %`, `2`, `0.5%` or `0`.
    ///
    /// - Throws: `.tolerance` if the text is not such a number.
    package init(_ text: String) throws(TapLatencyError) {
        // `Double` alone would also accept nan, infinity, 0x10 and 1e9.
        guard let match = text.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?)(?: ?%)?/), let percent = Double(match.1),
            percent.isFinite
        else { throw .tolerance(text) }
        self.init(percent: percent)
    }

    package var words: String { "\(Figure.exact(percent)) %" }

    func isExceeded(by amount: UInt64, of base: UInt64) -> Bool {
        Double(amount) * 100 > percent * Double(base)
    }
}

// MARK: JSON

extension ReportComparison: Encodable {
    package var json: [UInt8] { reportJSON() }

    private enum Key: String, CodingKey {
        case old, new, tolerance, kept, regressions, figures
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(old.name, forKey: .old)
        try values.encode(new.name, forKey: .new)
        try values.encode(tolerance.percent, forKey: .tolerance)
        try values.encode(count(.kept), forKey: .kept)
        try values.encode(regressions.count, forKey: .regressions)
        try values.encode(figures, forKey: .figures)
    }
}

extension ComparedFigure: Encodable {
    private enum Key: String, CodingKey {
        case handler, mark, stage, percentile, old, new, change, instructionCount, verdict
    }

    /// Encodes the figure, with the change in per cent. Leaves the change out if it is infinite or unknown.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(handler, forKey: .handler)
        try values.encode(subject.name, forKey: subject.isMark ? .mark : .stage)
        try values.encode(percentile, forKey: .percentile)
        try values.encodeIfPresent(oldTime, forKey: .old)
        try values.encodeIfPresent(newTime, forKey: .new)
        if let change, change.isFinite { try values.encode(change * 100, forKey: .change) }
        if completeness == .notCounted { try values.encode(completeness, forKey: .instructionCount) }
        try values.encode(verdict, forKey: .verdict)
    }
}
