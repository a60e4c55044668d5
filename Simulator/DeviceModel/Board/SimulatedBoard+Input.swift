import HostSystem
import Synchronization
import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// Takes the oldest input, and tells the radio about it; nil if none waits.
    ///
    /// The touch controller sees a finger at its next scan, and then its interrupt fires. The input bears that time.
    public func nextInput() -> TimedInput? {
        // The run loop calls this method before anything else.
        control?.waitWhilePaused()
        if let interrupt = nextInterrupt, clock.now < interrupt { return nil }
        guard var input = inputs.next() else { return nil }
        input.time = interrupt(of: input)
        noteScan(of: input)
        switch input.input {
        case .wrist(.removed): wrist = .removed
        case .wrist(.worn): wrist = .worn
        case .wrist(.raised), .touch, .moved, .lifted, .crown, .press, .hold, .pairing, .clock: break
        }
        drawing.follow(.input)
        radio?.wearerActed(at: clock.now)
        control?.happened(input.input.label)
        return input
    }

    /// The interval of the profile's touch controller, which is longer at rest.
    public var touchScanInterval: Microseconds { fingerWait }

    package var nextInterrupt: Instant? {
        inputs.first.map { interrupt(of: $0) }
    }

    /// The time of the interrupt for a finger that comes down at `instant`, unless another interrupt comes first.
    package func interrupt(ofFingerAt instant: Instant) -> Instant {
        profile.touch.interrupt(after: instant, lastScan: fingerScan)
    }

    private func interrupt(of input: TimedInput) -> Instant {
        switch input.input {
        case .touch: interrupt(ofFingerAt: input.time)
        case .moved, .lifted: profile.touch.interrupt(ofPressedFingerAt: input.time, lastScan: fingerScan)
        case .crown, .press, .hold, .pairing, .wrist, .clock: input.time
        }
    }

    private func noteScan(of input: TimedInput) {
        switch input.input {
        case .touch:
            fingerWait = profile.touch.wait(before: input.time, lastScan: fingerScan)
            fingerScan = input.time
        case .moved, .lifted: fingerScan = input.time
        case .crown, .press, .hold, .pairing, .wrist, .clock: break
        }
    }
}

extension Input {
    fileprivate var label: String {
        switch self {
        case .touch: "a touch"
        case .moved: "a move of the finger"
        case .lifted: "a lift of the finger"
        case .crown: "a turn of the crown"
        case .press(.crown): "a press of the crown"
        case .press(.side): "a press of the side button"
        case .hold(.crown): "a hold of the crown"
        case .hold(.side): "a hold of the side button"
        case .pairing: "a pairing"
        case .wrist(.removed): "off the wrist"
        case .wrist(.worn): "on the wrist"
        case .wrist(.raised): "a raised wrist"
        case .clock: "another form of the hours"
        }
    }
}

extension SimulatedBoard where Flash: ~Copyable {
    /// Waits for an input, the radio, the end of an erase or `deadline`. Returns at once if a datagram waits, or an
    /// input whose interrupt has fired.
    ///
    /// On a virtual clock without a deadline and events it returns without a change of the time.
    public func idle(until deadline: Instant?) {
        // This comes first, so that the wait below does not miss an input that arrives meanwhile.
        if drawing == .removal { execute { $0[.wake] } }
        drawing.follow(.waits)
        let interrupt = nextInterrupt
        // Does not return for the same untaken input again: a handler that serves only the link leaves it, and the time would
        // stand still.
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
            // A paused watch waits until it is resumed, which signals the arrival of inputs.
            let length = limit.flatMap { clock.control.machineLength(until: $0) }
            var descriptors = [PolledDescriptor(inputs.arrival.descriptor, .readable)] + interest.descriptors
            PolledDescriptor.wait(for: &descriptors, microseconds: length?.count)
            if descriptors.dropFirst().contains(where: \.isReady) { hasUnreadDatagram = true }
            inputs.arrival.drain()
            // On a machine that is late, the board wakes at the time that it has waited for, and not later.
            let woken = nextInterrupt.flatMap { $0 > start ? $0 : nil }
            clock.advance(to: [clock.outside, limit, woken].compactMap(\.self).min() ?? clock.outside)
            if let deadline, clock.now >= deadline { clock.control.happened("a deadline") }
            // A handler that waits for the phone calls only this method.
            clock.control.waitWhilePaused()
        case .virtual(let clock):
            // A radio on the virtual clock has no descriptors, and the watch asks whenever it is idle.
            var descriptors = interest.descriptors
            if descriptors.isEmpty || !PolledDescriptor.wait(for: &descriptors, microseconds: 0) {
                clock.advanceToNextEvent(noLaterThan: limit)
            } else {
                hasUnreadDatagram = true
            }
        }
        radio?.service(at: clock.now)
    }

    /// What the board waits for on behalf of the radio. If the watch has not fetched the datagram that ended the last wait, it
    /// has no room for it. That datagram would end every further wait at once.
    private var awaitedRadio: RadioInterest {
        guard let radio else { return RadioInterest(.nothing) }
        var interest = radio.interest
        if hasUnreadDatagram, radio.state != .down { interest.watching = .nothing }
        return interest
    }
}

/// An input's number, counted from 1 since the watch started. 0 stands for no input.
public struct InputNumber: Comparable, Hashable, Sendable {
    package var count: UInt64

    /// Input number `count`.
    public init(_ count: UInt64) {
        self.count = count
    }

    /// The earlier input is less.
    public static func < (left: InputNumber, right: InputNumber) -> Bool {
        left.count < right.count
    }
}

/// The inputs on their way to the runtime, in order. Any thread adds inputs; the runtime's thread takes them.
public final class InputQueue: Sendable {
    private struct Contents {
        var waiting: [TimedInput] = []
        var posted: UInt64 = 0
    }

    private let contents = Mutex(Contents())
    /// Readable while an input may be waiting.
    public let arrival: EventDescriptor

    /// - Throws: `.systemCall` if there are no descriptors left.
    public init() throws(DeviceModelError) {
        arrival = try .make()
    }

    /// Returns the input's number.
    @discardableResult public func post(_ input: TimedInput) -> InputNumber {
        let number = contents.withLock { contents in
            contents.waiting.append(input)
            contents.posted += 1
            return InputNumber(contents.posted)
        }
        arrival.signal()
        return number
    }

    /// Takes the oldest input; nil if none waits.
    public func next() -> TimedInput? {
        contents.withLock { contents in
            contents.waiting.isEmpty ? nil : contents.waiting.removeFirst()
        }
    }

    /// The oldest input, or nil if none waits. It stays in the queue.
    var first: TimedInput? {
        contents.withLock { $0.waiting.first }
    }

    package var isEmpty: Bool {
        contents.withLock { $0.waiting.isEmpty }
    }

    /// The number of the newest input that was added.
    public var posted: InputNumber {
        contents.withLock { InputNumber($0.posted) }
    }

    /// The number of the newest input that the runtime has taken.
    public var taken: InputNumber {
        contents.withLock { InputNumber($0.posted - UInt64($0.waiting.count)) }
    }
}
