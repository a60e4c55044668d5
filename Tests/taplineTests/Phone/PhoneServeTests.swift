import Foundation
import Synchronization
import Testing
import Wormhole
import WormholeTesting

/// `tapline phone serve` as a process, with a watch at its real socket.
@Suite(.timeLimit(.minutes(60))) struct PhoneServeTests {
    private struct Check: Codable, Sendable {
        var item: UInt32
        var localTime: UInt32 = 0
        var tap: UInt32

        enum CodingKeys: Int, CodingKey {
            case item = 0
            case localTime = 1
            case tap = 2
        }
    }

    let tool: PhoneTool

    init() throws {
        tool = try PhoneTool()
    }

    private func watch() -> Wormhole {
        Wormhole(
            .connects(UnixConnector(path: "\(tool.sockets)/watch.sock")), store: MessageStore.inMemory(),
            configuration: WormholeConfiguration(role: .watch, name: "Wrist"))
    }

    private func items() async throws -> [(id: UInt32, title: String)] {
        struct List: Decodable {
            struct Item: Decodable {
                var id: UInt32
                var title: String
            }
            var items: [Item]
        }
        let output = try await tool.run("list", "--json").output
        return try JSONDecoder().decode(List.self, from: Data(output.utf8)).items.map { ($0.id, $0.title) }
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a host says when it is ready and stops in order`(signal: Int32) async throws {
        let (host, ready) = try await tool.serve()
        #expect(ready == "Serving \(tool.database) at \(tool.sockets)/watch.sock")
        #expect(FileManager.default.fileExists(atPath: "\(tool.sockets)/watch.sock"))
        #expect(await host.end(signal) == 0)
        #expect(!FileManager.default.fileExists(atPath: "\(tool.sockets)/watch.sock"))
        #expect(!FileManager.default.fileExists(atPath: "\(tool.database)-wal"), "the database is closed")
    }

    @Test func `a host whose log nobody reads serves and stops all the same`() async throws {
        let log = try UnreadPipe()
        let (host, _) = try await tool.serve(log: log.writing)
        #expect(try await tool.run("add", "Milk").status == 0)
        #expect(await host.end(SIGTERM) == 0)
    }

    @Test func `a program can read that it is ready`() async throws {
        let (host, ready) = try await tool.serve("--json")
        let line = try #require(try JSONSerialization.jsonObject(with: Data(ready.utf8)) as? [String: Any])
        #expect(line["process"] as? Int == Int(host.identifier))
        #expect(line["socket"] as? String == "\(tool.sockets)/watch.sock")
        _ = await host.end(SIGTERM)
    }

    @Test func `a second host is told who serves`() async throws {
        let (host, _) = try await tool.serve()
        let second = try await tool.run("serve")
        #expect(second.status == 1)
        #expect(second.error.hasPrefix("Error: already served by process \(host.identifier): "))
        _ = await host.end(SIGTERM)
    }

    @Test func `a host that was killed leaves nothing in the way of the next`() async throws {
        let (first, _) = try await tool.serve()
        #expect(await first.end(SIGKILL) == -SIGKILL)
        let (second, _) = try await tool.serve()
        #expect(await second.end(SIGTERM) == 0)
    }

    @Test func `a watch is listed, forgotten while the host serves, and told so`() async throws {
        let (host, _) = try await tool.serve()
        #expect(try await tool.run("watches").output == "")
        _ = try await tool.run("add", "Milk")
        let watch = watch()
        try await watch.start()
        for await change in watch.reachabilityChanges() where change.reachability.isReachable { break }
        let item = try #require(try await items().first).id
        let handle = try await watch.pass(
            Check(item: item, tap: 1), under: "check", delivery: .queued, to: .only(.phone))
        _ = await handle?.finalFates()
        await watch.close()
        let line = try #require(try await tool.run("watches").lines.first)
        #expect(line.hasSuffix("waiting  Wrist"))
        let identity = String(line.prefix(16))
        #expect(try await tool.run("history").output.contains("(watch \(identity), message 1)"))
        let nobody = try await tool.run("forget", "nobody")
        #expect(nobody.status == 1)
        #expect(
            nobody.error
                == "Error: no watch matches \"nobody\": give its name, or four digits or more, as `tapline phone watches` shows them\n"
        )
        let forgotten = try await tool.run("forget", "wrist")
        #expect(forgotten.status == 0 && forgotten.output.hasPrefix("Forgot watch \(identity) \"Wrist\""))
        #expect(try await tool.run("watches").output == "")
        #expect(try await tool.run("history").output.contains("(forgotten watch \(identity), message 1)"))
        _ = await host.end(SIGTERM)
    }

    @Test func `commands reach a watch while a host serves`() async throws {
        let (host, _) = try await tool.serve()
        let watch = watch()
        let lists = watch.messages(withPrefix: "list")
        try await watch.start()
        var heard = lists.makeAsyncIterator()
        #expect(await heard.next()?.payload == [0xA2, 0, 0, 1, 0x81, 0x81, 0], "an empty list is a clear")
        _ = try await tool.run("add", "Milk")
        let message = try #require(await heard.next())
        #expect(String(decoding: message.payload, as: UTF8.self).contains("Milk"))
        await watch.close()
        #expect(await host.end(SIGTERM) == 0)
    }

    @Test func `fifty check-offs are in the history once each although the host is killed three times`() async throws {
        let lines = (1...60).map { "item \($0)\n" }.joined()
        _ = try await tool.run("import", "-", input: lines)
        let ids = try await items().prefix(50).map(\.id)
        var (host, _) = try await tool.serve()
        let watch = watch()
        try await watch.start()
        var handles: [MessageHandle?] = []
        for (index, id) in ids.enumerated() {
            handles.append(
                try await watch.pass(
                    Check(item: id, tap: UInt32(index + 1)), under: "check", delivery: .queued, to: .only(.phone)))
            if [10, 25, 40].contains(index) {
                // In the middle of the burst: what came before is sent, applied or acknowledged by now, or not.
                _ = await host.end(SIGKILL)
                (host, _) = try await tool.serve()
            }
        }
        for handle in handles { _ = await handle?.finalFates() }
        await watch.close()
        #expect(await host.end(SIGTERM) == 0)
        struct Entry: Decodable {
            var id: UInt32
            var event: String
        }
        let output = try await tool.run("history", "--event", "checked", "--event", "repeated", "--json").output
        let history = try JSONDecoder().decode([Entry].self, from: Data(output.utf8))
        #expect(history.map(\.id) == ids)
        #expect(history.allSatisfy { $0.event == "checked" })
        #expect(try await items().count == 10)
    }
}
