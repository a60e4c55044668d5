import Testing
import WatchLink
import Wormhole

@testable import PhoneHost

@Suite struct WatchBondTests {
    let bench: WatchBench
    private let first = TransportPeer.bondedDevice(address: "00:00:00:00:00:01")
    private let second = TransportPeer.bondedDevice(address: "00:00:00:00:00:02")
    private let socket = TransportPeer.process(user: 1_000, number: 7)
    private let other = PeerIdentity(rawValue: 77)

    init() throws {
        bench = try WatchBench()
    }

    @Test func `another bonded watch that claims the identity is refused, and changes nothing`() async throws {
        try await bench.store.add(try drafts("Milk"))
        try await bench.meet(.init(device: first))
        #expect(try bench.messages.admits(bench.watch, from: first))
        let watches = try await bench.store.watches()
        #expect(try bench.messages.admits(bench.watch, from: second) == false)
        #expect(bench.notices == [.claimed])
        await #expect(throws: WormholeError.self) { try await bench.meet(.init(device: second)) }
        #expect(try await bench.store.watches() == watches)
        #expect(try bench.messages.queued(1, to: bench.watch) != nil, "the queue is as it was")
    }

    @Test func `a bond with a new identity has lost its old one`() async throws {
        try await bench.meet(.init(device: first))
        try await bench.meet(.init(device: first, identity: other))
        #expect(try bench.messages.peers() == [other])
        #expect(bench.notices == [.succeeded(by: other)])
        #expect(try bench.messages.admits(bench.watch, from: second), "its identity is free")
    }

    @Test func `a watch that was known before bonds were is bound to the first that it comes over`() async throws {
        try await bench.meet(.init())
        try await bench.meet(.init(device: first))
        #expect(try bench.messages.admits(bench.watch, from: second) == false)
    }

    @Test func `a socket of this machine neither sets a bond nor checks one`() async throws {
        try await bench.meet(.init(device: socket))
        #expect(try bench.messages.admits(bench.watch, from: second))
        try await bench.meet(.init(device: first))
        #expect(try bench.messages.admits(bench.watch, from: socket))
        try await bench.meet(.init(device: socket))
        #expect(try bench.messages.admits(bench.watch, from: second) == false, "the bond is kept")
    }

    @Test func `bonded watches do not count as watches of sockets`() async throws {
        try await bench.meet(.init(device: first))
        for number in 1...300 {
            bench.world.advance(seconds: 1)
            try await bench.meet(.init(identity: PeerIdentity(rawValue: UInt64(number))))
        }
        #expect(try bench.messages.peers().contains(bench.watch))
        #expect(try bench.messages.peers().count == 257)
    }
}
