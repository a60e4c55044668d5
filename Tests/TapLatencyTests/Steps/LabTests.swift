import Foundation
import TapLatency
import Testing

@Suite struct LabTests {
    private static func report(_ seed: UInt64 = 1) throws -> LabReport {
        try Lab(taps: 10, seed: seed).run()
    }

    @Test func `The nineteen steps tell the story`() throws {
        let report = try LabTests.report()
        #expect(report.steps.map(\.step) == Array(1...19))
        for step in report.steps {
        }
        let verdicts = Dictionary(uniqueKeysWithValues: report.steps.map { ($0.step, $0.verdict) })
        #expect(verdicts[1] == .reference)
        for step in 2...7 { #expect(verdicts[step] == .kept, "step \(step)") }
        #expect(verdicts[8] == .slow)
        #expect(verdicts[9] == .attributed)
        #expect(verdicts[10] == .fixed)
        #expect(verdicts[13] == .improved)
        #expect(verdicts[14] == .removed)
        #expect(verdicts[15] == .slow)
        #expect(verdicts[17] == .madeAsynchronous)
        #expect(verdicts[18] == .proven)
        #expect(verdicts[19] == .predicted)
    }
}
