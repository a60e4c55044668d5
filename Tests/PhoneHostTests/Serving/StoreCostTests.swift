import Foundation
import TestSupport
import Testing
import WatchLink

@testable import PhoneHost
@testable import Wormhole

/// Measures how long the phone's database takes on this machine. The built-in `PhoneCost` numbers come from here. To
/// run it:
///
///     TAPLINE_MEASURE=1 Tests/unit PhoneHost --filter StoreCostTests
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["TAPLINE_MEASURE"] != nil,
        "it measures this machine, where TAPLINE_MEASURE asks for it"))
struct StoreCostTests {
    private static let rows = 2_000
    private static let turns = 41

    @Test func `what a check-off and a reload of every row take`() async throws {
        let directory = TemporaryDirectory()
        let store = try PhoneStore(
            path: directory.file("phone.sqlite"), dependencies: SteppedDependencies().dependencies)
        let messages = MessageStore(store)
        let items = try await store.add(try drafts(count: Self.rows + Self.turns)).items
        let peer = PeerIdentity(rawValue: 1)
        let hello = Hello(role: .watch, identity: 1, epoch: 3, limits: LinkLimits(largestSDU: 512))
        _ = try messages.resume(peer, handshake: PeerHandshake(hello: hello, largestBody: 506), newEpoch: 50)
        var sequence: UInt32 = 0
        func time(_ name: MessageName, _ payload: [UInt8]) async throws -> Duration {
            sequence += 1
            let message = InboundMessage(
                peer: peer, epoch: 3, sequence: sequence, content: .queued(name, payload: payload))
            let clock = ContinuousClock()
            let start = clock.now
            let outcome: ApplyOutcome = try messages.apply(message)
            let length = clock.now - start
            #expect(outcome == .applied)
            return length
        }
        var (checks, reloads): ([Duration], [Duration]) = ([], [])
        for turn in 0..<Self.turns {
            let check = FakeWatch.Check(item: items[turn].id.rawValue, localTime: 5, tap: 1)
            checks.append(try await time(MessageName(.check), try MessageEncoder().encode(check)))
            let reload = FakeWatch.Reload(token: 1, extent: 1)
            reloads.append(try await time(MessageName(.reload), try MessageEncoder().encode(reload)))
        }
        print("check-off: median \(checks.sorted()[Self.turns / 2]), longest \(checks.max() ?? .zero)")
        print("reload of \(Self.rows) rows: median \(reloads.sorted()[Self.turns / 2])")
    }
}
