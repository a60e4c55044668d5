import DeviceModel
import Testing
import WatchLink

@testable import TerminalWatch

struct FaultMenuTests {
    @Test(arguments: FaultMenu.Entry.allCases)
    func `a fault goes through its sizes and comes back to none`(entry: FaultMenu.Entry) {
        var faults = WatchFaults()
        var sizes: [String] = []
        repeat {
            faults.make(FaultMenu.next(entry, after: faults), at: .start)
            sizes.append(entry.meaning(faults))
        } while !faults.isNone && sizes.count < 10
        #expect(faults.isNone)
        #expect(Set(sizes).count == sizes.count)
    }

    @Test func `each fault has a key, and what it is is said`() {
        var faults = WatchFaults()
        for entry in FaultMenu.Entry.allCases where entry != .none {
            #expect(FaultMenu.Entry(key: entry.key) == entry)
            faults.make(FaultMenu.next(entry, after: faults), at: .start)
        }
        #expect(
            faults.words == [
                "link cut", "loss 10 %", "jitter 20 ms", "slow phone 500 ms", "slowest flash", "battery low",
            ])
        #expect(FaultMenu.hints(faults).first?.meaning == "link loss      10 %")
        faults.make(FaultMenu.next(.none, after: faults), at: .start)
        #expect(faults.words == [])
        #expect(FaultMenu.Entry(key: "9") == nil)
    }
}
