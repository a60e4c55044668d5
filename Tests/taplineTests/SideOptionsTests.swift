import ArgumentParser
import CommandSupport
import Testing

@testable import Wormhole
@testable import tapline

struct SideOptionsTests {
    @Test(arguments: [
        ["--as", "watch", "--link", "bluetooth"], ["--as", "watch", "--link", "bluetooth:hci1", "--pairing"],
        ["--as", "watch", "--sockets", "/tmp/a"], ["--sockets", "/tmp/a", "--link", "bluetooth:hci0"],
        ["--as", "watch", "--link", "bluetooth", "--name", "wrist"], ["--name", "desk"],
    ])
    func `A watch has one link: Bluetooth, or the sockets of a directory; a phone has both`(_ words: [String]) throws {
        let options = try SideOptions.parse(words)
        #expect(options.sockets == (words.contains("--sockets") ? "/tmp/a" : Places.usual.sockets))
    }

    @Test(arguments: [
        (
            ["--as", "watch", "--link", "bluetooth", "--sockets", "/tmp/a"],
            "A watch has one phone: use either --link or --sockets, not both."
        ),
        (["--pairing"], "--pairing needs --as watch; a phone pairs with `tapline pair`."),
        (["--as", "watch", "--pairing"], "--pairing needs --link bluetooth."),
        (
            ["--as", "watch", "--link", "unix:/tmp/a"],
            "--link is bluetooth or bluetooth:ADAPTER; --sockets says where sockets are."
        ),
        (["--name", ""], "--name is 1 to 32 bytes."),
        (["--name", String(repeating: "n", count: 33)], "--name is 1 to 32 bytes."),
    ])
    func `What does not go together is refused in a line that says what does`(_ words: [String], _ message: String) {
        let error = #expect(throws: (any Error).self) { try SideOptions.parse(words) }
        #expect(error.map { SideOptions.message(for: $0) } == message)
    }
}

@Suite struct FileViewTests {
    private let going = FileProgress(done: 256, total: 1_024)
    private let busy = FileProgress(done: 0, total: 1_024, busyFor: 30_000)

    @Test func `the progress line says how much has arrived, or that the peer is busy`() {
        #expect(FileView.words(about: going, "a.pbm") == "25 % of 1.0 KB  a.pbm")
        #expect(FileView.words(about: busy, "a.pbm") == "the peer is busy, offered again in 30s  a.pbm")
    }

    @Test func `in JSON a busy peer is an event`() throws {
        #expect(try FileView.object(going, "a.pbm").line == #"{"done":256,"label":"a.pbm","total":1024}"#)
        #expect(
            try FileView.object(busy, "a.pbm").line
                == #"{"againAfterMilliseconds":30000,"done":0,"event":"busy","label":"a.pbm","total":1024}"#)
    }
}
