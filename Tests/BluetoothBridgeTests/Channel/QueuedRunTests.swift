import BluetoothBridgeTesting
import Foundation
import HostSystem
import Logging
import Testing
import WatchLink
import Wormhole

@testable import BluetoothBridge

/// One side of a run: an endpoint over a radio link, its store in a file, and the numbers that were applied.
private struct Side {
    let endpoint: Wormhole
    let store: MessageStore
    let applied = Published<[Int]>([])

    init(_ role: LinkRole, _ source: ChannelSource, path: String) async throws {
        store = try MessageStore(path: path, durability: .processCrash) { [applied] message throws(WormholeError) in
            guard case .queued(_, let payload) = message.content else { return .applied }
            let number = try MessageDecoder().decode(Int.self, from: payload)
            applied.update { $0.append(number) }
            return .applied
        }
        endpoint = Wormhole(source, store: store, configuration: WormholeConfiguration(role: role))
        try await endpoint.start()
    }

    /// Returns once the other side is reached, or is not any more.
    func waitForPeer(isReachable: Bool = true) async {
        for await change in endpoint.reachabilityChanges() where change.reachability.isReachable == isReachable {
            return
        }
    }

    func wait(for count: Int) async {
        for await numbers in applied.values() where numbers.count >= count { return }
    }

    func close() async {
        await endpoint.close()
        store.close()
    }
}

extension AdapterTests {
    struct QueuedRunTests {
        private let air: Air

        init() throws {
            air = try Air()
            try air.bond(.numericComparison)
        }

        @Test(arguments: [100])
        func `100 messages each way are applied once and in order while the adapters go off and on`(count: Int)
            async throws
        {
            let directory = FileManager.default.temporaryDirectory.appending(path: "queued-run-\(UUID())").path
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: directory) }
            let listener = try L2CAPListener(on: air.watch.address)
            let watch = try await Side(.watch, .listens(listener), path: directory + "/watch")
            let phone = try await Side(
                .phone, .connects(air.connector(to: listener.psm)), path: directory + "/phone")
            await watch.waitForPeer()
            await phone.waitForPeer()
            async let passing: Void = Self.pass(count, watch, phone)
            for progress in 1...3 {
                // Both have messages of this connection by now, and have more to send.
                await phone.wait(for: progress * count / 5)
                await watch.wait(for: progress * count / 5)
                // Both, because the virtual controllers never end a connection whose other end was reset; and never while they
                // connect, because closing a socket whose connection has come to nothing brings Linux 6.1.192 down.
                try air.power(false, air.phone)
                try air.power(false, air.watch)
                await phone.waitForPeer(isReachable: false)
                await watch.waitForPeer(isReachable: false)
                try air.power(true, air.watch)
                try air.power(true, air.phone)
                await phone.waitForPeer()
                await watch.waitForPeer()
            }
            try await passing
            await phone.wait(for: count)
            await watch.wait(for: count)
            #expect(phone.applied.value == Array(0..<count))
            #expect(watch.applied.value == Array(0..<count))
            await watch.close()
            await phone.close()
            #expect(phone.applied.value.count == count && watch.applied.value.count == count)
        }

        private static func pass(_ count: Int, _ watch: Side, _ phone: Side) async throws {
            for number in 0..<count {
                try await watch.endpoint.pass(number, under: "number", delivery: .queued)
                try await phone.endpoint.pass(number, under: "number", delivery: .queued)
            }
        }
    }
}
