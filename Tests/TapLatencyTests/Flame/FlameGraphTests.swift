import Foundation
import MachineWatch
import Testing

@testable import TapLatency

struct FlameGraphTests {
    @Test func `a folded line is the way from the handler to the function, and its cycles`() {
        var report = TapReport.executedSample
        report.stages[0].name = "list;model"
        let lines = String(decoding: FlameGraph(of: [report]).folded, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 12)
        #expect(
            lines.prefix(4) == [
                "shipping;list:model;Watch.Title.run(_: Watch.Tap) 100",
                "shipping;list:model;Watch.Title.run(_: Watch.Tap);Watch.Frame.draw(part: Int) 198",
                "shipping;list:model;Watch.Title.run(_: Watch.Tap);Watch.Frame.draw(part: Int);Watch.Glyphs.next() 700",
                "shipping;list:model;Watch.Title.run(_: Watch.Tap);memset 2",
            ])
        #expect(lines.last == "shipping;around the stages;Watch.Title.run(_: Watch.Tap);memset 2")
    }

    @Test func `a speedscope file has a profile for each stage, whose weights are its cycles`() throws {
        let bytes = FlameGraph(of: [.executedSample, .executedSample]).speedscope
        let file = try JSONDecoder().decode(SpeedscopeFile.self, from: Data(bytes))
        #expect(file.schema == "https://www.speedscope.app/file-format-schema.json")
        let names = ["shipping: list model", "shipping: row removal", "shipping: around the stages"]
        #expect(file.profiles.map(\.name) == names + names)
        for profile in file.profiles {
            #expect(profile.type == "sampled" && profile.unit == "none")
            #expect(profile.endValue == CallProfile.sample.cycles)
            #expect(profile.weights.reduce(0, +) == profile.endValue - profile.startValue)
            #expect(profile.samples.count == profile.weights.count)
            #expect(profile.samples.allSatisfy { $0.allSatisfy(file.shared.frames.indices.contains) })
        }
        // A function is one frame, whichever stages call it.
        #expect(file.shared.frames.map(\.name) == CallProfile.sample.names)
        #expect(file.profiles[0].samples[2] == [2, 1, 0])
    }

    @Test func `the functions of a report survive JSON, and the same reports give the same bytes`() throws {
        let report = TapReport.executedSample
        let read = try JSONDecoder().decode(TapReport.self, from: Data(report.json))
        #expect(read == report)
        #expect(read.json == report.json)
        #expect(FlameGraph(of: [read]).speedscope == FlameGraph(of: [report]).speedscope)
    }

    @Test func `a report that was counted has no functions, and says nothing of them`() {
        #expect(FlameGraph(of: [.shippingSample]).folded == [])
        #expect(!String(decoding: TapReport.shippingSample.json, as: UTF8.self).contains("functions"))
    }

    @Test func `the stages that count are named with what spends most in them`() throws {
        var report = TapReport.executedSample
        report.stages[1].functions = CallProfile(
            names: ["memset"], calls: [CallProfile.Call(function: 0, caller: nil, cycles: 9, instructions: 9)])
        let notable = report.notableStages
        #expect(notable.map(\.part.name) == ["list model"])
        #expect(notable.first?.part.largest(1) == [CodePart.Share(name: "Glyphs.next", cycles: 700, share: 0.7)])
    }

    @Test func `functions with the same label are told apart by their parameters`() {
        let calls = [0, 1, 2, 3].map { CallProfile.Call(function: $0, caller: nil, cycles: 5, instructions: 5) }
        let part = CodePart(
            name: "a", calls: CallProfile(names: ["A.B.c(Int)", "A.B.c(Bool)", "A.B.c(x: Int)", "A.d"], calls: calls))
        #expect(part.largest(9).map(\.name) == ["A.B.c(Int)", "A.B.c(Bool)", "B.c(x:)", "d"])
    }
}
