import Glibc
import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    @inline(__always)  // Inlined, so that a literal `part` needs no key path object.
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

    /// Charges the processor's time for one entry of the count table. A fraction of a microsecond is carried to the next
    /// call.
    func execute(_ part: (CountTable) -> CodeCount) {
        let count = part(counts)
        let cycles = profile.processor.cycles(of: count)
        let before = profile.processor.time(cycles: output.work.cycles)
        output.work.instructions += count.instructions
        output.work.cycles += cycles
        output.work.fewestCycles += cycles
        output.work.mostCycles += cycles
        charge(profile.processor.time(cycles: output.work.cycles) - before, to: \.processor)
    }

    /// Records why the program ended by itself. Ignores every reason after the first, because later failures follow from the
    /// first.
    package func fail(_ reason: String) {
        if case .working = condition { condition = .failed(reason: reason) }
    }

    func noteIdle(since start: Instant, _ before: RadioTraffic) {
        output.work.spent.idle = output.work.spent.idle + (clock.now - start)
        guard let radio else { return }
        let traffic = radio.traffic
        output.work.radio = traffic
        output.work.spent.radio = output.work.spent.radio + (traffic.onAir - before.onAir)
        output.work.spent.window = output.work.spent.window + (traffic.waiting - before.waiting)
    }

    private func waitForMachine(_ clock: HostClock) {
        // The thread does not sleep for shorter times than this, because the kernel may wake it 50 us late or more (the kernel's
        // usual timer slack).
        let margin = Microseconds(200)
        // The longest sleep. A longer sleep would noticeably delay a pause or a change of speed.
        let longest = Microseconds.milliseconds(20)
        while clock.outside < clock.now {
            clock.control.waitWhilePaused()
            let rest = clock.control.machineLength(until: clock.now) ?? .zero
            if rest > margin { usleep(useconds_t(clamping: min(rest - margin, longest).count)) }
        }
    }
}
