import CortexM
import DeviceModel
import Synchronization
import Testing
import Watch

@testable import MachineWatch

/// What a witness sees of the calls of a watch.
@Suite(.enabled(if: LabImageUnderTest.path != nil, "LAB_FIRMWARE names no image"))
struct AnswerWitnessTests {
    /// Keeps the processors.
    private final class Pairs: AnswerWitness {
        let seen = Mutex<[(before: CortexM4, after: CortexM4)]>([])

        func answered(_ before: CortexM4, _ after: CortexM4) {
            seen.withLock { $0.append((before, after)) }
        }
    }

    @Test func `each answer leads to the call of the next one, whoever looks at the screen in between`() throws {
        let (image, pairs) = (try LabImageUnderTest.load(), Pairs())
        let bench = try ProgramBench<MachineProgram<SharedFlash>>(
            phone: SimulatedPhone(items: 3), profile: .memoryLCD, seed: 1,
            calendar: WatchBench<ShippingHandler>.defaultCalendar,
            flash: MemoryFlash(FlashGeometry(sectorCount: 16))
        ) { board, seed in
            MachineProgram(image, .own(handler: 0), on: board, seed: seed, witness: pairs)
        }
        #expect(bench.screen.rows.isEmpty)
        bench.run(for: .seconds(1))
        let seen = pairs.seen.withLock { $0 }
        try #require(seen.count > 10)
        #expect(seen[0].before.next != seen[0].after.next)
        for (earlier, later) in zip(seen, seen.dropFirst()) {
            var machine = earlier.after
            var nothing = NoObserver()
            #expect(throws: Trap.breakpoint(0x54)) {
                try machine.run(upTo: .max, until: 1, &nothing)
            }
            #expect(machine.next == later.before.next)
            #expect(machine.programRegisters == later.before.programRegisters)
        }
    }
}
