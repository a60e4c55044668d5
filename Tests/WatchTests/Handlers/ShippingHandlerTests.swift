import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

/// The shipping handler waits for nobody: whatever the radio link and the phone do, its tap is the same to the
/// microsecond.
@Suite struct ShippingHandlerTests {
    /// The product's own watch, but that an instruction takes a whole microsecond: of shorter ones a rest is carried
    /// from one part of the program to the next, whatever was drawn in between.
    private static var profile: DeviceProfile {
        var profile = DeviceProfile.memoryLCD
        profile.processor = Processor(clockHertz: 1_000_000, cyclesPerInstruction: 1)
        return profile
    }

    /// The longest that a redraw of the title bar can delay the removal of the row: one that begins just before the
    /// row's time is up. A message of the phone's that comes while the row is held makes the bar stale, and the 13
    /// lines change on which the number and the phone's icon are: each is drawn and sent to the bus, and the last one
    /// is awaited.
    private static var titleBarRedraw: Microseconds {
        let table = InstructionTable.measured(items: 128)
        let instructions = table.flush + 13 * (table.drawnLine + table.line) + table.meanwhile + table.shown
        return profile.processor.time(instructions: instructions) + profile.panel.time(lines: 1)
    }

    private struct Outcome: Equatable {
        var updates: [Microseconds]
        var settled: [Microseconds]
    }

    private func taps(
        items: Int = 128, loss: Double = 0, jitter: Microseconds = .zero, phone: Microseconds = .zero,
        databaseFactor: UInt64 = 1, supply: Supply = .sufficient
    ) throws -> Outcome {
        let bench = try WatchBench(
            phone: SimulatedPhone(items: items), handler: ShippingHandler(), profile: Self.profile)
        bench.connect()
        bench.run(for: .seconds(10))
        bench.faults = WatchFaults(loss: loss, jitter: jitter, phone: phone, supply: supply)
        let cost = Self.profile.phone
        bench.phone.cost = PhoneCost(
            readThousandRows: Microseconds(cost.readThousandRows.count * databaseFactor),
            commit: Microseconds(cost.commit.count * databaseFactor))
        // The same phase of the touch controller and of the minute in every run.
        bench.run(for: Microseconds(20_000_000 - bench.clock.now.microseconds))
        for _ in 0..<8 {
            bench.tap(0)
            bench.run(for: .milliseconds(700))
        }
        let taps = bench.snapshot.taps
        #expect(taps.count == 8)
        return Outcome(
            updates: try taps.map { try #require($0.tapToUpdate) },
            settled: try taps.map { try #require($0.sinceTouch(.settled)) })
    }

    @Test(arguments: [0.01, 0.1, 0.3, 0.5, 0.9, 1])
    func `a loss on the radio link does not change updated, and settled by no more than a redraw of the title bar`(
        loss: Double
    ) throws {
        let (lossy, clear) = (try taps(loss: loss), try taps())
        #expect(lossy.updates == clear.updates)
        for (late, usual) in zip(lossy.settled, clear.settled) {
            #expect(late >= usual && late.count - usual.count <= Self.titleBarRedraw.count)
        }
    }

    @Test(arguments: [(100, .zero), (1, .seconds(3)), (1_000, .seconds(60))] as [(UInt64, Microseconds)])
    func `a slow phone changes neither`(factor: UInt64, delay: Microseconds) throws {
        #expect(try taps(phone: delay, databaseFactor: factor) == taps())
    }

    @Test func `a slow phone on a bad radio link, and a nearly empty battery, change neither`() throws {
        #expect(
            try taps(loss: 0.4, jitter: .milliseconds(200), phone: .seconds(1)) == taps())
        #expect(try taps(supply: .low) == taps())
    }

    @Test func `with two thousand items on the phone the update is the same as well`() throws {
        // The row that the phone gives for the one that goes moves the scroll indicator, which is drawn with what
        // settles.
        let updates = try taps(items: 2_000).updates
        #expect(try taps(items: 2_000, loss: 1).updates == updates)
        #expect(try taps(items: 2_000, phone: .seconds(3)).updates == updates)
    }
}
