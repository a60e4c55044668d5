import HostSystem
import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// Waits for an input, the radio, the end of an erase or `deadline`. Returns at once when a datagram waits, or an input whose
    /// interrupt has fired.
    ///
    /// On a virtual clock with no deadline and nothing scheduled there is nothing to wait for: it returns, and whoever
    /// drives the board sees that the time has not moved.
    public func idle(until deadline: Instant?) {
        // First of all, so that an input that comes meanwhile is not slept through.
        if drawing == .removal { execute { $0.wake } }
        drawing.follow(.waits)
        let interrupt = nextInterrupt
        // An input that is not taken after that is waited for no longer: a handler that serves the link alone leaves it,
        // and the time would stand still.
        if let interrupt, interrupt <= clock.now, announcedAfter != inputs.taken {
            announcedAfter = inputs.taken
            return
        }
        let start = clock.now
        let traffic = radio?.traffic ?? RadioTraffic()
        defer { noteIdle(since: start, traffic) }
        let interest = awaitedRadio
        let limit = [deadline, interest.wakeAt, eraseEnd, interrupt.flatMap { $0 > start ? $0 : nil }]
            .compactMap { $0 }.min()
        switch clock {
        case .real(let clock):
            // While the watch is paused it waits for being told to go on, which signals the arrival of inputs.
            let length = limit.flatMap { clock.control.machineLength(until: $0) }
            var descriptors = [PolledDescriptor(inputs.arrival.descriptor, .readable)] + interest.descriptors
            PolledDescriptor.wait(for: &descriptors, microseconds: length?.count)
            if descriptors.dropFirst().contains(where: \.isReady) { radioReading = .due }
            inputs.arrival.drain()
            if let deadline, clock.now >= deadline { clock.control.happened("a deadline") }
            // A handler that waits for the phone comes by here alone.
            clock.control.waitUntilItGoes()
        case .virtual(let clock):
            // A radio on the virtual clock has none, and this is asked whenever the watch has nothing to do.
            var descriptors = interest.descriptors
            if descriptors.isEmpty || !PolledDescriptor.wait(for: &descriptors, microseconds: 0) {
                clock.advanceToNextEvent(noLaterThan: limit)
            } else {
                radioReading = .due
            }
        }
        radio?.service(at: clock.now)
    }

    /// What the radio is waited for. A watch that has not asked for the datagram that ended the last wait has no room for
    /// it: it would end every further wait at once.
    private var awaitedRadio: RadioInterest {
        guard let radio else { return RadioInterest(.nothing) }
        let interest = radio.interest
        switch (radioReading, radio.state) {
        case (.due, .up): return RadioInterest(.nothing, listening: interest.listening, wakeAt: interest.wakeAt)
        case (.due, .down), (.asked, _): return interest
        }
    }
}
