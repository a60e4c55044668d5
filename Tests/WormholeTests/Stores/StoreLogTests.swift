import Foundation
import Testing

@testable import Wormhole

@Suite(.timeLimit(.minutes(5)))
struct StoreLogTests {
    private let watch = PeerIdentity(rawValue: 77)

    private func queueLength(_ path: String) async throws -> UInt32 {
        let store = try MessageStore(path: path, durability: .processCrash)
        let length = await store.issued(to: watch).queued
        await store.close()
        return length
    }

    private func fill(_ path: String, _ numbers: ClosedRange<UInt8>) async throws {
        let store = try MessageStore(path: path, durability: .processCrash)
        _ = try await store.resume(watch, handshake: nil, newEpoch: 3)
        for number in numbers { _ = try await store.append(OutboundMessage(name: "m", payload: [number]), to: watch) }
        await store.close()
    }

    @Test("What was kept is there when the file is opened again")
    func reopen() async throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "store")
        try await fill(path, 1...3)
        try await fill(path, 4...5)
        let store = try MessageStore(path: path)
        #expect(await store.queued(5, to: watch) == OutboundMessage(name: "m", payload: [5]))
        #expect(try await store.resume(watch, handshake: nil, newEpoch: 4).epoch == 4, "it is another run")
        #expect(try await store.resume(watch, handshake: nil, newEpoch: 5).epoch == 4)
    }

    @Test("Cut at any byte, the file opens with every step that was whole, and takes more")
    func cutAnywhere() async throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "store")
        try await fill(path, 1...5)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var lengths: [UInt32] = []
        for length in 0...bytes.count {
            try bytes.prefix(length).write(to: URL(fileURLWithPath: path))
            lengths.append(try await queueLength(path))
            try await fill(path, 9...9)
            #expect(try await queueLength(path) == (lengths.last ?? 0) + 1)
        }
        #expect(lengths == lengths.sorted())
        #expect(Set(lengths) == [0, 1, 2, 3, 4, 5])
    }

    @Test("A byte that has changed ends the file there")
    func bitRot() async throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "store")
        try await fill(path, 1...5)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try await queueLength(path) == 4)
    }

    @Test("A file of another kind is refused and left as it is")
    func foreignFile() throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "store")
        let content = Data("# Shopping list\n".utf8)
        try content.write(to: URL(fileURLWithPath: path))
        #expect(throws: WormholeError.storage("\(path) is not a message store")) { try MessageStore(path: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    }

    @Test("One process at a time has a store open")
    func locked() async throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "store")
        let store = try MessageStore(path: path)
        #expect(throws: WormholeError.alreadyServed(path: path, process: ProcessInfo.processInfo.processIdentifier)) {
            try MessageStore(path: path)
        }
        await store.close()
        await #expect(throws: WormholeError.closed) { try await store.identity(proposal: 1) }
        _ = try MessageStore(path: path)
    }

    @Test("A file that has grown is compacted, and nothing is lost")
    func compaction() async throws {
        let directory = TemporaryDirectory()
        let path = directory.path(of: "store")
        let store = try MessageStore(path: path, durability: .processCrash)
        let payload = [UInt8](repeating: 0, count: 1_000)
        for number in 0..<500 {
            let value = payload + [UInt8(truncatingIfNeeded: number)]
            _ = try await store.replace("v", with: value, for: .everyone)
        }
        await store.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count < 2 * StoreLog.smallestCompaction)
        let again = try MessageStore(path: path)
        #expect(await again.currentValue(under: "v") == payload + [UInt8(truncatingIfNeeded: 499)])
        #expect(await again.value(after: 0, for: watch)?.revision == 500)
    }
}
