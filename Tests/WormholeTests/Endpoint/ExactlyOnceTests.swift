import Foundation
import Synchronization
import TestSupport
import Testing
import WatchLink

@testable import Wormhole

/// A phone or a watch. Its store is a file, so its endpoint can restart. The store adds each number that it applies to
/// `applied`.
private final class Side: Sendable {
    private struct State {
        var endpoint: Wormhole
        var store: MessageStore
        var passed = 0
    }

    let applied = Recorder<Int>()
    private let path: String
    private let role: LinkRole
    private let air: Air
    private let state: Mutex<State>

    init(_ role: LinkRole, _ air: Air, path: String) async throws {
        self.role = role
        self.air = air
        self.path = path
        let (endpoint, store) = try await Side.make(role, air, path, applied)
        state = Mutex(State(endpoint: endpoint, store: store))
    }

    private static func make(
        _ role: LinkRole, _ air: Air, _ path: String, _ applied: Recorder<Int>
    ) async throws -> (Wormhole, MessageStore) {
        let store = try MessageStore(path: path, durability: .processCrash) { message throws(WormholeError) in
            guard case .queued(_, let payload) = message.content else { return .applied }
            applied.append(try MessageDecoder().decode(Int.self, from: payload))
            return .applied
        }
        let attachment: ChannelSource =
            role == .phone ? .listens(try air.listener()) : .connects(air.connector)
        let endpoint = Wormhole(attachment, store: store, configuration: .quick(role), logger: .quiet)
        try await endpoint.start()
        return (endpoint, store)
    }

    var endpoint: Wormhole { state.withLock { $0.endpoint } }

    @discardableResult
    func pass() async throws -> MessageHandle? {
        let number = state.withLock { state in
            defer { state.passed += 1 }
            return state.passed
        }
        return try await endpoint.pass(number, under: "number", delivery: .queued)
    }

    func restart() async throws {
        let (endpoint, store) = state.withLock { ($0.endpoint, $0.store) }
        await endpoint.close()
        store.close()
        let (nextEndpoint, nextStore) = try await Side.make(role, air, path, applied)
        state.withLock { state in
            state.endpoint = nextEndpoint
            state.store = nextStore
        }
    }

    func close() async {
        let (endpoint, store) = state.withLock { ($0.endpoint, $0.store) }
        await endpoint.close()
        store.close()
    }
}

@Suite(.timeLimit(.minutes(60)))
struct ExactlyOnceTests {
    private static let seeds: [UInt64] = Seed.given.map { [$0] } ?? [1, 2, 3, .random(in: 0 ... .max)]

    @Test(arguments: AirKind.allCases, seeds)
    func `Queued messages are applied once and in order across cuts and restarts of both sides`(
        _ kind: AirKind, _ seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        let count = 150
        let directory = TemporaryDirectory()
        let air = try kind.make()
        let phone = try await Side(.phone, air, path: directory.file("phone"))
        let watch = try await Side(.watch, air, path: directory.file("watch"))
        await watch.endpoint.waitUntilReachable(.phone)
        for number in 0..<count {
            try await watch.pass()
            try await phone.pass()
            switch Int.random(in: 0..<40, using: &random) {
            case 0, 1:
                air.cut()
                if Bool.random(using: &random) { try await watch.restart() }
                air.restore()
            case 2: try await watch.restart()
            case 3: try await phone.restart()
            case 4:
                // The phone's goodbye does not reach the watch, because the air is cut first.
                air.cut()
                try await phone.restart()
                air.restore()
            case 5: await watch.applied.wait(for: number / 2)
            default: break
            }
            for _ in 0..<Int.random(in: 0..<30, using: &random) { await Task.yield() }
        }
        await phone.applied.wait(for: count)
        await watch.applied.wait(for: count)
        #expect(phone.applied.all == Array(0..<count), "seed \(seed)")
        #expect(watch.applied.all == Array(0..<count), "seed \(seed)")
        await watch.close()
        await phone.close()
        #expect(phone.applied.all.count == count && watch.applied.all.count == count, "seed \(seed)")
    }

    /// Replaces the store's file with an older copy, as when a backup is restored.
    @Test(arguments: [LinkRole.phone, .watch])
    func `A side whose store has lost what it sent goes on in a new epoch`(_ role: LinkRole) async throws {
        let directory = TemporaryDirectory()
        let air = try AirKind.memory.make()
        let phone = try await Side(.phone, air, path: directory.file("phone"))
        let watch = try await Side(.watch, air, path: directory.file("watch"))
        let (loser, other) = role == .phone ? (phone, watch) : (watch, phone)
        let path = URL(fileURLWithPath: directory.file(role == .phone ? "phone" : "watch"))
        await watch.endpoint.waitUntilReachable(.phone)
        // The copy must include the outcome of the first message. Otherwise that message is sent again.
        #expect(try await loser.pass()?.finalFates().values.contains(.applied) == true)
        await loser.close()
        let backup = try Data(contentsOf: path)
        try await loser.restart()
        await watch.endpoint.waitUntilReachable(.phone)
        for _ in 0..<4 { try await loser.pass() }
        await other.applied.wait(for: 5)
        await loser.close()
        try backup.write(to: path)
        try await loser.restart()
        for _ in 0..<3 { try await loser.pass() }
        await other.applied.wait(for: 8)
        #expect(other.applied.all == Array(0..<8))
        for _ in 0..<2 { try await other.pass() }
        await loser.applied.wait(for: 2)
        #expect(loser.applied.all == [0, 1])
        await watch.close()
        await phone.close()
    }
}
