import HostSystem
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

/// A watch that listens while its phone connects to it, as over Bluetooth.
@Suite(.timeLimit(.minutes(60)))
struct ListeningWatchTests {
    private func phoneHello() throws -> [UInt8] {
        try datagram(.hello(Hello(role: .phone, identity: 3, epoch: 4, limits: LinkLimits(largestSDU: 512))))
    }

    private func hello(of watch: any DatagramTransport) async throws -> Hello? {
        let datagram = try await watch.receive()
        guard case .hello(let hello) = try ControlFrame(datagram.span) else { return nil }
        return hello
    }

    @Test(arguments: AirKind.allCases)
    func `Messages and questions pass both ways, and again after each cut`(_ kind: AirKind) async throws {
        let air = try kind.make()
        let watch = Wormhole.quick(.watch, .listens(try air.listener()))
        let phone = Wormhole.quick(.phone, .connects(air.connector))
        let answering = [
            try watch.answer("half", of: Int.self) { number, _ in number / 2 },
            try phone.answer("double", of: Int.self) { number, _ in number * 2 },
        ]
        let (scores, checks) = (
            watch.messages(of: Int.self, under: "score"), phone.messages(of: Int.self, under: "check")
        )
        // The phone and the watch have not met yet.
        try await watch.pass(0, under: "check", delivery: .queued)
        for endpoint in [watch, phone] { try await endpoint.start() }
        let identity = try await phone.firstReachablePeer()
        try await phone.pass(0, under: "score", delivery: .queued)
        for number in 1...3 {
            air.cut()
            _ = await watch.waitUntilUnreachable(.phone)
            try await phone.pass(number, under: "score", delivery: .queued)
            try await watch.pass(number, under: "check", delivery: .queued)
            air.restore()
            await watch.waitUntilReachable(.phone)
            #expect(
                try await phone.ask(
                    10, under: "half", for: Int.self, of: identity, within: .halfHour,
                    reaching: .within(.halfHour)) == 5)
            #expect(
                try await watch.ask(
                    10, under: "double", for: Int.self, of: .phone, within: .halfHour,
                    reaching: .within(.halfHour)) == 20)
        }
        #expect(try await scores.first(4) == [0, 1, 2, 3])
        #expect(try await checks.first(4) == [0, 1, 2, 3])
        for answers in answering { answers.end() }
        for endpoint in [phone, watch] { await endpoint.close() }
    }

    @Test func `A phone that connects anew is told what was applied over its older channel, once nothing more is`()
        async throws
    {
        let link = InMemoryLink()
        let begun = Recorder<Int>()
        let end = WaitableState(false)
        let store = MessageStore.inMemory { _ throws(WormholeError) in
            begun.append(1)
            end.block { $0 ? .finish(()) : .wait(microseconds: nil) }
            return .applied
        }
        let watch = Wormhole.quick(.watch, .listens(link.listener), store)
        try await watch.start()
        let older = try await link.connector.connect()
        #expect(try await hello(of: older)?.knownEpoch == nil)
        try await older.send(phoneHello())
        try await older.send([0x11, 0, 0, 0, 0, 1, 0x61, 0x61, 0x00])
        await begun.wait(for: 1)
        let newer = try await link.connector.connect()
        #expect(try newer.receiveAtOnce() == nil)
        end.change { $0 = true }
        while let datagram = try? await older.receive() {
            if case .goodbye(let goodbye)? = try? ControlFrame(datagram.span) { #expect(goodbye.reason == .replaced) }
        }
        let said = try await hello(of: newer)
        #expect(said?.knownEpoch == 4 && said?.queuedApplied == 1)
        #expect(begun.all.count == 1)
        newer.close()
        await watch.close()
    }
}
