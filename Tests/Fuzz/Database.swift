import Foundation
import GRDB
import WatchLink

@testable import PhoneHost
@testable import Wormhole

/// The phone's database with any values in its cells: everything that reads it returns or throws.
func fuzzDatabase(_ input: FuzzInput) {
    let path = "/dev/shm/tapline-fuzz-\(getpid()).sqlite"
    for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
    guard (try? template.write(to: URL(filePath: path))) != nil else { fatalError("no room in /dev/shm") }
    do {
        var input = input
        let raw = try DatabaseQueue(path: path)
        try raw.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            for _ in 0..<6 where !input.isAtEnd { input.change(db) }
        }
        try raw.close()
    } catch {
        fatalError("the test's own connection: \(error)")
    }
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        await readEverything(path)
        isDone.signal()
    }
    isDone.wait()
}

private let watch = PeerIdentity(rawValue: 77)

/// A database with two lists, a history, a watch with a queue and its rows.
private let template: Data = {
    let path = "/dev/shm/tapline-fuzz-template-\(getpid()).sqlite"
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            let store = try PhoneStore(path: path)
            let items = try await store.add(
                [try CleanTitle("Milk"), try CleanTitle("Eggs")].map { ItemDraft(title: $0) })
            try await store.add([ItemDraft(title: try CleanTitle("Nails"))], to: "Hardware store")
            let messages = MessageStore(store)
            _ = try messages.resume(watch, handshake: handshake, newEpoch: 5)
            _ = try messages.apply(check(items.items[0].id.rawValue, sequence: 1))
            _ = try await store.feed([watch])
            try store.close()
        } catch {
            fatalError("the template: \(error)")
        }
        isDone.signal()
    }
    isDone.wait()
    defer { try? FileManager.default.removeItem(atPath: path) }
    return (try? Data(contentsOf: URL(filePath: path))) ?? Data()
}()

private var handshake: PeerHandshake {
    var hello = PeerHello(role: .watch, identity: watch.rawValue, epoch: 3, limits: LinkLimits(largestSDU: 512))
    hello.knownEpoch = 5
    return PeerHandshake(hello: hello, largestBody: 400)
}

private func check(_ item: UInt32, sequence: UInt32) -> InboundMessage {
    let payload = encoded { writer throws(CBORError) in
        try CheckMessage(item: item, localTime: nil, tap: nil).encode(into: &writer)
    }
    return InboundMessage(
        peer: watch, epoch: 3, sequence: sequence, content: .queued(MessageName(.check), payload: payload))
}

private func readEverything(_ path: String) async {
    guard let store = try? PhoneStore(path: path) else { return }
    _ = try? await store.lists()
    let contents = try? await store.contents()
    _ = try? await store.contents(of: "Hardware store")
    _ = try? await store.history()
    _ = try? await store.watches()
    _ = try? await store.feed([watch])
    let messages = MessageStore(store)
    _ = try? messages.identity(proposal: 1)
    let peers = (try? messages.peers()) ?? []
    _ = try? messages.resume(watch, handshake: handshake, newEpoch: 9)
    for peer in peers {
        _ = try? messages.issued(to: peer)
        for sequence in 1...3 as ClosedRange<UInt32> {
            _ = try? messages.queue(to: peer, from: sequence, most: 2)
        }
        _ = try? messages.value(after: 0, for: peer)
        try? messages.acknowledged(Acknowledgement(queued: 1, latest: 1), by: peer)
    }
    for name in (try? messages.namesWithValue()) ?? [] { _ = try? messages.currentValue(under: name) }
    if let item = contents?.items.first {
        _ = try? messages.apply(check(item.id.rawValue, sequence: 2))
        _ = try? await store.apply(ListEdit(item: item.id, action: .uncheck(at: .now)), origin: .phone)
    }
    _ = try? await store.add([ItemDraft(title: CleanTitle("Tea"))])
    _ = try? await store.feed([watch])
    try? store.close()
}

extension FuzzInput {
    private static let columns: [(String, [String])] = [
        ("list", ["number", "name", "changedAt"]),
        ("host", ["activeList"]),
        ("item", ["id", "list", "rank", "title", "addedAt", "checkedAt"]),
        (
            "history",
            ["event", "item", "title", "list", "at", "origin", "watch", "epoch", "sequence", "tap", "localTime"]
        ),
        (
            "watch",
            [
                "identity", "name", "firstMetAt", "lastMetAt", "largestBody", "given", "more", "bond", "reloadAnswer",
                "reloadToken", "reloadExtent", "repairs", "repairedAt",
            ]
        ),
        ("endpoint", ["identity"]),
        (
            "peer",
            [
                "identity", "epoch", "announced", "issued", "acknowledged", "latestAcknowledged", "peerEpoch",
                "queuedApplied", "latestApplied", "floor", "floorOrigin",
            ]
        ),
        ("formerRun", ["number", "peer", "epoch", "queued", "latest"]),
        ("pastRun", ["number", "peer", "epoch", "queued", "latest"]),
        ("forgotten", ["number", "watch", "queuedApplied", "epoch", "epochBefore", "run", "floorOrigin"]),
        ("projection", ["watch", "item", "rank", "title", "cut", "stale"]),
        ("message", ["number", "peer", "sequence", "origin", "name", "payload", "delivery", "fate"]),
        ("value", ["revision", "name", "peer", "payload"]),
        ("mailbox", ["name", "payload"]),
        ("passedValue", ["number", "peer", "name", "digest", "repeatable"]),
    ]

    /// Gives one cell of a table, or the cells of a column, another value.
    fileprivate mutating func change(_ db: Database) {
        let (table, names) = FuzzInput.columns[Int(byte()) % FuzzInput.columns.count]
        let name = names[Int(byte()) % names.count]
        let value: (any DatabaseValueConvertible)?
        switch byte() % 6 {
        case 0: value = nil
        case 1: value = Int64(truncatingIfNeeded: Int8(bitPattern: byte()))
        case 2: value = [Int64.max, .min, 1 << 32, (1 << 32) - 1, 1 << 31, 0, -1][Int(byte()) % 7]
        case 3: value = Int64(bitPattern: longWord())
        case 4: value = Data(bytes(limit: 600))
        default: value = String(decoding: bytes(limit: 100), as: UTF8.self)
        }
        // What the table refuses stays as it is.
        try? db.execute(
            sql: "UPDATE OR IGNORE \(table) SET \(name) = ? WHERE abs(\(name) % 2) = ? OR ? > 1",
            arguments: [value, Int(byte() % 3), Int(byte() % 4)])
    }
}
