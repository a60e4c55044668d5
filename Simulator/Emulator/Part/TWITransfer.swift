/// The state of a TWIM, the chip's I2C master. A byte passes between RAM and the device at the end of its ninth bit.
///
/// Source: nRF52832 Product Specification v1.4, chapter 33 (TWIM).
struct TWITransfer: Sendable {
    private enum Direction: Sendable {
        case sending, receiving
    }

    private enum Following: Sendable {
        case more, suspension, stop
        case start(Direction)
    }

    /// What RESUME continues if SUSPEND took effect between two bytes. `done` is the number of bytes already exchanged.
    private struct Remainder: Sendable {
        let direction: Direction
        let done: Int
    }

    private enum State: Sendable {
        case idle
        /// The start condition and the address are on the bus until cycle `end`.
        case addressing(Direction, end: UInt64)
        case moving(Direction, done: Int, end: UInt64)
        /// SCL stays low until the program triggers a task.
        case holding
        /// SUSPEND has taken effect, and RESUME has not come. Nil if no bytes of the transfer are left to exchange.
        case suspended(Remainder?)
        case stopping(end: UInt64)
    }

    private var state = State.idle
    private var following = Following.more
    /// The cycle at which the present transfer began. A repeated start does not change it.
    private var busySince: UInt64 = 0

    var due: UInt64 {
        switch state {
        case .idle, .holding, .suspended: .max
        case .addressing(_, let end), .moving(_, _, let end), .stopping(let end): end
        }
    }

    mutating func perform(_ task: UInt32, _ bus: inout BusMaster, _ signals: inout Signals) {
        switch task {
        case 0x000: follow(.start(.receiving), &bus, &signals)
        case 0x008: follow(.start(.sending), &bus, &signals)
        case 0x014:
            if case .idle = state {
                bus.events.raise(BusMaster.Event.stopped, &signals)
            } else {
                follow(.stop, &bus, &signals)
            }
        case 0x01C: if case .idle = state {} else { follow(.suspension, &bus, &signals) }
        case 0x020:
            guard case .suspended(let rest) = state else { return }
            state = .holding
            if let rest, case .more = following {
                move(rest.direction, done: rest.done, &bus, &signals)
            } else {
                begin(&bus, &signals)
            }
        case _: break
        }
    }

    private mutating func follow(_ next: Following, _ bus: inout BusMaster, _ signals: inout Signals) {
        following = next
        switch state {
        case .idle, .holding: begin(&bus, &signals)
        // The task waits for the end of the present address or byte, or for RESUME. During a stop condition, the task is lost.
        case .suspended, .addressing, .moving, .stopping: break
        }
    }

    private mutating func begin(_ bus: inout BusMaster, _ signals: inout Signals, rest: Remainder? = nil) {
        let next = following
        following = .more
        let bit = bus.cyclesPerTWIBit
        switch next {
        case .more: state = .holding
        case .suspension:
            state = .suspended(rest)
            bus.events.raise(BusMaster.Event.suspended, &signals)
        case .stop: state = .stopping(end: signals.now &+ bit)
        case .start(let direction):
            if case .idle = state { busySince = signals.now }
            state = .addressing(direction, end: signals.now &+ 10 &* bit)
            switch direction {
            case .sending: bus.events.raise(BusMaster.Event.sendStarted, &signals)
            case .receiving: bus.events.raise(BusMaster.Event.started, &signals)
            }
        }
    }

    mutating func advance(
        _ bus: inout BusMaster, _ memory: inout MemoryMap, _ signals: inout Signals, _ board: inout BoardDevices
    ) {
        let now = signals.now
        switch state {
        case .idle, .holding, .suspended: break
        case .stopping:
            board.stop(at: now)
            signals.note(.twi, since: busySince)
            state = .idle
            following = .more
            bus.events.raise(BusMaster.Event.stopped, &signals)
        case .addressing(let direction, _):
            note(0, direction, &bus)
            if board.start(bus.address, reads: direction == .receiving, at: now) {
                move(direction, done: 0, &bus, &signals)
            } else {
                // ANACK in ERRORSRC: no device acknowledged the address.
                fail(2, &bus, &signals)
            }
        case .moving(.sending, let done, _):
            let byte = memory.transfer(from: bus.sent.pointer &+ UInt32(done), count: 1, &signals)[0]
            note(done + 1, .sending, &bus)
            if board.take(byte, at: now) {
                move(.sending, done: done + 1, &bus, &signals)
            } else {
                // DNACK in ERRORSRC: the device did not acknowledge the byte.
                fail(4, &bus, &signals)
            }
        case .moving(.receiving, let done, _):
            let byte = board.give(at: now)
            memory.transfer([byte], to: bus.received.pointer &+ UInt32(done), &signals)
            note(done + 1, .receiving, &bus)
            move(.receiving, done: done + 1, &bus, &signals)
        }
    }

    private func note(_ done: Int, _ direction: Direction, _ bus: inout BusMaster) {
        switch direction {
        case .sending: bus.sent.amount = done
        case .receiving: bus.received.amount = done
        }
    }

    /// Sets `error` in ERRORSRC, and raises ERROR. If STOP is pending, the stop condition begins now. Otherwise the master
    /// drops any pending task, and holds SCL low until the next task.
    private mutating func fail(_ error: UInt32, _ bus: inout BusMaster, _ signals: inout Signals) {
        bus.errors |= error
        bus.events.raise(BusMaster.Event.error, &signals)
        state = .holding
        if case .stop = following { begin(&bus, &signals) } else { following = .more }
    }

    private mutating func move(
        _ direction: Direction, done: Int, _ bus: inout BusMaster, _ signals: inout Signals
    ) {
        let limit = direction == .sending ? bus.sent.limit : bus.received.limit
        guard done < limit, case .more = following else {
            if done == limit, done > 0 { finish(direction, &bus) }
            return begin(&bus, &signals, rest: done < limit ? Remainder(direction: direction, done: done) : nil)
        }
        state = .moving(direction, done: done, end: signals.now &+ 9 &* bus.cyclesPerTWIBit)
        if done == limit - 1 { last(direction, &bus, &signals) }
    }

    private func finish(_ direction: Direction, _ bus: inout BusMaster) {
        switch direction {
        case .sending: bus.sent.finish(bus.sent.limit)
        case .receiving: bus.received.finish(bus.received.limit)
        }
    }

    /// Handles the beginning of the last byte: raises LASTTX or LASTRX, and performs the event's shortcuts.
    private mutating func last(_ direction: Direction, _ bus: inout BusMaster, _ signals: inout Signals) {
        switch direction {
        case .sending:
            bus.events.raise(BusMaster.Event.lastSend, &signals)
            if bus.events.hasShortcut(7) { following = .start(.receiving) }
            if bus.events.hasShortcut(8) { following = .suspension }
            if bus.events.hasShortcut(9) { following = .stop }
        case .receiving:
            bus.events.raise(BusMaster.Event.lastReceive, &signals)
            if bus.events.hasShortcut(10) { following = .start(.sending) }
            if bus.events.hasShortcut(12) { following = .stop }
        }
    }
}
