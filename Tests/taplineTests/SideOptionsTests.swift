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

@Suite struct NegativeNumberTests {
    private func parsed(_ words: String...) throws -> any ParsableCommand {
        try Tapline.parseAsRoot(WormholeCommand.wordsWithNegativeNumbers(["wormhole"] + words))
    }

    @Test func `a negative number is a value wherever it stands`() throws {
        let passed = [
            try parsed("pass", "temp", "-5"), try parsed("pass", "temp", "-5", "--as", "watch"),
            try parsed("pass", "--as", "watch", "temp", "-5"), try parsed("pass", "temp", "--json", "-5"),
            try parsed("pass", "temp", "--", "-5"),
        ]
        for command in passed {
            let command = try #require(command as? PassCommand)
            #expect(command.name == "temp")
            #expect(try JSONText(text: try #require(command.json)).payload == [0x24])
        }
        let question = try #require(try parsed("ask", "temp", "-1.5e3", "--within", "1s") as? AskCommand)
        #expect(try JSONText(text: question.json).payload == JSONText(text: "-1500").payload)
        let file = try #require(try parsed("send", "a", "--about", "-5") as? SendCommand)
        #expect(try JSONText(text: try #require(file.about)).payload == [0x24])
    }

    @Test func `what is no value stays as it was written`() throws {
        #expect(throws: (any Error).self) { try parsed("pass", "-5", "1") }
        #expect(throws: (any Error).self) { try parsed("pass", "--as", "watch", "-5", "1") }
        #expect(throws: (any Error).self) { try parsed("pass", "temp", "-x") }
        for words in [
            ["phone", "add", "-5", "-6"], ["wormhole", "send", "a", "--label", "-5"], ["wormhole", "pass"],
        ] {
            #expect(WormholeCommand.wordsWithNegativeNumbers(words) == words)
        }
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
