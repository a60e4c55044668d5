import Foundation
import Testing

@testable import Emulator
@testable import TapLatency

struct FlameGraphTests {
    @Test func `a folded line is the way from the handler to the function, and its cycles`() {
        var report = TapReport.executedSample
        report.stages[0].name = "list;model"
        let lines = String(decoding: [report].foldedStacks, as: UTF8.self).split(separator: "\n")
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

    @Test func `the JSON has each function with its label and what it spent, and who called whom`() throws {
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(TapReport.executedSample.json)) as? [String: Any])
        let around = try #require(report["aroundStages"] as? [String: Any])
        let functions = try #require(around["functions"] as? [[String: Any]])
        #expect(functions.map { $0["name"] as? String } == CallProfile.sample.names)
        #expect(functions.map { $0["label"] as? String } == ["Glyphs.next", "Frame.draw", "Title.run", "memset"])
        #expect(functions.map { $0["ownCycles"] as? Int } == [700, 198, 100, 2])
        let calls = try #require(around["calls"] as? [[String: Any]])
        #expect(calls.map { $0["caller"] as? Int } == [nil, 0, 1, 0])
    }

    @Test func `a report that was counted has no functions, and says nothing of them`() {
        #expect([TapReport.shippingSample].foldedStacks == [])
        #expect(!String(decoding: TapReport.shippingSample.json, as: UTF8.self).contains("functions"))
    }

    @Test func `the stages that count are named with what spends most in them`() throws {
        var report = TapReport.executedSample
        report.stages[1].code = CallProfile(
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

struct FunctionLabelTests {
    @Test(arguments: [
        ("Watch.GlyphReader.next()", "GlyphReader.next"),
        ("static Watch.ListModel.run(_: Watch.Tap, on: inout Watch.WatchCore<A>)", "ListModel.run"),
        ("Watch.WatchData.remaining.getter : UInt32", "WatchData.remaining"),
        ("Watch.RowRegion.(baseline in _9448DBA5DF0AB5DB4EDF086E1F4D3EE8).getter : Int", "RowRegion.baseline"),
        ("LabBoard.LabBoard.(report in _CD17)(UInt32, Watch.TapNumber)", "LabBoard.report"),
        ("closure #1 (inout A) -> () in Watch.Journal.append(_: Watch.RecordKind)", "Journal.append"),
        ("__aeabi_memcpy", "__aeabi_memcpy"), ("call_host.6", "call_host.6"), ("memset", "memset"), ("", ""),
    ])
    func `it is the type and the function`(name: String, label: String) {
        #expect(FunctionLabel(name).text == label)
    }

    @Test(arguments: [
        (
            "Watch.Frame.(draw in _34AE)(part: Int, _: Watch.Tables<(A, B)>, at: Watch.Point) -> Int",
            "Frame.draw(part:_:at:)"
        ),
        ("Watch.CRC32.update(UInt8)", "CRC32.update(_:)"), ("Watch.GlyphReader.next()", "GlyphReader.next()"),
        ("Watch.A.map(_: (Int) -> Int, by: Int)", "A.map(_:by:)"), ("memset", nil),
    ])
    func `its selector has the labels of its parameters`(name: String, selector: String?) {
        #expect(FunctionLabel(name).selector == selector)
    }

    @Test func `a private function's file is no part of its name`() {
        #expect(FunctionLabel("Watch.Frame.(draw in _34AE)(Int)").whole == "Watch.Frame.draw(Int)")
    }
}
