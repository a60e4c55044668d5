import DeviceModel
import Testing
import WatchLink

@testable import TerminalWatch

struct FaultHintsTests {
    @Test func `each fault has a key, and what it is is said`() {
        var faults = WatchFaults()
        for fault in Fault.all.dropLast() { faults.make(fault.next(faults), at: .start) }
        #expect(
            faults.words == [
                "link cut", "loss 10 %", "jitter 20 ms", "phone delay 500 ms", "slowest flash", "battery low",
            ])
        #expect(KeyMap.hints(faults).first?.meaning == "link loss      10 %")
        faults.make(Fault.none.next(faults), at: .start)
        #expect(faults.words == [])
    }
}
