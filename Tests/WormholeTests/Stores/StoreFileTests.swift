import Foundation
import GRDB
import TestSupport
import Testing

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct StoreFileTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file("store") }
    private let watch = PeerIdentity(rawValue: 77)

    private func fill(_ path: String, _ numbers: ClosedRange<UInt8>) async throws {
        let store = try MessageStore(path: path, durability: .processCrash)
        _ = try store.resume(watch, handshake: nil, newEpoch: 3)
        for number in numbers { _ = try store.append(OutboundMessage(name: "m", payload: [number]), to: watch) }
        store.close()
    }

    @Test func `Of a process that was killed, every message is there whose passing had returned`() async throws {
        let store = try MessageStore(path: path, durability: .processCrash)
        _ = try store.resume(watch, handshake: nil, newEpoch: 3)
        for number in 1...20 as ClosedRange<UInt8> {
            _ = try store.append(OutboundMessage(name: "m", payload: [number]), to: watch)
            // What a kill at this moment leaves: the file and its log, as they are.
            let copy = directory.file("copy\(number)")
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
            let left = try MessageStore(path: copy)
            #expect(try left.issued(to: watch).queued == UInt32(number))
            left.close()
        }
        store.close()
    }

    @Test(arguments: ["", ":memory:"]) func `A store that would be in no file is refused`(path: String) {
        let error = #expect(throws: WormholeError.self) { try MessageStore(path: path) }
        #expect(error?.description.contains("a database needs a file") == true)
        #expect(!FileManager.default.fileExists(atPath: "\(path).lock"), "nothing is created")
    }

    @Test func `A file of another kind, and a database of another program, are refused and left as they are`() throws {
        let (text, songs) = (directory.file("text"), directory.file("songs"))
        try Data(String(repeating: "# Shopping list\n", count: 100).utf8).write(to: URL(fileURLWithPath: text))
        let other = try DatabaseQueue(path: songs)
        try other.write { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
        try other.close()
        for path in [text, songs] {
            let content = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(throws: WormholeError.notAStore(path)) { try MessageStore(path: path) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
        }
    }

    @Test func `A store of another version is refused in a line that says what to do`() async throws {
        try await fill(path, 1...1)
        let other = try DatabaseQueue(path: path)
        try await other.write { try $0.execute(sql: "PRAGMA user_version = 99") }
        try other.close()
        let expected = "\(path) was written by another version of Tapline: use that version, or name another database"
        #expect(throws: WormholeError.storage(expected)) { try MessageStore(path: path) }
    }

    @Test func `A cell that no version writes is an error that names it, and ends nothing`() async throws {
        try await fill(path, 1...1)
        let other = try DatabaseQueue(path: path)
        try await other.write { try $0.execute(sql: "UPDATE peer SET latestApplied = 99999999999") }
        try other.close()
        let store = try MessageStore(path: path)
        let expected = "\(path) has the value 99999999999 in peer.latestApplied, which no version writes"
        #expect(throws: WormholeError.storage(expected)) { try store.issued(to: watch) }
        store.close()
    }

    @Test func `One process at a time has a store open`() async throws {
        let store = try MessageStore(path: path)
        #expect(throws: WormholeError.alreadyServed(path: path, process: ProcessInfo.processInfo.processIdentifier)) {
            try MessageStore(path: path)
        }
        store.close()
        #expect(throws: WormholeError.closed) { try store.identity(proposal: 1) }
        _ = try MessageStore(path: path)
    }

    @Test func `Its files are for their owner alone`() async throws {
        let store = try MessageStore(path: path)
        _ = try store.identity(proposal: 1)
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
        }
        store.close()
    }
}
