import Foundation
import Testing

@testable import TapLatency

@Suite struct StepTableTests {
    @Test(arguments: StepReport.samples.indices)
    func `Every step has its row, with its figures and its sentences`(index: Int) throws {
        let step = StepReport.samples[index]
        let rows = rows(StepTable(steps: StepReport.samples))
        #expect(rows.count == StepReport.samples.count)
        let parsed = try #require(ParsedMarkup(rows[index]))
        #expect(parsed.text.hasPrefix("\(step.step)\(step.name)"))
        for text in [
            step.name, step.found.figuresHeldTogether, step.hypothesis, step.verdict.rawValue,
            FigureText(time: step.marks.updated?.p50).text, FigureText(time: step.marks.settled?.p50).text,
            FigureText(change: step.change?.updated).text,
        ] {
            #expect(parsed.text.contains(text))
        }
    }

    @Test func `A line does not end between a figure and its unit`() {
        let sentence = "'sorting database' takes 700 µs (-2.80 ms), 67 % of it, 3 seconds"
        #expect(
            sentence.figuresHeldTogether
                == "'sorting database' takes 700\u{A0}µs (-2.80\u{A0}ms), 67\u{A0}% of it, 3 seconds")
    }

    @Test func `A change against another step than the one above says which`() throws {
        let table = StepTable(steps: [StepReport.samples[0], StepReport.samples[9]])
        #expect(try #require(ParsedMarkup(table.markup.written)).text.contains("against step 9"))
        let all = StepTable(steps: StepReport.samples)
        #expect(!(try #require(ParsedMarkup(all.markup.written)).text.contains("against step")))
    }

    /// The rows of the table's body.
    private func rows(_ table: StepTable) -> [String] {
        table.markup.written.components(separatedBy: "<tr>").dropFirst(2).map { row in
            "<tr>" + (row.components(separatedBy: "</tr>").first ?? "") + "</tr>"
        }
    }
}
