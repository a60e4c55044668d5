import TapLatency
import Testing
import Watch

@testable import tapline_lab

struct HandlerReportTests {
    @Test func `a stage whose instructions were not counted is named as such`() throws {
        let handler = StageSequence([.immediate(ListModel.self), .immediate(SortingDatabase.self)])
        let report = HandlerReport(report: try measure(handler, taps: 2), width: 100, ink: .plain)
        let noted = report.lines.filter { $0.contains("CPU not counted") }
        #expect(noted.count == 1 && noted[0].hasPrefix("sorting database"))
    }

    @Test(arguments: [OwnHandler.shipping, .legacy])
    func `a terminal of 80 columns has room for it`(_ handler: OwnHandler) throws {
        let report =
            switch handler {
            case .shipping: try measure(ShippingHandler(), taps: 2)
            case .legacy: try measure(LegacyHandler(), taps: 2)
            }
        for line in HandlerReport(report: report, width: 80, ink: .plain).lines {
            #expect(line.count <= 80, "\(line)")
        }
    }
}
