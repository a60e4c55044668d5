import Glibc
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
        let interrupt = nextInterrupt
        if let interrupt, interrupt <= clock.now { return }
        let start = clock.now
        let underway = radio?.traffic.underway ?? .zero
        defer { noteIdle(since: start, underway) }
        let interest = radio?.interest ?? RadioInterest(.nothing)
        let limit = [deadline, interest.wakeAt, eraseEnd, interrupt].compactMap { $0 }.min()
        switch clock {
        case .real(let clock):
            // While the watch is paused it waits for being told to go on, which signals the arrival of inputs.
            let length = limit.flatMap { clock.control.machineLength(until: $0) }
            PollSet(inputs.arrival, interest).wait(for: length)
            inputs.arrival.drain()
            if let deadline, clock.now >= deadline { clock.control.happened("a deadline") }
            // A handler that waits for the phone comes by here alone.
            clock.control.waitUntilItGoes()
        case .virtual(let clock):
            switch PollSet(nil, interest).look() {
            case .ready: break
            case .timedOut: clock.advanceToNextEvent(noLaterThan: limit)
            }
        }
        radio?.service(at: clock.now)
    }
}

/// The descriptors that a board waits for.
struct PollSet {
    /// How a wait ended.
    enum Outcome {
        /// A descriptor is ready, or a signal arrived.
        case ready
        /// The time has passed.
        case timedOut
    }

    private var descriptors: [pollfd] = []

    /// The arrival of inputs, where another thread may bring them, and what the radio asks for.
    init(_ arrival: EventDescriptor?, _ radio: RadioInterest) {
        if let arrival { descriptors.append(pollfd(fd: arrival.descriptor, events: Int16(POLLIN), revents: 0)) }
        if let listening = radio.listening {
            descriptors.append(pollfd(fd: listening, events: Int16(POLLIN), revents: 0))
        }
        switch radio.watching {
        case .nothing: break
        case .readable(let descriptor):
            descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        case .readableOrWritable(let descriptor):
            descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN | POLLOUT), revents: 0))
        }
    }

    /// Whether a descriptor is ready now.
    func look() -> Outcome {
        // A radio on the virtual clock has none, and this is asked whenever the watch has nothing to do.
        descriptors.isEmpty ? .timedOut : wait(for: .zero)
    }

    /// Waits until a descriptor is ready, but no longer than `length`; nil waits for ever. It may return early.
    @discardableResult func wait(for length: Microseconds?) -> Outcome {
        var watched = descriptors
        // Of a length that poll(2) cannot express, the caller waits for the rest when it looks again.
        let timeout = length.map { CInt(clamping: $0.count / 1_000) } ?? -1
        if poll(&watched, nfds_t(watched.count), timeout) != 0 { return .ready }
        // A millisecond, the unit of poll(2), may be a second of the watch's: the rest of one is slept through. Glibc's module has
        // no ppoll(2).
        guard let rest = length.map({ $0.count % 1_000 }), rest > 0 else { return .timedOut }
        usleep(useconds_t(rest))
        return poll(&watched, nfds_t(watched.count), 0) == 0 ? .timedOut : .ready
    }
}
