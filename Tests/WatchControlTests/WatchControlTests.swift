import DeviceModel
import Foundation
import Glibc
import Testing
import Watch
import Wormhole

@testable import WatchControl

@Suite(.serialized) struct WatchControlTests {
    private let bench: WatchBench<ShippingHandler>
    private let directory: TemporaryPlace

    init() throws {
        bench = try WatchBench(items: 3, handler: ShippingHandler())
        bench.connect()
        bench.run(for: .seconds(5))
        directory = try TemporaryPlace()
    }

    private func answer(to script: String, _ watch: AttachedWatch) async throws -> (
        ControlAnswer.Outcome, [String: Any]
    ) {
        let (line, outcome) = try await watch.run(script, name: "words", directory: "/")
        let object = try JSONSerialization.jsonObject(with: Data(line))
        return (outcome, try #require(object as? [String: Any]))
    }

    /// Attaches to the watch of this bench, and ends both.
    private func attached(_ body: (AttachedWatch) async throws -> Void) async throws {
        let server = try WatchControlServer(bench.watch, in: directory.path)
        let watch = try await AttachedWatch(in: directory.path, process: nil)
        try await body(watch)
        watch.close()
        await server.end()
    }

    @Test func `The words of scripts drive it, and each answer says what it is like then`() async throws {
        try await attached { watch in
            let (outcome, list) = try await answer(to: "expect screen list", watch)
            #expect(outcome == .done)
            let state = try #require(list["watch"] as? [String: Any])
            #expect(state["title"] as? String == "Groceries")
            #expect(state["left"] as? Int == 3)
            let rows = try #require(state["rows"] as? [[String: Any]])
            #expect(rows.map { $0["title"] as? String } == ["Item 1", "Item 2", "Item 3"])
            #expect(rows.map { $0["row"] as? Int } == [1, 2, 3])
            let (_, face) = try await answer(to: "press crown\nexpect screen face", watch)
            #expect((face["watch"] as? [String: Any])?["screen"] as? String == "face")
            #expect(watch.process == getpid())
        }
    }

    @Test func `A touch is answered with the marks of its tap, in the watch's time`() async throws {
        try await attached { watch in
            let script = "tap 1\nwait 1s"
            let (outcome, object) = try await answer(to: script, watch)
            #expect(outcome == .done)
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
            let (outcome, missed) = try await answer(to: "expect screen face", watch)
            #expect(outcome == .failed)
            #expect((missed["error"] as? String)?.hasPrefix("words:1: ") == true)
            let (again, unknown) = try await answer(to: "describe\njump", watch)
            #expect(again == .failed)
            #expect((unknown["error"] as? String)?.hasPrefix("words:2: ") == true)
            #expect(try await answer(to: "expect screen list", watch).0 == .done)
        }
    }

    @Test func `Something that is no request is answered, and nothing is done`() {
        let bytes = ControlSession(device: bench.watch, formats: []).answer(to: Array("tap 1".utf8))
        #expect(ControlAnswer.outcome(in: bytes) == .failed)
        #expect(bench.watch.sent == InputNumber(0))
    }

    @Test func `A request that is too long is an error with the limit`() async throws {
        try await attached { watch in
            let script = String(repeating: "describe\n", count: 20_000)
            await #expect(throws: WatchControlError.self) {
                _ = try await watch.run(script, name: "words", directory: "/")
            }
            let (after, _) = try await answer(to: "describe", watch)
            #expect(after == .done)
        }
    }

    @Test func `Several programs drive it at once`() async throws {
        try await attached { first in
            let second = try await AttachedWatch(in: directory.path, process: getpid())
            #expect(try await answer(to: "press crown\nexpect screen face", second).0 == .done)
            #expect(try await answer(to: "expect screen face", first).0 == .done)
            second.close()
        }
    }

    @Test func `Where no watch runs, that is said, also where one was killed`() async throws {
        await #expect(throws: WatchControlError.noWatch(directory: directory.path)) {
            _ = try await AttachedWatch(in: directory.path, process: nil)
        }
        let missing = directory.path + "/missing"
        await #expect(throws: WatchControlError.noWatch(directory: missing)) {
            _ = try await AttachedWatch(in: missing, process: nil)
        }
        #expect(!FileManager.default.fileExists(atPath: missing))
        let left = try ControlDirectory(path: directory.path).path(of: 1)
        try Data().write(to: URL(filePath: left))
        await #expect(throws: WatchControlError.noWatch(directory: directory.path)) {
            _ = try await AttachedWatch(in: directory.path, process: nil)
        }
        await #expect(throws: WatchControlError.notAWatch(process: 1, running: [])) {
            _ = try await AttachedWatch(in: directory.path, process: 1)
        }
    }

    @Test func `A watch that ends leaves no file, and the next one removes what a killed one has left`() async throws {
        let left = try ControlDirectory(path: directory.path).path(of: 1)
        try Data().write(to: URL(filePath: left))
        try await attached { _ in }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    @Test func `A watch that ends while a program is attached is said to have ended`() async throws {
        let server = try WatchControlServer(bench.watch, in: directory.path)
        let watch = try await AttachedWatch(in: directory.path, process: nil)
        _ = try await answer(to: "describe", watch)
        await server.end()
        await #expect(throws: WatchControlError.ended) {
            _ = try await watch.run("describe", name: "words", directory: "/")
        }
    }
}

/// A directory of this user alone, which goes with it.
private final class TemporaryPlace: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/control-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
