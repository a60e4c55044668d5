import HostSystem
import Synchronization
import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// Removes and returns the oldest input, and tells the radio that the wearer has acted. Returns nil if no input is ready.
    /// Blocks the thread while the clock is paused.
    ///
    /// The touch controller notices a finger at its next scan. Then its interrupt fires, and the input gets the time of that
    /// interrupt. The input is ready once the processor has read the controller.
    public func nextInput() -> TimedInput? {
        // A pause takes effect here, because the runtime's loop calls this method first.
        control?.waitWhilePaused()
        if let report = nextReport, clock.now < report { return nil }
        guard var input = inputs.next() else { return nil }
        input.time = interrupt(of: input)
        noteScan(of: input)
        if case .wrist(let event) = input.input, event != .raised { wrist = event == .worn ? .worn : .removed }
        drawing.follow(.input)
        radio?.wearerActed(at: clock.now)
        control?.happened(input.input.label)
        return input
    }

    /// The longest time that the newest touch can have waited for the scan that detected it. The controller scans less often if
    /// no finger has touched for a while.
    public var touchScanInterval: Microseconds { fingerWait }

    /// When the runtime can take the oldest input. Nil if no input waits. For a finger's input, the processor must first read
    /// the touch controller.
    package var nextReport: Instant? {
        guard let next = inputs.first else { return nil }
        return switch next.input {
        case .touch, .moved, .lifted: interrupt(of: next) + profile.touch.report
        case .crown, .press, .hold, .pairing, .wrist, .clock: interrupt(of: next)
        }
    }

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
    /// Waits until an input arrives, the radio has an event, an erase ends or `deadline` has passed. Returns at once if a
    /// datagram has arrived or an input is ready. If the runtime leaves that input in the queue, the input does not end the
    /// next wait.
    ///
    /// On a virtual clock, returns without advancing the clock if no event is scheduled and no deadline applies.
    public func idle(until deadline: Instant?) {
        if drawing == .removal { execute { $0[.wake] } }
        drawing.follow(.waits)
        let report = nextReport
        // An input that the runtime does not take ends only one wait. A stage that serves only the link leaves inputs in the
        // queue. If they ended every wait, the clock would not advance.
        if let report, report <= clock.now, announcedAfter != inputs.taken {
            announcedAfter = inputs.taken
            return
        }
        let start = clock.now
        let traffic = radio?.traffic ?? RadioTraffic()
        defer { noteIdle(since: start, traffic) }
        let interest = awaitedRadio
        let limit = [deadline, interest.wakeAt, eraseEnd, report.flatMap { $0 > start ? $0 : nil }]
            .compactMap { $0 }.min()
        switch clock {
        case .real(let clock):
            // A paused watch waits until a caller resumes it, which signals `inputs.arrival`.
            let length = limit.flatMap { clock.control.machineLength(until: $0) }
            var descriptors = [PolledDescriptor(inputs.arrival.descriptor, .readable)] + interest.descriptors
            PolledDescriptor.wait(for: &descriptors, microseconds: length?.count)
            if descriptors.dropFirst().contains(where: \.isReady) { hasUnreadDatagram = true }
            inputs.arrival.drain()
            // If this machine is late, the board's clock still advances only to the awaited time.
            let woken = nextReport.flatMap { $0 > start ? $0 : nil }
            clock.advance(to: [clock.outside, limit, woken].compactMap(\.self).min() ?? clock.outside)
            if let deadline, clock.now >= deadline { clock.control.happened("a deadline") }
            // A stage that waits for the phone does not call `nextInput`, which waits during a pause, so this method waits too.
            clock.control.waitWhilePaused()
        case .virtual(let clock):
            // A radio on the virtual clock has no descriptors. The watch asks that radio each time it is idle.
            var descriptors = interest.descriptors
            if descriptors.isEmpty || !PolledDescriptor.wait(for: &descriptors, microseconds: 0) {
                clock.advanceToNextEvent(noLaterThan: limit)
            } else {
                hasUnreadDatagram = true
            }
        }
        radio?.service(at: clock.now)
    }

    /// The radio's events that end a wait of the board. If the runtime has no room for a datagram, the datagram stays unread.
    /// Until the runtime reads that datagram, no datagram ends a wait.
    private var awaitedRadio: RadioInterest {
        guard let radio else { return RadioInterest(.nothing) }
        var interest = radio.interest
        if hasUnreadDatagram, radio.state != .down { interest.watching = .nothing }
        return interest
    }
}

/// The number of an input to a watch. `InputQueue` numbers inputs from 1, in the order in which they are added. 0 means no
/// input.
public struct InputNumber: Comparable, Hashable, Sendable {
    package var count: UInt64

    /// Creates the number of the `count`-th input. If `count` is 0, the number means no input.
    public init(_ count: UInt64) {
        self.count = count
    }

    /// An earlier input is less than a later one.
    public static func < (left: InputNumber, right: InputNumber) -> Bool {
        left.count < right.count
    }
}

/// The inputs that the runtime has not taken, oldest first. Any thread may add inputs, but only the runtime's thread may take
/// them.
public final class InputQueue: Sendable {
    private struct Contents {
        var waiting: [TimedInput] = []
        var posted: UInt64 = 0
    }

    private let contents = Mutex(Contents())
    /// Becomes readable when an input is added, or when another thread wakes the waiting board, for example to end a pause.
    public let arrival: EventDescriptor

    /// - Throws: `.systemCall` if the process is out of file descriptors.
    public init() throws(DeviceModelError) {
        arrival = try .make()
    }

    /// Adds an input. Returns its number.
    @discardableResult public func post(_ input: TimedInput) -> InputNumber {
        let number = contents.withLock { contents in
            contents.waiting.append(input)
            contents.posted += 1
            return InputNumber(contents.posted)
        }
        arrival.signal()
        return number
    }

    /// Removes and returns the oldest input. Returns nil if there is none.
    public func next() -> TimedInput? {
        contents.withLock { contents in
            contents.waiting.isEmpty ? nil : contents.waiting.removeFirst()
        }
    }

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
