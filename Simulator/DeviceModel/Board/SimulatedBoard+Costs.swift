import Glibc
import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    @inline(__always)  // If the part is a literal, the compiler needs no key path.
    func charge(_ length: Microseconds, to part: WritableKeyPath<TimeSpent, Microseconds>) {
        guard length > .zero else { return }
        output.work.spent[keyPath: part] = output.work.spent[keyPath: part] + length
        pass(length)
    }

    private func pass(_ length: Microseconds) {
        switch clock {
        case .virtual(let clock): clock.advance(by: length)
        case .real(let clock):
            clock.advance(to: clock.now + length)
            waitForMachine(clock)
        }
    }

    /// Charges a counted part of the program. Does nothing if the machine code itself is executed.
    func execute(_ part: (CountTable) -> CodeCount) {
        switch processorWork {
        case .estimated(let table):
            let count = part(table)
            let cycles = profile.processor.cycles(of: count)
            executed(instructions: count.instructions, cycles: cycles, allowed: cycles...cycles)
        case .executed: break
        }
    }

    /// Charges what the program has executed since the last call. Carries a fraction of a microsecond over to the next call.
    ///
    /// - Parameter allowed: the fewest and the most cycles that the manual of the core allows.
    package func executed(instructions: Int, cycles: Int, allowed: ClosedRange<Int>) {
        let before = profile.processor.time(cycles: output.work.cycles)
        output.work.instructions += instructions
        output.work.cycles += cycles
        output.work.fewestCycles += allowed.lowerBound
        output.work.mostCycles += allowed.upperBound
        let after = profile.processor.time(cycles: output.work.cycles)
        charge(after - before, to: \.processor)
    }

    package func used(stackBytes: Int) {
        output.work.stackBytes = stackBytes
    }

    /// Records that the program has ended by itself and will not run again. Only the first reason counts: it causes the later
    /// failures.
    package func fail(_ reason: String) {
        switch condition {
        case .working: condition = .failed(reason: reason)
        case .failed: break
        }
    }

    /// Records the time from `start` to now as idle, and what the radio has carried until now. `before` is what it had carried at
    /// `start`.
    func noteIdle(since start: Instant, _ before: RadioTraffic) {
        output.work.spent.idle = output.work.spent.idle + (clock.now - start)
        guard let radio else { return }
        let traffic = radio.traffic
        output.work.radio = traffic
        output.work.spent.radio = output.work.spent.radio + (traffic.onAir - before.onAir)
        output.work.spent.window = output.work.spent.window + (traffic.waiting - before.waiting)
    }

    /// Waits while the board is ahead of the machine.
    private func waitForMachine(_ clock: HostClock) {
        // This close to the end the thread does not sleep: the kernel wakes it 50 us late or more (its usual timer slack).
        let margin = Microseconds(200)
        // A longer sleep would noticeably delay a pause or a change of speed.
        let longest = Microseconds.milliseconds(20)
        while clock.outside < clock.now {
            clock.control.waitWhilePaused()
            let rest = clock.control.machineLength(until: clock.now) ?? .zero
            if rest > margin { usleep(useconds_t(clamping: min(rest - margin, longest).count)) }
        }
    }
}
