import MachineWatch

@testable import TapLatency

extension CallProfile {
    /// A stage that draws a title: 1,000 cycles.
    static let sample = CallProfile(
        names: ["Watch.Glyphs.next()", "Watch.Frame.draw(part: Int)", "Watch.Title.run(_: Watch.Tap)", "memset"],
        calls: [
            Call(function: 2, caller: nil, cycles: 100, instructions: 80),
            Call(function: 1, caller: 0, cycles: 198, instructions: 150),
            Call(function: 0, caller: 1, cycles: 700, instructions: 500),
            Call(function: 3, caller: 0, cycles: 2, instructions: 1),
        ])
}

extension TapReport {
    /// Shipping with the functions of two of its stages, and of what runs around them.
    static let executedSample: TapReport = {
        var report = shippingSample
        report.processor = .executed
        report.stages = Array(report.stages.prefix(2))
        for index in report.stages.indices { report.stages[index].functions = .sample }
        report.aroundStages = .sample
        return report
    }()
}
