/// The steps in a table: what was expected, what was found, and the figures it was found from.
struct StepTable: Sendable {
    /// The steps, from the top.
    let steps: [StepReport]

    var markup: Markup {
        var table = PageTable(
            caption: "Medians to two marks, and the change of the first against the step before.", style: "steps",
            columns: [
                .figure("#"), .text("step"), .figure("updated p50"), .figure("settled p50"), .figure("change"),
                .text("verdict"),
            ])
        table.rows = steps.enumerated().map { index, step in
            row(step, after: index > 0 ? steps[index - 1].step : nil)
        }
        return table.markup
    }

    private func row(_ step: StepReport, after before: Int?) -> [[Markup]] {
        var change: [Markup] = [.figure(FigureText(change: step.change?.updated))]
        if let against = step.change?.against, against != before {
            change.append(.tag("small", ["class": "quiet"], [.text(" against step \(against)")]))
        }
        return [
            ["\(step.step)"], said(of: step),
            [.figure(FigureText(time: step.marks.updated?.p50))],
            [.figure(FigureText(time: step.marks.settled?.p50))],
            change,
            [step.verdict.chip],
        ]
    }

    /// What was found, and what was expected.
    private func said(of step: StepReport) -> [Markup] {
        let notes = [step.chance].compactMap(\.self) + step.absences.map(\.sentence)
        let found: [Markup] = [
            .tag("strong", .text(step.name)), .tag("p", .text(step.found.figuresHeldTogether)),
        ]
        let remarks = notes.map { Markup.tag("p", ["class": "note"], [.text($0.figuresHeldTogether)]) }
        return found + remarks + [
            .tag("p", ["class": "expected"], [.tag("em", "Expected:"), .text(" \(step.hypothesis)")])
        ]
    }
}

extension String {
    /// The sentence with a no-break space between each figure and its unit.
    var figuresHeldTogether: String {
        let units: [Substring] = ["µs", "ms", "s", "%"]
        var sentence = ""
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            let space =
                units.contains(word.prefix { $0.isLetter || $0 == "%" }) && sentence.last?.isNumber == true
                ? "\u{A0}" : " "
            sentence += sentence.isEmpty ? String(word) : space + word
        }
        return sentence
    }
}
