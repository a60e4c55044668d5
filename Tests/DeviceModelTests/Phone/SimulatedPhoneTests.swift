import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct SimulatedPhoneTests {
    /// A watch on a radio link that takes 10 ms either way, with a phone whose database takes time.
    private func bench(
        items: Int = 8, _ cost: PhoneCost = PhoneCost(readThousandRows: .milliseconds(20), commit: .milliseconds(5))
    ) throws -> WatchBench<ShippingHandler> {
        var profile = DeviceProfile.instant
        profile.phone = cost
        let bench = try WatchBench(
            phone: SimulatedPhone(items: items), handler: ShippingHandler(), profile: profile,
            datagramTime: .milliseconds(10))
        bench.connect()
        return bench
    }

    private func tap(_ bench: WatchBench<ShippingHandler>) throws -> TapHistory {
        bench.run(for: .seconds(1))
        bench.tap(0)
        bench.run(until: { $0.taps.last?.time(of: .acknowledged) != nil })
        return try #require(bench.snapshot.taps.last)
    }

    @Test func `a check-off is acknowledged when it is committed, and the watch knows when that was`() throws {
        let bench = try bench()
        let tap = try tap(bench)
        let sent = try #require(tap.time(of: .sent))
        let check = try #require(bench.phone.checkOffs.first)
        #expect(check.time == sent + .milliseconds(10))
        #expect(check.committed == sent + .milliseconds(15))
        #expect(tap.time(of: .committed) == check.committed)
        #expect(tap.time(of: .acknowledged) == sent + .milliseconds(25))
    }

    @Test func `a slow database is a fault that comes and goes while it runs`() throws {
        let bench = try bench()
        for (commit, delay, length) in [(20, 0, 20), (5, 300, 305), (10, 1_000, 1_010), (5, 0, 5)]
            as [(UInt32, UInt32, Int)]
        {
            bench.phone.change { $0.cost.commit = .milliseconds(commit) }
            bench.faults.phone = .milliseconds(delay)
            let tap = try tap(bench)
            let check = try #require(bench.phone.checkOffs.last)
            #expect(check.committed - check.time == WatchLink.Microseconds(UInt64(length) * 1_000))
            #expect(tap.time(of: .committed) == check.committed)
        }
    }

    @Test func `a suspended app wakes up before it answers, and runs on until it has nothing to do for long`() throws {
        let suspension = PhoneCost.Suspension(after: .milliseconds(3_500), wakeUp: .milliseconds(300))
        let bench = try bench(
            PhoneCost(readThousandRows: .zero, commit: .milliseconds(5), suspension: suspension))
        /// What a check-off took on the phone that comes when the last one was a while ago.
        func commit(after pause: Microseconds) throws -> Microseconds {
            bench.run(for: pause)
            _ = try tap(bench)
            let check = try #require(bench.phone.checkOffs.last)
            return check.committed - check.time
        }
        // A tap comes a second after the pause. With the connection the app runs.
        #expect(try commit(after: .seconds(1)) == .milliseconds(5))
        #expect(try commit(after: .seconds(2)) == .milliseconds(5))
        #expect(try commit(after: .seconds(3)) == .milliseconds(305))
        #expect(try commit(after: .seconds(2)) == .milliseconds(5))
        #expect(try commit(after: .seconds(30)) == .milliseconds(305))
    }

    @Test func `what comes while a suspended app wakes up waits for it once`() throws {
        let suspension = PhoneCost.Suspension(after: .seconds(3), wakeUp: .milliseconds(300))
        let bench = try bench(
            PhoneCost(readThousandRows: .zero, commit: .milliseconds(5), suspension: suspension))
        bench.run(for: .seconds(10))
        for row in 0..<2 { bench.tap(row) }
        bench.run(until: { $0.description.isSynchronized })
        let checks = bench.phone.checkOffs
        #expect(checks.map { $0.committed - checks[0].time } == [.milliseconds(305), .milliseconds(310)])
    }

    @Test func `transactions come one after the other`() throws {
        let bench = try bench()
        bench.faults.phone = .seconds(1)
        bench.run(for: .seconds(1))
        for row in 0..<3 { bench.tap(row) }
        bench.run(until: { $0.description.isSynchronized })
        let ends = bench.phone.checkOffs.map(\.committed)
        #expect(ends.count == 3)
        #expect(zip(ends, ends.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(1_005) })
    }

    @Test func `what was not committed when the channel went comes again, once`() throws {
        let bench = try bench()
        bench.faults.phone = .seconds(1)
        bench.tap(0)
        bench.run(for: .milliseconds(500))
        bench.radio.cut()
        bench.run(for: .seconds(5))
        #expect(bench.phone.checkOffs.isEmpty)
        bench.connect()
        bench.run(for: .seconds(5))
        #expect(bench.phone.checkOffs.map(\.id) == [1])
        bench.tap(0)
        bench.run(for: .milliseconds(500))
        // A new channel in place of the old one, without a cut between them.
        bench.connect()
        bench.run(for: .seconds(5))
        #expect(bench.phone.checkOffs.map(\.id) == [1, 2])
        #expect(bench.titles == bench.phone.waiting.map(\.title))
    }
}
