/// What has changed between two reports that were measured under the same conditions.
package struct ReportComparison: Sendable, Equatable {
    package let old: ComparedReport
    package let new: ComparedReport
    package let tolerance: Tolerance
    /// Every figure that one of the reports knows, by handlers: first the marks, then the stages as they run.
    package let figures: [ComparedFigure]

    /// Compares two reports.
    ///
    /// - Throws: `.notComparable` where they were not made under the same conditions, or measure different handlers.
    package init(
        _ old: ComparedReport, _ new: ComparedReport, within tolerance: Tolerance = .usual
    ) throws(TapLatencyError) {
        let pairs = HandlerPair.pairs(old.handlers, new.handlers)
        guard pairs.contains(where: \.isInBoth) else {
            func names(_ report: ComparedReport) -> String { report.handlers.map(\.handler).joined(separator: " and ") }
            let why = "one measures \(names(old)) and the other \(names(new)): measure the same --handler for both"
            throw .notComparable(old: old.name, new: new.name, why: why)
        }
        for pair in pairs {
            guard let why = pair.difference else { continue }
            throw .notComparable(old: old.name, new: new.name, why: why)
        }
        self.old = old
        self.new = new
        self.tolerance = tolerance
        figures = pairs.flatMap { $0.figures(within: tolerance) }
    }
}

extension ReportComparison {
    /// The figures that make the comparison fail, the worst first: what is missing, then by what share they grew.
    package var regressions: [ComparedFigure] {
        figures.filter(\.verdict.isRegression).sorted { ($0.change ?? .infinity) > ($1.change ?? .infinity) }
    }

    /// The figures that there is something to show of.
    package var changed: [ComparedFigure] { figures.filter(\.isChanged) }

    /// How many figures have this verdict.
    package func count(_ verdict: FigureVerdict) -> Int { figures.count { $0.verdict == verdict } }
}
