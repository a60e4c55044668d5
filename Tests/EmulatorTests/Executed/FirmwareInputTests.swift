import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel
@testable import Emulator

/// The times that the executed firmware gives to the wearer's inputs.
@Suite(.enabled(if: FirmwareUnderTest.reference != nil, "REFERENCE_FIRMWARE names no image"))
struct FirmwareInputTests {
    private func bench(_ phone: InMemoryPhone) throws -> ExecutedBench {
        try ExecutedBench(try #require(FirmwareUnderTest.reference), phone: phone)
    }

    /// The side button is pressed at a tick of the clock. The test repeats this with the crown released earlier and earlier, in
    /// steps of 1/4 us up to a whole tick. In some repetitions, the press comes after the firmware has read the clock and before it
    /// reads the queue of inputs.
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

    /// The finger comes down 1 ms after a scan of the controller at rest, so the interrupt comes 39 ms later. The phone's change is
    /// shown between the two.
    @Test func `a row that appears between a touch and its interrupt is not chosen`() throws {
        let phone = InMemoryPhone(items: 12)
        let bench = try bench(phone)
        bench.connect()
        var (meant, chosen): ([UInt32], [UInt32?]) = ([], [])
        for lead in stride(from: UInt32(0), to: 40, by: 4) {
            bench.run(for: .seconds(3))
            let touch = try nextScan(bench.machine) + .milliseconds(41)
            bench.run(for: Microseconds((touch - bench.machine.now) / 64 - UInt64(lead) * 1_000))
            let (row, item) = (firstRow(bench.machine), phone.waiting[0].id)
            // Of two items with the same rank, the one with the smaller ID comes first.
            bench.onPhone { $0.add(PhoneItem(id: 200 - lead, title: "New \(lead)"), rank: 0) }
            bench.run(for: .milliseconds(lead))
            guard firstRow(bench.machine) == row else { break }
            try bench.play("tap 72,36")
            bench.run(for: .seconds(1))
            meant.append(item)
            chosen.append(phone.checkOffs.last?.id)
        }
        #expect(chosen == meant)
        #expect(meant.count > 4)
    }

    /// The cycle at which the touch controller would see a finger that comes down now.
    private func nextScan(_ machine: Machine) throws -> UInt64 {
        var machine = machine
        let last = machine.board.touchEdge
        try machine.apply(.touchDown(x: 72, y: 36))
        while machine.board.touchEdge == last { #expect(machine.run(until: machine.now + .milliseconds(1)) == nil) }
        return try #require(machine.board.touchEdge)
    }

    private func firstRow(_ machine: Machine) -> ArraySlice<UInt16> {
        let picture = machine.board.picture
        return picture.pixels[RowGeometry.rowTop(0) * picture.width..<RowGeometry.rowTop(1) * picture.width]
    }
}
