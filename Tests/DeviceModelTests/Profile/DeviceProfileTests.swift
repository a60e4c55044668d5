import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct DeviceProfileTests {
    @Test func `Every built-in profile is found by its name`() {
        #expect(DeviceProfile.builtIn.map(\.name) == ["memory-lcd", "colour-spi", "instant"])
        for profile in DeviceProfile.builtIn { #expect(DeviceProfile.named(profile.name) == profile) }
        #expect(DeviceProfile.named("no such device") == nil)
    }

    @Test func `A line takes 163 us on the memory LCD and a whole frame 27.4 ms`() {
        let panel = DeviceProfile.memoryLCD.panel
        #expect(panel.time(bits: panel.bitsPerLine) == Microseconds(163))
        #expect(panel.time(lines: 2) == Microseconds(342))
        #expect(panel.time(lines: 168) == Microseconds(27_400))
        #expect(panel.time(lines: 0) == .zero)
    }

    @Test func `A line takes 288 us on the colour panel`() {
        let panel = DeviceProfile.colourSPI.panel
        #expect(panel.time(bits: panel.bitsPerLine) == Microseconds(288))
    }

    @Test func `Cycles take their time, and a rest of a microsecond is cut off`() {
        let processor = Processor(clockHertz: 64_000_000, cyclesPerInstruction: 1.5)
        #expect(processor.time(cycles: 63) == .zero)
        #expect(processor.time(cycles: 64) == Microseconds(1))
        #expect(processor.time(cycles: 64_000_000) == .seconds(1))
    }

    @Test func `What was counted on one processor takes another as much longer as its instructions do`() {
        let count = CodeCount(instructions: 100, cycles: 160)
        let counted = DeviceProfile.memoryLCD.processor
        #expect(counted.cycles(of: count) == 160)
        let slower = Processor(clockHertz: 64_000_000, cyclesPerInstruction: 2 * counted.cyclesPerInstruction)
        #expect(slower.cycles(of: count) == 320)
        // The cycles of these are not counted.
        #expect(counted.cycles(of: CodeCount(instructions: 1_000)) == 1_500)
        #expect(slower.cycles(of: CodeCount(instructions: 1_000)) == 3_000)
    }
}

@Suite struct CountTableTests {
    @Test func `The column is that of the number's digits`() {
        // The news are drawn with a new title bar, which has the number.
        func count(_ items: Int) -> CodeCount { CountTable.measured(items: items)[.news] }
        #expect(count(0) == count(8))
        #expect(count(11) == count(32))
        #expect(count(100) == count(32))
        #expect(count(101) == count(128))
        #expect(count(1_000) == count(128))
        #expect(count(1_001) == count(2_000))
        #expect(count(128) != count(2_000))
        #expect(count(8) != count(32))
        #expect(count(32) != count(128))
    }
}
