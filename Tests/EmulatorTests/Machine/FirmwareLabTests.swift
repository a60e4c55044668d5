import Testing

@testable import Emulator

struct FirmwareLabTests {
    private static let millisecond: UInt64 = 64_000

    @Test
    func `A tap lasts from the touch interrupt to the last pixel, and its time is split`() throws {
        let image = try FirmwareImage(RegisterProgram.drawing.file)
        let lab = try FirmwareLab.tapToUpdate(image, x: 10, y: 20, taps: 3, after: "wait 100ms")
        #expect(lab.taps.count == 3)
        for tap in lab.taps {
            // 241 bytes of 8 bits at 8 MHz; a microsecond before each transfer is not the bus's.
            let bus = UInt64(241 * 64)
            #expect(abs(Int(tap.time[.spi]) - Int(bus)) < 64)
            #expect(tap.time[.twi] == 0)
            #expect(tap.time[.radio] == 0)
            #expect(abs(Int(tap.time.total) - Int(tap.latency)) < 64)
            #expect(tap.latency > bus)
            #expect(tap.update.first < tap.update.last)
            #expect(tap.asleepAgain != nil)
            #expect(tap.charge[.awake] > 0)
        }
    }

    @Test
    func `The same taps give the same figures`() throws {
        let image = try FirmwareImage(RegisterProgram.drawing.file)
        let labs = try (0..<2).map { _ in
            try FirmwareLab.tapToUpdate(image, x: 1, y: 2, taps: 2, after: "wait 100ms")
        }
        #expect(labs[0].taps == labs[1].taps)
        #expect(labs[0].profile == labs[1].profile)
    }

    @Test
    func `A tap that changes nothing, or lies outside the panel, is refused with its reason`() throws {
        let image = try FirmwareImage(RegisterProgram.drawing.file)
        #expect(throws: FirmwareLabError.refused(.outsidePanel(x: 240, y: 0, width: 240, height: 240))) {
            try FirmwareLab.tapToUpdate(image, x: 240, y: 0, taps: 1, after: "")
        }
        let asleep = try FirmwareImage(RegisterProgram().file)
        #expect(throws: FirmwareLabError.failed(.noUpdate(tap: 1))) {
            try FirmwareLab.tapToUpdate(asleep, x: 1, y: 2, taps: 1, after: "wait 100ms")
        }
    }

    @Test
    func `A sleeping core's time goes to the first bus that is busy, and the rest to a tick`() {
        let work = [
            BusWork(kind: .spi, span: 90..<150), BusWork(kind: .twi, span: 140..<180),
            BusWork(kind: .radio, span: 0..<50),
        ]
        let time = TapTime(0..<500, [100..<200, 300..<400], work, ticks: true)
        #expect(time[.processor] == 300)
        #expect(time[.spi] == 50)
        #expect(time[.twi] == 30)
        #expect(time[.radio] == 0)
        #expect(time[.tick] == 120)
        #expect(time.total == 500)
        #expect(TapTime(0..<500, [100..<200], work, ticks: false)[.other] == 20)
    }

    @Test
    func `Inputs are words with semicolons, and a wrong one is named`() throws {
        let inputs = try FirmwareInputs("wait 2s; swipe up;tap 42,82\nbutton; wait 500ms")
        #expect(inputs.steps == [.wait(2_000), .swipe(.up), .tap(x: 42, y: 82), .button, .wait(500)])
        for wrong in ["tap 1", "tap 1,2,3", "swipe", "wait 5", "wait -1s", "hold"] {
            #expect(throws: FirmwareInputs.Mistake(words: wrong)) { try FirmwareInputs("wait 1s; \(wrong)") }
        }
    }

    @Test
    func `A core that never sleeps is named with its functions`() throws {
        let asleep = try RegisterProgram().machine
        #expect(BusyLoop(asleep) == nil)
        var file = RegisterProgram().file
        // A branch to itself.
        (file[0x200], file[0x201]) = (0xFE, 0xE7)
        let busy = BusyLoop(Machine(try FirmwareImage(file), on: BoardDevices(.pineTime)))
        #expect(
            busy?.description == "the core has not slept for a second: it runs code without a name 100 %")
    }
}
