import DeviceModel

/// A handler as two reports have it, or one of them.
enum HandlerPair {
    case both(old: TapReport, new: TapReport)
    /// It is no longer measured.
    case gone(TapReport)
    /// It was not measured before.
    case new(TapReport)

    /// The handlers of two reports by their names: those of the old one, then those that the new one adds.
    static func pairs(_ old: [TapReport], _ new: [TapReport]) -> [HandlerPair] {
        let kept = old.map { before in
            new.first { $0.handler == before.handler }.map { .both(old: before, new: $0) } ?? HandlerPair.gone(before)
        }
        return kept + new.filter { now in !old.contains { $0.handler == now.handler } }.map(HandlerPair.new)
    }

    var isInBoth: Bool {
        switch self {
        case .both: true
        case .gone, .new: false
        }
    }

    /// Every figure that one of the reports knows.
    func figures(within tolerance: Tolerance) -> [ComparedFigure] {
        let (name, old, new): (String, FigureTable, FigureTable) =
            switch self {
            case .both(let old, let new): (old.handler, FigureTable(old), FigureTable(new))
            case .gone(let old): (old.handler, FigureTable(old), FigureTable(nil))
            case .new(let new): (new.handler, FigureTable(nil), FigureTable(new))
            }
        let subjects = old.subjects + new.subjects.filter { !old.subjects.contains($0) }
        return (subjects.filter(\.isMark) + subjects.filter { !$0.isMark }).flatMap { subject in
            ComparedFigure.Percentile.allCases.compactMap { percentile in
                ComparedFigure(
                    handler: name, subject, percentile, old: old.reading(subject, percentile),
                    new: new.reading(subject, percentile), within: tolerance)
            }
        }
    }
}

extension ComparedFigure.Subject {
    fileprivate var isMark: Bool {
        switch self {
        case .mark: true
        case .stage: false
        }
    }
}

/// What a report says of a handler, figure by figure.
private enum FigureTable {
    struct Row {
        let subject: ComparedFigure.Subject
        let time: Distribution
        /// Whether the time has all that was executed.
        let instructionCount: InstructionCount
    }

    case measured([Row])
    case notMeasured

    /// The marks and stages of a handler.
    init(_ report: TapReport?) {
        guard let report else {
            self = .notMeasured
            return
        }
        let marks: [Row] = LatencyMark.allCases.compactMap { mark in
            report.marks[mark].map { Row(subject: .mark(mark), time: $0, instructionCount: report.countOfMarks) }
        }
        let stages = report.stages.enumerated().map { index, stage in
            let number = report.stages[...index].count { $0.name == stage.name }
            return Row(
                subject: .stage(stage.name, number), time: stage.time, instructionCount: report.count(of: stage))
        }
        self = .measured(marks + stages)
    }

    var subjects: [ComparedFigure.Subject] {
        switch self {
        case .measured(let rows): rows.map(\.subject)
        case .notMeasured: []
        }
    }

    func reading(
        _ subject: ComparedFigure.Subject, _ percentile: ComparedFigure.Percentile
    ) -> ComparedFigure.Reading {
        switch self {
        case .notMeasured: return .notMeasured
        case .measured(let rows):
            guard let row = rows.first(where: { $0.subject == subject }) else { return .missing }
            let time =
                switch percentile {
                case .p50: row.time.p50
                case .p99: row.time.p99
                }
            return switch row.instructionCount {
            case .counted: .time(time, taps: row.time.count)
            case .notCounted: .incomplete(time, taps: row.time.count)
            }
        }
    }
}

extension TapReport {
    /// Whether the times to the marks have all that is executed: one stage that nobody has counted may delay any.
    fileprivate var countOfMarks: InstructionCount {
        processor == .unknown || ownCode == .notCounted
            || stages.contains { $0.instructionCount == .notCounted } ? .notCounted : .counted
    }

    fileprivate func count(of stage: StageReport) -> InstructionCount {
        processor == .unknown ? .notCounted : stage.instructionCount
    }
}
