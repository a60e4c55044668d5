import DeviceModel
import Testing
import WatchLink

@testable import TerminalWatch

struct FaultHintsTests {
    @Test func `each fault has a key, and what it is is said`() {
        var faults = WatchFaults()
        for entry in Fault.allCases where entry != .none {
            #expect(Fault(key: entry.key) == entry)
            faults.make(entry.next(after: faults), at: .start)
        }
        #expect(
            faults.words == [
                "link cut", "loss 10 %", "jitter 20 ms", "phone delay 500 ms", "slowest flash", "battery low",
            ])
        #expect(KeyMap.hints(faults).first?.meaning == "link loss      10 %")
        faults.make(Fault.none.next(after: faults), at: .start)
        #expect(faults.words == [])
        #expect(Fault(key: "9") == nil)
    }
}
