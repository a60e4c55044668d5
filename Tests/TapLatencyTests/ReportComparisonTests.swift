import Foundation
import Testing
import Watch

@testable import TapLatency

@Suite struct ReportComparisonTests {
    private static let usual = TapReport.shippingSample

    private func compare(
        _ old: [UInt8], _ new: [UInt8], _ tolerance: Tolerance = .usual
    ) throws(TapLatencyError) -> ReportComparison {
        try ReportComparison(
            ComparedReport(json: old, called: "old.json"), ComparedReport(json: new, called: "new.json"),
            within: tolerance)
    }

    private func comparison(
        within tolerance: Tolerance = .usual, _ change: (inout TapReport) -> Void
    ) throws -> ReportComparison {
        var changed = Self.usual
        change(&changed)
        return try compare(Self.usual.json, changed.json, tolerance)
    }

    private func verdicts(_ comparison: ReportComparison) -> [String] {
        comparison.changed.map { "\($0.subject.name) \($0.percentile.rawValue): \($0.verdict.rawValue)" }
    }

    private func times(_ factor: Double, _ times: Distribution, taps: Int? = nil) -> Distribution {
        func scaled(_ time: UInt64) -> UInt64 { UInt64((Double(time) * factor).rounded()) }
        return Distribution(
            p50: scaled(times.p50), p90: scaled(times.p90), p99: scaled(times.p99), max: scaled(times.max),
            count: taps ?? times.count)
    }

    @Test func `A report is what it was: every mark and stage is kept, p50 and p99`() throws {
        let comparison = try comparison { _ in }
        // Seven marks and seven stages.
        #expect(comparison.figures.count == 28)
        #expect(comparison.count(.kept) == 28)
        #expect(comparison.changed.isEmpty && comparison.regressions.isEmpty)
    }

    @Test func `A mark that is 3 % slower fails at 2 % and passes at 4 %`() throws {
        func plant(_ report: inout TapReport) { report.marks.updated = report.marks.updated.map { times(1.03, $0) } }
        let strict = try comparison(plant)
        #expect(verdicts(strict) == ["updated p50: slower", "updated p99: slower"])
        #expect(strict.regressions.count == 2)
        let lenient = try comparison(within: Tolerance("4%"), plant)
        #expect(lenient.regressions.isEmpty)
        #expect(lenient.count(.kept) == 28)
        // The mark has changed, and the comparison shows that.
        #expect(verdicts(lenient) == ["updated p50: kept", "updated p99: kept"])
    }

    @Test func `A stage is compared by its name, wherever it runs`() throws {
        let comparison = try comparison { report in
            report.stages.reverse()
            report.stages[0].placement = .immediate
            report.stages[0].time = times(2, report.stages[0].time)
            report.stages[1].time = times(0.5, report.stages[1].time)
        }
        #expect(
            verdicts(comparison) == [
                "placeholder p50: faster", "placeholder p99: faster", "complication p50: slower",
                "complication p99: slower",
            ])
    }

    @Test func `Stages of one name are told apart by their order`() throws {
        let twice = StageReport.sample("haptic", .deferred, TimeKinds([.haptic: 500]))
        let comparison = try comparison { $0.stages.append(twice) }
        #expect(verdicts(comparison) == ["haptic (2) p50: new", "haptic (2) p99: new"])
        #expect(comparison.regressions.isEmpty)
    }

    @Test func `From zero, zero is kept and anything else is slower; to zero is faster`() throws {
        var nothing = Self.usual
        nothing.marks.updated = .around(0)
        var something = nothing
        something.marks.updated = .around(1)
        let slower = try compare(nothing.json, something.json, Tolerance("1000%"))
        #expect(verdicts(slower) == ["updated p50: slower", "updated p99: slower"])
        #expect(slower.regressions.allSatisfy { $0.change == .infinity })
        // JSON has no number for infinity.
        #expect(String(decoding: slower.json, as: UTF8.self).contains(#""verdict" : "slower""#))
        let kept = try compare(nothing.json, nothing.json, Tolerance("0"))
        #expect(kept.count(.kept) == 28)
        #expect(verdicts(try compare(something.json, nothing.json)) == ["updated p50: faster", "updated p99: faster"])
    }

    @Test func `A mark or a stage that is missing is lost, and a new one is not`() throws {
        let lost = try comparison { report in
            report.marks.durable = nil
            report.stages.removeLast()
        }
        #expect(
            verdicts(lost) == [
                "durable p50: gone", "durable p99: gone", "complication p50: gone", "complication p99: gone",
            ])
        #expect(lost.regressions.count == 4)
        var fewer = Self.usual
        fewer.marks.durable = nil
        let found = try compare(fewer.json, Self.usual.json)
        #expect(verdicts(found) == ["durable p50: new", "durable p99: new"])
        #expect(found.regressions.isEmpty)
    }

    @Test func `A mark that fewer taps reach is lost, however fast the others are`() throws {
        let comparison = try comparison { report in
            report.marks.settled = report.marks.settled.map { times(0.5, $0, taps: $0.count - 1) }
        }
        #expect(verdicts(comparison) == ["settled p50: fewer taps", "settled p99: fewer taps"])
        #expect(comparison.regressions.count == 2)
    }

    @Test func `A stage that is no longer counted is not known, and neither is any mark`() throws {
        func forget(_ report: inout TapReport) { report.stages[6].instructionCount = .notCounted }
        let comparison = try comparison(forget)
        #expect(comparison.count(.notKnown) == 16)
        #expect(comparison.regressions.count == 16)
        var unknown = Self.usual
        forget(&unknown)
        // Figures for which both reports lack the instruction counts are still compared.
        let still = try compare(unknown.json, unknown.json)
        #expect(still.count(.kept) == 28 && still.figures.count { $0.completeness == .notCounted } == 16)
        var slower = unknown
        slower.marks.updated = slower.marks.updated.map { times(1.03, $0) }
        #expect(verdicts(try compare(unknown.json, slower.json)) == ["updated p50: slower", "updated p99: slower"])
        let known = try compare(unknown.json, Self.usual.json)
        #expect(known.count(.new) == 16 && known.regressions.isEmpty)
    }

    @Test func `A new stage without a count is no free one`() throws {
        let comparison = try comparison { report in
            var stranger = StageReport.sample("stranger", .deferred, TimeKinds([:]))
            stranger.instructionCount = .notCounted
            report.stages.append(stranger)
        }
        // The seven marks and the new stage, each with p50 and p99.
        #expect(comparison.count(.notKnown) == 16)
        var unknown = Self.usual
        unknown.stages[6].instructionCount = .notCounted
        var stranger = unknown
        stranger.stages.append(unknown.stages[6])
        #expect(
            verdicts(try compare(unknown.json, stranger.json)) == [
                "complication (2) p50: not known", "complication (2) p99: not known",
            ])
    }

    @Test func `A handler without stages has no known time`() throws {
        let comparison = try comparison { report in
            report.processor = .unknown
            report.stages = []
        }
        #expect(comparison.count(.notKnown) == 14 && comparison.count(.gone) == 14)
    }

    @Test func `The lab's report has two handlers, and one that is no longer measured is lost`() throws {
        let whole = try compare(LabReport.sample.json, LabReport.sample.json)
        #expect(Set(whole.figures.map(\.handler)) == ["legacy", "shipping"])
        #expect(whole.count(.kept) == whole.figures.count)
        let lost = try compare(LabReport.sample.json, Self.usual.json)
        #expect(Set(lost.regressions.map(\.handler)) == ["legacy"])
        #expect(lost.regressions.allSatisfy { $0.verdict == .gone })
        let found = try compare(Self.usual.json, LabReport.sample.json)
        #expect(found.regressions.isEmpty && found.count(.new) > 0)
        // A handler that only the new report has is not a regression.
        var report = LabReport.sample
        report.legacy.stages[0].instructionCount = .notCounted
        #expect(try compare(Self.usual.json, report.json).regressions.isEmpty)
    }

    @Test func `A handler that was taken apart is compared as a whole`() throws {
        var trial = HandlerTrial(
            off: Self.usual, stages: [], around: 0, whole: Self.usual, verdict: .kept, culprit: nil)
        let old = trial.json
        trial.whole.marks.handled = .around(300)
        #expect(verdicts(try compare(old, trial.json)) == ["handled p50: slower", "handled p99: slower"])
    }

    @Test func `What is missing is the worst, then what grew by the largest share`() throws {
        let comparison = try comparison { report in
            report.marks.updated = report.marks.updated.map { times(1.1, $0) }
            report.marks.committed = report.marks.committed.map { times(1.5, $0) }
            report.marks.sent = nil
        }
        #expect(
            comparison.regressions.map(\.subject.name) == [
                "sent", "sent", "committed", "committed", "updated", "updated",
            ])
    }

    // MARK: What cannot be compared

    @Test(arguments: [
        (\TapReport.items, "--items was 128 and is 7: measure both with the same --items"),
        (\.database, "--database was 2000 and is 7: measure both with the same --database"),
        (\.taps, "--taps was 200 and is 7: measure both with the same --taps"),
    ])
    func `Other conditions are refused`(condition: WritableKeyPath<TapReport, Int> & Sendable, why: String) throws {
        let error = #expect(throws: TapLatencyError.self) { try comparison { $0[keyPath: condition] = 7 } }
        #expect(error?.description == "old.json and new.json cannot be compared: \(why)")
    }

    @Test func `Another profile, number of it, seed, source of the processor's time or handler is refused`() throws {
        func refused(_ part: String, _ change: (inout TapReport) -> Void) {
            let error = #expect(throws: TapLatencyError.self) { try comparison(change) }
            #expect(error?.description.contains(part) == true, "\(String(describing: error))")
        }
        refused("the profiles are memory-lcd and colour-spi: measure both") { $0.profile = "colour-spi" }
        refused("panel.bus_hertz was 2000000 and is 4000000 in the profile memory-lcd: measure both") {
            $0.profileNumbers["panel.bus_hertz"] = 4_000_000
        }
        refused("panel.bus_hertz, the first of 2 that differ, was 2000000 and is not there") {
            $0.profileNumbers = ["radio.interval_us": 1]
        }
        refused("--seed was 20251121 and is 1: measure both") { $0.seed = 1 }
        refused("was counted and is executed: measure both with --counted, or") { $0.processor = .executed }
        refused("one measures shipping and the other other: measure the same --handler") { $0.handler = "other" }
    }

    @Test func `A refusal is one line, whatever a report calls its handler`() throws {
        let error = #expect(throws: TapLatencyError.self) { try comparison { $0.handler = "two\nlines\u{1B}[31m" } }
        let description = try #require(error?.description)
        #expect(!description.contains("\n") && !description.contains("\u{1B}"))
    }
}

@Suite struct ToleranceTests {
    @Test(arguments: [
        ("2%", 2.0, "2 %"), ("2 %", 2, "2 %"), ("2", 2, "2 %"), ("0.5%", 0.5, "0.5 %"), ("0", 0, "0 %"),
        ("150%", 150, "150 %"),
    ])
    func `A share of a text is read, and written as it was meant`(text: String, percent: Double, words: String) throws {
        #expect(try Tolerance(text).percent == percent)
        #expect(try Tolerance(text).words == words)
    }

    @Test(arguments: [
        "", " ", "%", "-1", "-1%", "-0", "+1", "nan", "NaN%", "inf", "1e3", "0x10", "2%%", "% 2", "1.2.3", ".5", "5.",
        "1,5", "two", "2\n", "٢", String(repeating: "9", count: 400),
    ])
    func `What is no share is refused in a line that says what to give`(text: String) throws {
        let error = #expect(throws: TapLatencyError.self) { try Tolerance(text) }
        #expect(error == .tolerance(text))
        let description = try #require(error?.description)
        #expect(description.hasSuffix("is no tolerance: give per cent, 0 or more, as in 2% or 0.5%"))
        #expect(!description.contains("\n"))
    }

    @Test func `A growth by exactly the tolerance is tolerated, and of nothing none is`() throws {
        #expect(try !Tolerance("3").isExceeded(by: 3, of: 100))
        #expect(try Tolerance("3").isExceeded(by: 4, of: 100))
        #expect(try !Tolerance("0").isExceeded(by: 0, of: 100))
        #expect(try Tolerance("0").isExceeded(by: 1, of: .max))
        #expect(try !Tolerance("50").isExceeded(by: 0, of: 0))
        #expect(try Tolerance("50").isExceeded(by: 1, of: 0))
    }
}

@Suite struct ComparedReportTests {
    /// Expects that `text` is refused, and returns the error message.
    private func refusal(_ text: String) throws -> String {
        let error = #expect(throws: TapLatencyError.self) {
            try ComparedReport(json: Array(text.utf8), called: "main.json")
        }
        let description = try #require(error?.description)
        #expect(!description.contains("\n"))
        return description
    }

    @Test(arguments: [
        "", " \n", "no report", "{]}", "[1, 2]", "{}", "7", #"{"handler": "shipping"}"#,
        #"{"legacy": {"format": 2}, "shipping": {}}"#, #"{"format": 2, "handler": "x"}"#,
    ])
    func `What is no report is refused with what to do`(text: String) throws {
        let why = "it is no report of the lab, or a part of one: write it with tapline lab --json"
        #expect(try refusal(text) == "main.json: \(why)")
    }

    @Test func `A report of another format is refused with what to do`() throws {
        let why = "its format is 1, and this tapline reads 2: measure both reports with the same tapline"
        #expect(try refusal(#"{"format": 1, "handler": "shipping"}"#) == "main.json: \(why)")
    }

    @Test func `A report that was cut anywhere is refused, and bytes that are no text`() throws {
        #expect(throws: TapLatencyError.self) {
            try ComparedReport(json: [0x7B, 0xFF, 0xFE, 0x7D], called: "main.json")
        }
        for bytes in [TapReport.shippingSample.json, LabReport.sample.json] {
            for share in 1...20 {
                let cut = bytes[..<(bytes.count * share / 21)]
                #expect(throws: TapLatencyError.self) { try ComparedReport(json: Array(cut), called: "main.json") }
            }
        }
    }

    @Test func `A figure that is none is refused`() throws {
        let text = String(decoding: TapReport.shippingSample.json, as: UTF8.self)
        for figure in ["-1", #""long""#, #"2631, "p99" : 1"#] {
            let other = text.replacingOccurrences(of: #""p99" : 2631"#, with: #""p99" : \#(figure)"#)
            #expect(try refusal(other).contains("it is no report of the lab"))
        }
    }

    @Test func `A measured report is read as it was written`() throws {
        let report = try measure(ShippingHandler(), taps: 2)
        #expect(!report.profileNumbers.isEmpty)
        let read = try #require(ComparedReport(json: report.json, called: "a").handlers.first)
        #expect(read.marks == report.marks)
        #expect(read.stages.map(\.time) == report.stages.map(\.time))
        #expect(read.profileNumbers == report.profileNumbers)
    }
}
