import Foundation
import Synchronization
import TestDoubles
import TestSupport
import Testing
import WatchLink

@testable import PhoneHost
@testable import Wormhole

/// A phone's database with one watch, which a test drives step by step and without a link.
final class WatchBench {
    let directory: TemporaryDirectory
    let world = SteppedDependencies()
    let watch = PeerIdentity(rawValue: 0xF00D_0000_0000_0001)
    private(set) var store: PhoneStore
    private(set) var messages: MessageStore
    private(set) var reported = Reported()
    private var nextEpoch: UInt32 = 50

    init() throws {
        directory = TemporaryDirectory()
        store = try PhoneStore(path: directory.file("phone.sqlite"), dependencies: world.dependencies)
        messages = MessageStore(store, report: { [reported] in reported.append($0) })
    }

    /// The news about watches that the phone has reported to its owner since the last restart.
    var notices: [WatchNews.Kind] {
        reported.all.compactMap { if case .noticed(let news) = $0 { news.notice } else { nil } }
    }

    /// Closes the database and opens it for serving, which begins a new run of the phone. If `copy` is given, replaces
    /// the database with it first.
    func restart(with copy: String? = nil) async throws {
        try store.close()
        if let copy {
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path + suffix) }
            try FileManager.default.removeItem(atPath: store.path)
            try FileManager.default.copyItem(atPath: copy, toPath: store.path)
        }
        store = try PhoneStore(path: store.path, dependencies: world.dependencies)
        reported = Reported()
        messages = MessageStore(store, report: { [reported] in reported.append($0) })
        try messages.beginRun(store.dependencies)
    }

    /// Copies the database, and returns the path of the copy. Restarts the phone before and after, which also clears
    /// `notices`.
    func snapshot() async throws -> String {
        let copy = directory.file("copy-\(UInt32.random(in: 0 ... .max)).sqlite")
        try await restart()
        try store.close()
        try FileManager.default.copyItem(atPath: store.path, toPath: copy)
        try await restart()
        return copy
    }

    struct Words {
        var run: UInt32 = 3
        var knows: UInt32?
        var queuedApplied: UInt32 = 0
        var floor: UInt32 = 0
        var floorOrigin: UInt32?
        var issued: UInt32 = 0
        var valuesIssued: UInt32 = 0
        var valuesApplied: UInt32 = 0
        var rows: UInt32?
        var device = TransportPeer.unknown
        var identity: PeerIdentity?
    }

    @discardableResult
    func meet(_ words: Words) async throws -> PeerStreams {
        let identity = words.identity ?? watch
        var hello = Hello(
            role: .watch, identity: identity.rawValue, epoch: words.run, limits: LinkLimits(largestSDU: 512))
        hello.knownEpoch = words.knows
        hello.queuedApplied = words.queuedApplied
        hello.queuedFloor = words.floor
        hello.floorOrigin = words.floorOrigin
        hello.queuedIssued = max(words.issued, words.floor)
        hello.latestIssued = words.valuesIssued
        hello.latestApplied = words.valuesApplied
        if let rows = words.rows { hello.report = .rows(check: rows) }
        nextEpoch += 1
        return try messages.resume(
            identity, handshake: PeerHandshake(hello: hello, largestBody: 500, peer: words.device),
            newEpoch: nextEpoch)
    }

    @discardableResult
    func check(
        _ item: UInt32, _ sequence: UInt32, run: UInt32, origin: UInt32? = nil
    ) async throws -> ApplyOutcome {
        let payload = try MessageEncoder().encode(FakeWatch.Check(item: item, localTime: 5, tap: sequence))
        return try messages.apply(
            InboundMessage(
                peer: watch, epoch: run, origin: origin, sequence: sequence,
                content: .queued(MessageName(.check), payload: payload)))
    }

    func acknowledge(_ queued: UInt32, rows: UInt32? = nil) async throws {
        var acknowledgement = Acknowledgement(queued: queued, latest: 0)
        acknowledgement.rowsCheck = rows
        try messages.acknowledged(acknowledgement, by: watch)
    }

    func forget() async throws {
        _ = try await store.forgetWatch(String(watch.rawValue, radix: 16))
    }

    var issued: UInt32 {
        get async throws { try messages.issued(to: watch).queued }
    }

    func queue(from sequence: UInt32) async throws -> [[UInt8]] {
        var payloads: [[UInt8]] = []
        let last = try await issued
        guard sequence <= last else { return [] }
        for number in sequence...last {
            let message = try #require(try messages.queued(number, to: watch)?.message)
            #expect(message.name == MessageName(.list) && message.bodySize <= 500)
            payloads.append(message.payload)
        }
        return payloads
    }

    func applied(_ model: WatchModel = WatchModel(), from sequence: UInt32) async throws -> WatchModel {
        var model = model
        for payload in try await queue(from: sequence) { try model.apply(payload: payload) }
        return model
    }

    func feed() async throws { _ = try await store.feed([watch]) }

    func add(_ titles: [String]) async throws -> [UInt32] {
        try await store.add(titles.map { ItemDraft(title: try CleanTitle($0)) }).items.map(\.id.rawValue)
    }
}

extension WatchModel {
    var check: UInt32 { RowsCheck(rows, more: more).value }
}

final class Reported: Sendable {
    private let events = Mutex<[MessageEvent]>([])

    var all: [MessageEvent] { events.withLock(\.self) }

    func append(_ event: MessageEvent) {
        events.withLock { $0.append(event) }
    }
}
