import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct HostilePeerTests {
    private let garbage: [[UInt8]] = [
        [0x00], [0xFF, 0xFF, 0xFF], [0x01], [0x01, 0xA0], [0x01, 0xBF], [0x10, 0, 0, 0, 0, 1], [0x11, 0xFF],
        [UInt8](repeating: 0x9F, count: 400), [0x05, 0xA0], [0x12, 0], [UInt8](repeating: 0xC6, count: 512),
    ]

    private func readToEnd(_ channel: any DatagramTransport) async -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        while let datagram = try? await channel.receive() { datagrams.append(datagram) }
        return datagrams
    }

    @Test(arguments: AirKind.allCases)
    func `Garbage closes its own connection and no other`(_ kind: AirKind) async throws {
        let pair = try await Pair.started(kind)
        for bytes in garbage {
            let channel = try await pair.air.connector.connect()
            try await channel.send(bytes)
            let last = await readToEnd(channel).last
            guard let last, case .goodbye(let goodbye) = try ControlFrame(last.span) else {
                Issue.record("no goodbye after \(bytes)")
                continue
            }
            #expect(goodbye.reason == .protocolFault, "\(bytes)")
        }
        #expect(await pair.watch.reachability(of: .phone).isReachable)
        let heard = pair.watch.messages(of: Int.self, under: "a")
        try await pair.phone.pass(1, under: "a")
        #expect(try await heard.first(1) == [1])
        await pair.close()
    }

    @Test
    func `A datagram longer than the channel carries closes the connection, and the listener lives on`() async throws {
        let directory = TemporaryDirectory()
        let listener = try UnixListener("watch.sock", in: directory.sockets(), largestDatagram: 512)
        let phone = Wormhole.quick(.phone, .listens(listener))
        try await phone.start()
        let channel = try await UnixConnector(path: listener.path, largestDatagram: 8_192).connect()
        try await channel.send([UInt8](repeating: 1, count: 8_000))
        let last = try #require(await readToEnd(channel).last)
        #expect(try ControlFrame(last.span) == .goodbye(Goodbye(.protocolFault, fault: .tooLong)))
        _ = try await UnixConnector(path: listener.path).connect()
        await phone.close()
    }

    @Test func `A phone of another version is unreachable for that reason, with its version`() async throws {
        let link = InMemoryLink()
        let listener = link.listener
        let watch = Wormhole.quick(.watch, .connects(link.connector))
        let found = Task { await watch.waitUntilUnreachable(.phone) }
        try await watch.start()
        let channel = try await listener.accept()
        _ = try await channel.receive()
        try await channel.send([0x01, 0xA1, 0x00, 0x09])
        #expect(await found.value == .closed(.otherVersion(peer: 9)))
        await watch.close()
    }

    @Test func `A body that cannot be read is rejected, and the next message is applied`() async throws {
        let applied = Recorder<UInt32>()
        let store = MessageStore.inMemory { message throws(WormholeError) in
            applied.append(message.sequence)
            return .applied
        }
        let pair = try Pair(.memory, phoneStore: store)
        _ = try pair.watchStore.resume(.phone, handshake: nil, newEpoch: 1)
        _ = try pair.watchStore.append(OutboundMessage(name: "check", payload: [0xFF, 0xFF]), to: .phone)
        let second = try #require(try await pair.watch.pass(2, under: "check", delivery: .queued))
        try await pair.start()
        #expect(await second.finalFates() == [.phone: .applied])
        #expect(applied.all == [2])
        await pair.close()
    }
}
