import Testing

@testable import TapLatency

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
