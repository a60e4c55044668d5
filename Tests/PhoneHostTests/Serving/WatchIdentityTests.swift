import TestSupport
import Testing
import WatchLink
import Wormhole
import WormholeTesting

@testable import PhoneHost

@Suite(.timeLimit(.minutes(60))) struct WatchIdentityTests {
    let directory: TemporaryDirectory
    let store: PhoneStore
    let radioLink = InMemoryLink()
    let control = InMemoryLink()
    /// A clock that stands still, so that no link times out while the machine is busy.
    let clock = ManualClock()

    init() throws {
        directory = TemporaryDirectory()
        store = try PhoneStore(path: directory.file("phone.sqlite"))
    }

    private func server() -> PhoneServer {
        PhoneServer(
            store: store, watches: radioLink.listener, control: control.listener, name: "Phone", clock: clock,
            logger: .silent)
    }

    /// Connects and says hello as the watch with this identity. Returns the frames that arrive until the channel is
    /// closed.
    private func sayHello(as identity: UInt64, from device: TransportPeer) async throws -> [[UInt8]] {
        let transport = try await radioLink.connector(of: device).connect()
        let hello = Hello(role: .watch, identity: identity, epoch: 3, limits: LinkLimits(largestSDU: 512))
        try await transport.send(
            try [UInt8](capacity: 128) { writer throws(CBORError) in try ControlFrame.hello(hello).encode(into: &writer)
            })
        var frames: [[UInt8]] = []
        while let frame = try? await transport.receive() { frames.append(frame) }
        return frames
    }

    @Test func `a bonded device that claims the identity of another is sent away, and the other stays connected`()
        async throws
    {
        try await store.add(try drafts("Milk", "Eggs"))
        let server = server()
        try await server.start()
        let connector = radioLink.connector(of: .bondedDevice(address: "00:00:00:00:00:01"))
        let watch = FakeWatch(connector, name: "A", clock: clock)
        try await watch.endpoint.start()
        await watch.wait { $0.titles == ["Milk", "Eggs"] }
        let identity = try #require(await server.connectedWatches.first)
        let frames = try await sayHello(
            as: identity.rawValue, from: .bondedDevice(address: "00:00:00:00:00:02"))
        #expect(frames.count == 1, "no list, no hello")
        let frame = try #require(frames.first)
        guard case .goodbye(let goodbye) = try ControlFrame(frame.span) else {
            return #expect(Bool(false), "a goodbye was expected")
        }
        #expect(goodbye.reason == .refused)
        #expect(await server.connectedWatches == [identity])
        try await watch.check("Milk")
        await watch.wait { $0.titles == ["Eggs"] }
        await watch.endpoint.close()
        await server.stop()
    }

    @Test func `a line about a watch is written once a minute, and sixty about all of them`() {
        var pace = NewsRateLimit()
        let watch = PeerIdentity(rawValue: 1)
        let steps: [(WatchNews.Kind, Microseconds)] = [
            (.sharesIdentity, .zero), (.sharesIdentity, .seconds(59)), (.otherRows, .seconds(59)),
            (.sharesIdentity, .seconds(60)),
        ]
        let isWritten = steps.map { pace.admit(WatchNews(watch, $0.0), at: .start + $0.1) }
        #expect(isWritten == [true, false, true, true])
        let lines = (0..<1_000).filter { number in
            pace.admit(WatchNews(PeerIdentity(rawValue: UInt64(number)), .claimed), at: .start + .seconds(200))
        }
        #expect(lines.count == 60)
        let isTold = pace.admit(WatchNews(watch, .lost(2)), at: .start + .seconds(200))
        #expect(isTold, "a loss is told beside them")
    }
}
