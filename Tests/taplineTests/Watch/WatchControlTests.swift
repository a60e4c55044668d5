import CommandSupport
import DeviceModel
import Foundation
import TestDoubles
import TestSupport
import Testing
import Watch

@testable import Wormhole
@testable import tapline

@Suite(.serialized) struct WatchControlTests {
    private let bench: WatchBench<ShippingHandler>
    private let directory: TemporaryDirectory

    init() throws {
        bench = try WatchBench.connected(items: 3, for: .seconds(5))
        directory = TemporaryDirectory()
    }

    private func answer(to text: String, _ watch: ControlChannel) async throws -> (isDone: Bool, [String: Any]) {
        let (line, isDone) = try await run(text, watch)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["outcome"] as? String == (isDone ? "done" : "failed"))
        return (isDone, object)
    }

    private func run(_ text: String, _ watch: ControlChannel) async throws -> (json: String, isDone: Bool) {
        try await AttachedShell.run(text, name: "words", directory: "/", on: watch)
    }

    private func socket(of process: Int32) throws -> String {
        ControlSocket.simulatedWatch(process: process).path(in: try SocketDirectory(path: directory.path))
    }

    /// Attaches to the watch of this bench, and ends both.
    private func attached(_ body: (ControlChannel) async throws -> Void) async throws {
        let server = try WatchControl(bench.watch, in: directory.path)
        let watch = try await AttachedShell.connect(to: nil, in: directory.path)
        try await body(watch)
        watch.close()
        await server.end()
    }

    @Test func `The words of scripts drive it, and each answer says what it is like then`() async throws {
        try await attached { watch in
            let (isDone, list) = try await answer(to: "expect screen list", watch)
            #expect(isDone)
            let state = try #require(list["watch"] as? [String: Any])
            #expect(state["title"] as? String == "Groceries")
            #expect(state["left"] as? Int == 3)
            let rows = try #require(state["rows"] as? [[String: Any]])
            #expect(rows.map { $0["title"] as? String } == ["Item 1", "Item 2", "Item 3"])
            #expect(rows.map { $0["row"] as? Int } == [1, 2, 3])
            let (_, face) = try await answer(to: "press crown\nexpect screen face", watch)
            #expect((face["watch"] as? [String: Any])?["screen"] as? String == "face")
        }
    }

    @Test func `A touch is answered with the marks of its tap, in the watch's time`() async throws {
        try await attached { watch in
            let (isDone, object) = try await answer(to: "tap 1\nwait 1s", watch)
            #expect(isDone)
            let state = try #require(object["watch"] as? [String: Any])
            let tap = try #require(state["tap"] as? [String: Any])
            #expect(tap["number"] as? Int == 1)
            let times = try #require(tap["microseconds"] as? [String: Int])
            let updated = try #require(bench.snapshot.taps.last?.tapToUpdate)
            #expect(times["updated"] == Int(updated.count))
            #expect(
                Set(times.keys) == ["handled", "updated", "settled", "durable", "sent", "committed", "acknowledged"])
            #expect(state["haptics"] as? Int == 1)
        }
    }

    @Test func `What a line prints is in the answer`() async throws {
        try await attached { watch in
            let (_, object) = try await answer(to: "describe", watch)
            #expect((object["output"] as? String)?.hasPrefix("Groceries, 3 left") == true)
            #expect(object["error"] == nil)
        }
    }

    @Test
    func `An expectation that is not met and a word that is none are errors, and the watch goes on`() async throws {
        try await attached { watch in
            let (isMet, missed) = try await answer(to: "expect screen face", watch)
            #expect(!isMet)
            #expect((missed["error"] as? String)?.hasPrefix("words:1: ") == true)
            let (isKnown, unknown) = try await answer(to: "describe\njump", watch)
            #expect(!isKnown)
            #expect((unknown["error"] as? String)?.hasPrefix("words:2: ") == true)
            #expect(try await answer(to: "expect screen list", watch).isDone == true)
        }
    }

    @Test func `A request that is no script fails, and nothing is done`() async throws {
        try await attached { watch in
            try await watch.send(.read(nil))
            guard case .failed = try await watch.receive() else { throw WormholeError.closed }
            #expect(bench.watch.sent == InputNumber(0))
        }
    }

    @Test func `A request that is too long is an error with the limit`() async throws {
        try await attached { watch in
            let script = String(repeating: "describe\n", count: 20_000)
            let error = await #expect(throws: CommandFailure.self) { try await run(script, watch) }
            #expect(error?.description.hasPrefix("\(script.utf8.count + 6) bytes are too long for a watch") == true)
            let (isDone, _) = try await answer(to: "describe", watch)
            #expect(isDone)
        }
    }

    @Test func `Several programs drive it at once`() async throws {
        try await attached { first in
            let second = try await AttachedShell.connect(to: getpid(), in: directory.path)
            #expect(try await answer(to: "press crown\nexpect screen face", second).isDone == true)
            #expect(try await answer(to: "expect screen face", first).isDone == true)
            second.close()
        }
    }

    @Test func `Where no watch runs, that is said, also where one was killed`() async throws {
        func expectFailure(_ process: Int32?, in path: String, _ message: String) async {
            await #expect(throws: CommandFailure(message)) { try await AttachedShell.connect(to: process, in: path) }
        }
        let none = "no watch is running with sockets in \(directory.path): start one with tapline watch"
        await expectFailure(nil, in: directory.path, none)
        let missing = directory.path + "/missing"
        await expectFailure(nil, in: missing, none.replacing(directory.path, with: missing))
        #expect(!FileManager.default.fileExists(atPath: missing))
        try Data().write(to: URL(filePath: try socket(of: 1)))
        await expectFailure(nil, in: directory.path, none)
        await expectFailure(
            1, in: directory.path,
            "process 1 is no watch, and no other process is: start one with tapline watch")
    }

    @Test func `A watch that ends leaves no file, and the next one removes what a killed one has left`() async throws {
        let left = try socket(of: 1)
        try Data().write(to: URL(filePath: left))
        try await attached { _ in }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    @Test func `A watch that ends while a program is attached is said to have ended`() async throws {
        let server = try WatchControl(bench.watch, in: directory.path)
        let watch = try await AttachedShell.connect(to: nil, in: directory.path)
        _ = try await answer(to: "describe", watch)
        await server.end()
        await #expect(throws: CommandFailure("the watch has ended")) { try await run("describe", watch) }
    }
}
