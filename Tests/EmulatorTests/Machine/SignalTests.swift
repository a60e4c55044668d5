import Testing

@testable import Emulator

struct SignalTests {
    @Test
    func `Raised events are taken once, in order`() {
        var signals = Signals(now: 5)
        signals.raise(0x4000_0100)
        signals.raise(0x4000_0104)
        #expect(signals.takeRaised() == [0x4000_0100, 0x4000_0104])
        #expect(signals.takeRaised().isEmpty)
    }
}
