import TestDoubles
import Testing
import WatchLink

@testable import DeviceModel
@testable import Emulator

/// The times that the executed firmware gives to the wearer's inputs.
@Suite(.enabled(if: FirmwareUnderTest.reference != nil, "REFERENCE_FIRMWARE names no image"))
struct FirmwareInputTests {
    private func bench(_ phone: InMemoryPhone) throws -> ExecutedBench {
        try ExecutedBench(try #require(FirmwareUnderTest.reference), phone: phone)
    }

    /// The side button is pressed at a tick of the clock. The crown is released up to a tick earlier, in steps of 1/4 us, so that
    /// some of the presses come between the firmware's reading of the clock and its look at the queue of inputs.
    @Test func `a short press is never a hold, whenever the other button was released`() throws {
        let bench = try bench(InMemoryPhone(items: 12))
        bench.connect()
        try bench.machine.apply(.press(.crown))
        bench.run(for: .milliseconds(500))
        let before = bench.machine
        let tick = LowFrequencyClock.cycle(ofTick: LowFrequencyClock.tick(at: before.now) + 100)
        func outcome(releasedBefore cycles: UInt64) throws -> (picture: VisiblePicture, motorEdges: Int) {
            var machine = before
            let inputs: [(UInt64, WearerInput)] = [
                (tick - cycles, .release(.crown)), (tick, .press(.side)), (tick + .milliseconds(50), .release(.side)),
            ]
            for (cycle, input) in inputs {
                #expect(machine.run(until: cycle) == nil)
                try machine.apply(input)
            }
            #expect(machine.run(until: tick + .milliseconds(200)) == nil)
            return (machine.board.picture, machine.part.board.motor.takeEdges().count)
        }
        // A press shows the status. A hold also runs the motor.
        let press = try outcome(releasedBefore: .milliseconds(1))
        #expect(press.picture != before.board.picture)
        #expect(press.motorEdges == 0)
        let wrong = try stride(from: 0, to: 1_953, by: 16).filter { try outcome(releasedBefore: $0) != press }
        #expect(wrong.isEmpty, "released \(wrong) cycles before the press")
    }
}
