import Glibc
import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// Charges `length`, and enters it as spent on a part.
    @inline(__always)  // Where the part is known, the compiler needs no key path for it.
    func charge(_ length: Microseconds, to part: WritableKeyPath<TimeSpent, Microseconds>) {
        guard length > .zero else { return }
        output.work.spent[keyPath: part] = output.work.spent[keyPath: part] + length
        activities?.enter(part, from: clock.now, length)
        pass(length)
    }

    private func pass(_ length: Microseconds) {
        switch clock {
        case .virtual(let clock): clock.advance(by: length)
        case .real(let clock):
            // Charges add up from where the last one ended, unless the machine was slower than the device.
            let now = clock.now
            let end = max(realEnd ?? now, now) + length
            realEnd = end
            wait(until: end, on: clock)
        }
    }

    /// Charges the execution of `count` instructions. A fraction of a microsecond is charged with the next ones.
    func execute(_ count: Int) {
        let before = profile.processor.time(instructions: output.work.instructions)
        output.work.instructions += count
        let after = profile.processor.time(instructions: output.work.instructions)
        charge(after - before, to: \.processor)
    }

    /// Enters the time from `start` to now as idle, and what the radio has carried until now: something was on its way for
    /// the length `underway` before.
    func noteIdle(since start: Instant, _ underway: Microseconds) {
        output.work.spent.idle = output.work.spent.idle + (clock.now - start)
        guard let radio else { return }
        output.work.radio = radio.traffic
        output.work.spent.radio = output.work.spent.radio + (output.work.radio.underway - underway)
    }

    private func wait(until end: Instant, on clock: HostClock) {
        // A thread is woken some 50 us late, the kernel's usual timer slack, or later: so near to the end it does not sleep.
        let margin = Microseconds(200)
        // Nor does it sleep so long that somebody who pauses the watch, or changes its speed, would notice.
        let longest = Microseconds.milliseconds(20)
        while clock.now < end {
            clock.control.waitUntilItGoes()
            let rest = clock.control.machineLength(until: end) ?? .zero
            if rest > margin { usleep(useconds_t(clamping: min(rest - margin, longest).count)) }
        }
    }
}
