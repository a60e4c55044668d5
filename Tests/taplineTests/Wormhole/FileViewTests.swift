import Testing

@testable import Wormhole
@testable import tapline

@Suite struct FileViewTests {
    private let going = FileProgress(done: 256, total: 1_024)
    private let busy = FileProgress(done: 0, total: 1_024, busyFor: 30_000)

    @Test func `the progress line says how much has arrived, or that the peer is busy`() {
        #expect(FileView.words(about: going, "a.pbm") == "25 % of 1.0 KB  a.pbm")
        #expect(FileView.words(about: busy, "a.pbm") == "the peer is busy, offered again in 30s  a.pbm")
    }

    @Test func `in JSON a busy peer is an event`() {
        #expect(FileView.fields(of: going, "a.pbm") == ["label": "\"a.pbm\"", "done": "256", "total": "1024"])
        #expect(
            FileView.fields(of: busy, "a.pbm") == [
                "label": "\"a.pbm\"", "done": "0", "total": "1024", "event": "\"busy\"",
                "againAfterMilliseconds": "30000",
            ])
    }
}
