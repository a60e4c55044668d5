import Synchronization
import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct ComplicationTests {
    /// A phone with a daily budget of complication pushes, and a watch. `day` is the phone's date, which tests advance.
    private struct Bench {
        let link = InMemoryLink()
        let day: Day
        let phone: Wormhole
        let watch: Wormhole

        init(daily: Int, day: Day = Day(), takes kinds: LinkKinds = .all) {
            self.day = day
            var phoneConfiguration = WormholeConfiguration.quick(.phone)
            phoneConfiguration.complicationsADay = daily
            phoneConfiguration.localDay = { day.present.withLock { $0 } }
            var watchConfiguration = WormholeConfiguration.quick(.watch)
            watchConfiguration.kinds = kinds
            phone = Wormhole(
                .listens(link.listener), store: .inMemory(), configuration: phoneConfiguration, logger: .quiet)
            watch = Wormhole(
                .connects(link.connector), store: .inMemory(), configuration: watchConfiguration, logger: .quiet)
        }

        func start() async throws -> PeerIdentity {
            try await phone.start()
            try await watch.start()
            return try await phone.firstReachablePeer()
        }

        func close() async {
            await watch.close()
            await phone.close()
        }
    }

    private final class Day: Sendable {
        let present = Mutex<UInt32>(20_000)
    }

    private func pass(_ count: Int, over phone: Wormhole, to watch: PeerIdentity) async throws -> [MessageCharge] {
        var charges: [MessageCharge] = []
        for number in 0..<count {
            let handle = try await phone.pass(number, under: "face", delivery: .complication, to: .only(watch))
            charges.append(try #require(handle?.copies[watch]).charge)
        }
        return charges
    }

    @Test
    func `What is beyond the budget of the day falls back to queued: all arrives, once and in order`() async throws {
        let bench = Bench(daily: 3)
        let watch = try await bench.start()
        let heard = bench.watch.messages(withPrefix: "face")
        #expect(try await bench.phone.complicationsLeft(for: watch) == 3)
        let charges = try await pass(5, over: bench.phone, to: watch)
        #expect(charges == [.complication, .complication, .complication, .nothing, .nothing])
        #expect(try await bench.phone.complicationsLeft(for: watch) == 0)
        let messages = try await heard.first(5)
        #expect(try messages.map { try $0.decoded(as: Int.self) } == [0, 1, 2, 3, 4])
        #expect(messages.map(\.delivery) == [.complication, .complication, .complication, .queued, .queued])
        await bench.close()
    }

    @Test func `The next day has a budget of its own, and so has every peer`() async throws {
        let bench = Bench(daily: 2)
        let watch = try await bench.start()
        _ = try await pass(2, over: bench.phone, to: watch)
        #expect(try await bench.phone.complicationsLeft(for: watch) == 0)
        #expect(try await bench.phone.complicationsLeft(for: PeerIdentity(rawValue: 9)) == 2)
        bench.day.present.withLock { $0 += 1 }
        #expect(try await bench.phone.complicationsLeft(for: watch) == 2)
        #expect(try await pass(1, over: bench.phone, to: watch) == [.complication])
        await bench.close()
    }

    @Test func `A peer that takes none gets them as queued messages`() async throws {
        let bench = Bench(daily: 5, takes: .none)
        let watch = try await bench.start()
        let heard = bench.watch.messages(withPrefix: "face")
        #expect(try await pass(1, over: bench.phone, to: watch) == [.complication])
        #expect(try await heard.first(1).map(\.delivery) == [.queued])
        await bench.close()
    }

    @Test func `The budget is 50 a day unless a program says otherwise, and a restart gives none back`() async throws {
        #expect(WormholeConfiguration(role: .phone).complicationsADay == 50)
        let directory = TemporaryDirectory()
        let watch = PeerIdentity(rawValue: 77)
        let payment = ComplicationPayment(day: 20_000, daily: 2)
        let before = try MessageStore(path: directory.file("store"))
        _ = try before.resume(watch, handshake: nil, newEpoch: 5)
        let message = OutboundMessage(name: "face", payload: [1])
        #expect(try before.append(message, to: watch, paying: payment).charge == .complication)
        before.close()
        let store = try MessageStore(path: directory.file("store"))
        #expect(try store.queued(1, to: watch) == .message(message, .complication))
        #expect(try store.append(message, to: watch, paying: payment).charge == .complication)
        #expect(try store.append(message, to: watch, paying: payment).charge == .nothing)
        #expect(try store.outstanding().map(\.delivery) == [.complication, .complication, .queued])
        store.close()
    }
}
