import TapLatency
import Testing
import Watch

@testable import tapline

struct HandlerReportTests {
    @Test func `a stage whose instructions were not counted is named as such`() throws {
        let handler = StageSequence([.immediate(ListModel.self), .immediate(SortingDatabase.self)])
        let report = HandlerReport(report: try measure(handler, taps: 2), width: 100, ink: .plain)
        let noted = report.lines.filter { $0.contains("CPU not counted") }
        #expect(noted.count == 1 && noted[0].hasPrefix("sorting database"))
    }
}
