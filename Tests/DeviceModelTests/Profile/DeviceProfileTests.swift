import Testing
import WatchLink

@testable import DeviceModel

@Suite struct DeviceProfileTests {
    @Test func `Every built-in profile is found by its name`() {
        #expect(DeviceProfile.builtIn.map(\.name) == ["memory-lcd", "colour-spi", "instant"])
        for profile in DeviceProfile.builtIn { #expect(DeviceProfile.named(profile.name) == profile) }
        #expect(DeviceProfile.named("no such device") == nil)
    }

    @Test func `A line takes 80 us on the memory LCD and a whole frame 13.5 ms`() {
        let panel = DeviceProfile.memoryLCD.panel
        #expect(panel.time(bits: panel.bitsPerLine) == Microseconds(80))
        #expect(panel.time(lines: 2) == Microseconds(168))
        #expect(panel.time(lines: 168) == Microseconds(13_448))
        #expect(panel.time(lines: 0) == .zero)
    }

    @Test func `A line takes 288 us on the colour panel`() {
        let panel = DeviceProfile.colourSPI.panel
        #expect(panel.time(bits: panel.bitsPerLine) == Microseconds(288))
    }

    @Test func `Instructions take their cycles, and a rest of a microsecond is cut off`() {
        let processor = Processor(clockHertz: 64_000_000, cyclesPerInstruction: 1.25)
        #expect(processor.time(instructions: 51) == .zero)
        #expect(processor.time(instructions: 52) == Microseconds(1))
        #expect(processor.time(instructions: 64_000_000) == Microseconds(1_250_000))
    }

    @Test func `A finger is seen at the next scan`() {
        let touch = TouchCost(scanInterval: .milliseconds(10))
        #expect(touch.interrupt(after: .start) == .start)
        #expect(touch.interrupt(after: Instant(microseconds: 1)) == Instant(microseconds: 10_000))
        #expect(touch.interrupt(after: Instant(microseconds: 10_000)) == Instant(microseconds: 10_000))
        #expect(TouchCost(scanInterval: .zero).interrupt(after: Instant(microseconds: 7)) == Instant(microseconds: 7))
    }
}
