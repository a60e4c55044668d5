import Testing

@testable import Emulator

struct FirmwareLabTests {
    /// Runs a program for 100 ms, and then taps the panel `taps` times, every 10 ms. Returns the lab.
    private func lab(_ program: RegisterProgram, x: Int = 1, y: Int = 2, taps: Int = 1) throws -> FirmwareLab {
        var machine = try program.machine
        #expect(machine.run(until: 6_400_000) == nil)
        var lab = FirmwareLab(machine)
        for _ in 0..<taps { try lab.tap(x: x, y: y, every: 640_000) }
        return lab
    }

    @Test
    func `A tap lasts from the touch interrupt to the last pixel, and its time is split`() throws {
        let lab = try lab(.drawing, x: 10, y: 20, taps: 3)
        #expect(lab.taps.count == 3)
        for tap in lab.taps {
            // 241 bytes of 8 bits at 8 MHz. The microsecond before each transfer is not bus time.
            let bus = UInt64(241 * 64)
            #expect(abs(Int(tap.time[.spi]) - Int(bus)) < 64)
            #expect(tap.time[.twi] == 0)
            #expect(tap.time[.radio] == 0)
            #expect(abs(Int(total(tap.time)) - Int(tap.latency)) < 64)
            #expect(tap.latency > bus)
            #expect(tap.update.first < tap.update.last)
            #expect(tap.asleepAgain != nil)
            #expect(tap.charge[.awake] > 0)
        }
    }

    private func total(_ time: TapTime) -> UInt64 { TapTime.Kind.allCases.reduce(0) { $0 + time[$1] } }

    @Test
    func `The same taps give the same figures`() throws {
        let labs = try (0..<2).map { _ in try lab(.drawing, taps: 2) }
        #expect(labs[0].taps == labs[1].taps)
        #expect(labs[0].profile == labs[1].profile)
    }

    @Test
    func `A tap that changes nothing, or lies outside the panel, is refused with its reason`() throws {
        #expect(throws: FirmwareLabError.refused(.outsidePanel(x: 240, y: 0, width: 240, height: 240))) {
            try lab(.drawing, x: 240, y: 0)
        }
        #expect(throws: FirmwareLabError.noUpdate(tap: 1, nil)) { try lab(RegisterProgram()) }
    }

    @Test
    func `A fault that a tap causes ends the measurement with its report`() throws {
        var program = RegisterProgram.touched
        program.write(0, to: 0x3000_0000)
        let error = #expect(throws: FirmwareLabError.self) { try lab(program) }
        #expect("\(try #require(error))".hasPrefix("tap 1: HardFault at 0x20c: "))
        #expect(error?.report.count == 3)
    }

    @Test
    func `A watchdog that expires after a tap ends the measurement`() throws {
        var program = RegisterProgram.touched
        program.write(1_000, to: 0x4001_0504)
        program.write(1, to: 0x4001_0000)
        #expect(throws: FirmwareLabError.stopped(tap: 1, ["reset by the watchdog, which was never fed"])) {
            try lab(program)
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
        #expect(total(time) == 500)
        #expect(TapTime(0..<500, [100..<200], work, ticks: false)[.other] == 20)
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
