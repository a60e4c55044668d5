import Testing
import Watch
import WatchLink

@testable import DeviceModel

/// A finger that a resting touch controller sees late means the rows that were on the panel when it came down.
@Suite struct RestingTouchTests {
    /// Only the touch controller takes time.
    private var profile: DeviceProfile {
        var profile = DeviceProfile.instant
        profile.touch = TouchCost(
            scanInterval: .milliseconds(10),
            rest: TouchCost.Rest(after: .seconds(2), scanInterval: .milliseconds(40)))
        return profile
    }

    /// What the phone has checked off after a finger on the second row, at some time after a rest, from above which the phone takes a
    /// row away some time later.
    private func checkOffs(finger: UInt64, removal: UInt64) throws -> [UInt32] {
        let bench = try WatchBench(phone: SimulatedPhone(items: 6), handler: ShippingHandler(), profile: profile)
        bench.connect()
        bench.run(for: .seconds(5) + Microseconds(finger))
        bench.watch.send(.tap(row: 1))
        bench.run(for: Microseconds(removal))
        bench.onPhone { $0.remove(1) }
        bench.run(for: .seconds(1))
        return bench.phone.checkOffs.map(\.id)
    }

    @Test(arguments: Array(stride(from: UInt64(500), to: 40_000, by: 4_000)))
    func `a row that comes under it while it waits is not checked off`(finger: UInt64) throws {
        for removal in stride(from: UInt64(100), to: 39_000, by: 1_300) {
            let found = try checkOffs(finger: finger, removal: removal)
            #expect(found == [2] || found == [], "finger \(finger) µs, removal \(removal) µs later")
        }
    }

    @Test func `a tap after a rest on a panel that stands still counts`() throws {
        #expect(try checkOffs(finger: 700, removal: 100_000) == [2])
    }
}
