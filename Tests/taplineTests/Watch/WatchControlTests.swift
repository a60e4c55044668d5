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
                Set(times.keys)
                    == ["handled", "updated", "settled", "durable", "felt", "sent", "committed", "acknowledged"])
            #expect(state["haptics"] as? Int == 1)
        }
    }

    @Test func `A request that is no script fails, and nothing is done`() async throws {
        try await attached { watch in
            try await watch.send(.read(nil))
            guard case .failed = try await watch.receive() else { throw WormholeError.closed }
            #expect(bench.watch.sent == InputNumber(0))
        }
    }

    @Test func `A watch that ends while a program is attached is said to have ended`() async throws {
        let server = try WatchControl(bench.watch, in: directory.path)
        let watch = try await AttachedShell.connect(to: nil, in: directory.path)
        _ = try await answer(to: "describe", watch)
        await server.end()
        await #expect(throws: CommandFailure("the watch has ended")) { try await run("describe", watch) }
    }
}
