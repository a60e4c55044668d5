import DeviceModel
import Glibc
import Testing
import Watch

@testable import TerminalWatch

struct PlainSessionTests {
    private func run(_ commands: String, on watch: FakeWatch) -> (
        output: String, result: Result<ExitReason, TerminalError>
    ) {
        var input: [CInt] = [-1, -1]
        var output: [CInt] = [-1, -1]
        pipe(&input)
        pipe(&output)
        _ = write(input[1], commands, commands.utf8.count)
        close(input[1])
        let result = Result { () throws(TerminalError) -> ExitReason in
            try TerminalSession.run(
                device: watch, label: .sample, mode: .plain,
                descriptors: TerminalSession.Descriptors(input: input[0], output: output[1]))
        }
        close(output[1])
        close(input[0])
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = max(0, read(output[0], &bytes, bytes.count))
        close(output[0])
        return (String(decoding: bytes[..<count], as: UTF8.self), result)
    }

    @Test func `a tap from a pipe is carried out, and the screen is said before and after it`() throws {
        let watch = try FakeWatch()
        watch.letsStruckRowsGo = .atOnce
        let (output, result) = run("tap 1\nquit\n", on: watch)
        #expect(result == .success(.asked))
        #expect(watch.inputs == [Input].tap(row: 0))
        #expect(output.contains("Groceries, 10 left"))
        #expect(output.contains("1 [ ] Milk"))
        #expect(output.contains("Groceries, 9 left"))
        #expect(output.contains("1 [ ] Sourdough bread"))
        #expect(!output.unicodeScalars.contains("\u{1B}"))
    }

    @Test func `a tap while the face is shown opens the list first`() throws {
        let watch = try FakeWatch()
        watch.change { $0.description.screen = .face }
        let (_, result) = run("tap 1\n", on: watch)
        #expect(result == .success(.asked))
        #expect(watch.inputs == [.press(.crown)] + .tap(row: 0))
    }

    @Test func `a phone that does not acknowledge holds up the end, and no command`() throws {
        let watch = try FakeWatch()
        watch.letsStruckRowsGo = .atOnce
        watch.change { $0.description.isSynchronized = false }
        let (_, result) = run("tap 1\ntap 1\ntap 1\nquit\n", on: watch)
        #expect(result == .success(.asked))
        #expect(watch.inputs.count == 6)
        // Two waits timed out: one for the first screen, and one for the last.
        #expect(watch.unmetWaits == 2)
    }

    @Test func `without a phone it is said how to start one`() throws {
        let watch = try FakeWatch()
        watch.change { $0.description.link = .down }
        #expect(run("quit\n", on: watch).output.contains("tapline phone serve"))
    }

    @Test func `the end of the input is as good as quit, even in the middle of a line`() throws {
        let watch = try FakeWatch()
        watch.letsStruckRowsGo = .atOnce
        let (_, result) = run("# a comment\n\ntap 2", on: watch)
        #expect(result == .success(.asked))
        #expect(watch.inputs == [Input].tap(row: 1))
    }

    @Test func `a wrong command from a pipe is an error that names its line`() throws {
        let watch = try FakeWatch()
        let (_, result) = run("press crown\nfly\ntap 2\n", on: watch)
        guard case .failure(.commandFailed(let text)) = result else {
            Issue.record("no error")
            return
        }
        #expect(text.hasPrefix("standard input:2: unknown command \"fly\""))
        #expect(watch.inputs == [.press(.crown)])
    }

    @Test func `a watch that fails by itself ends the session, and says why`() throws {
        let watch = try FakeWatch()
        watch.change { $0.phase = .failed(reason: "the battery is empty") }
        let (_, result) = run("tap 1\nquit\n", on: watch)
        #expect(result == .success(.watchFailed(reason: "the battery is empty")))
        #expect(try result.get().exitStatus == 1)
    }
}

struct PlainRendererTests {
    private var list: ScreenDescription {
        var description = ScreenDescription()
        description.screen = .list
        description.title = "Groceries"
        description.remaining = 3
        description.rows = ["Milk", "Bread", "Eggs"].enumerated().map {
            ScreenDescription.Row(id: UInt32($0.offset), title: $0.element)
        }
        return description
    }

    @Test func `what has not changed is not said again`() {
        var renderer = PlainRenderer()
        _ = renderer.news(in: list)
        #expect(renderer.news(in: list).isEmpty)
        var changed = list
        changed.rows[1].state = .struck
        changed.remaining = 2
        let news = renderer.news(in: changed)
        #expect(news.count == 2)
        #expect(news.contains { $0.contains("Bread") })
        #expect(!news.contains { $0.contains("Milk") })
    }

    @Test func `another screen is said in full`() {
        var renderer = PlainRenderer()
        #expect(renderer.news(in: list) == list.lines)
        var face = list
        face.screen = .face
        #expect(renderer.news(in: face) == face.lines)
    }
}

struct LineReaderTests {
    @Test func `lines come as soon as they are complete, however the bytes are split`() {
        var reader = LineReader()
        #expect(reader.take("tap".utf8).isEmpty)
        #expect(reader.take(" 0\nqu".utf8) == ["tap 0"])
        #expect(reader.take("it\n\n".utf8) == ["quit", ""])
        #expect(reader.end() == nil)
    }

    @Test func `the end of the input ends the last line`() {
        var reader = LineReader()
        _ = reader.take("quit".utf8)
        #expect(reader.end() == "quit")
        #expect(reader.end() == nil)
    }

    @Test func `a line without end does not fill the memory`() {
        var reader = LineReader()
        let lines = reader.take([UInt8](repeating: 0x61, count: 100_000))
        #expect(lines.allSatisfy { $0.utf8.count == LineReader.longestLine })
    }

    @Test func `bytes that are no text are replaced`() {
        var reader = LineReader()
        #expect(reader.take([0xFF, 0x0A]) == ["\u{FFFD}"])
    }
}
