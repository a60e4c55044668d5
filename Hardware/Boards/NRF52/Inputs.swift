import BoardSupport
import Watch
import WatchLink

/// The queue of the wearer's inputs. Interrupt handlers fill it, and the main program empties it.
enum Inputs {
    enum Kind: UInt32 {
        case touch = 0
        case moved
        case lifted
        // The new levels of the buttons' pins.
        case sideHigh
        case sideLow
        case crownHigh
        case crownLow
        case crownLater
        case crownEarlier
    }

    struct Entry {
        let count: UInt32
        let kind: Kind
        /// The position of a touch, in the touch controller's own units.
        let x: Int
        let y: Int
    }

    private static var written: Register { SharedMemory.word(.inputsWritten) }
    private static var read: Register { SharedMemory.word(.inputsRead) }

    private static func word(_ number: UInt32, _ half: UInt) -> Register {
        Register(SharedMemory.inputs + 8 * UInt(number & (SharedMemory.inputCapacity - 1)) + 4 * half)
    }

    static var isEmpty: Bool { written.value == read.value }

    /// Called by interrupt handlers. `place` has x in bits 0 to 11 and y in bits 12 to 23. A full queue drops the new input.
    static func put(_ kind: Kind, at count: UInt32 = RealTimeClock.count, place: UInt32 = 0) {
        let number = written.value
        guard number &- read.value < SharedMemory.inputCapacity else { return }
        word(number, 0).value = count
        word(number, 1).value = kind.rawValue &<< 24 | place
        written.value = number &+ 1
    }

    /// Removes and returns the oldest input; nil if none waits. Called by the main program.
    static func next() -> Entry? {
        let number = read.value
        guard number != written.value else { return nil }
        let (count, detail) = (word(number, 0).value, word(number, 1).value)
        read.value = number &+ 1
        guard let kind = Kind(rawValue: detail &>> 24) else { return nil }
        return Entry(count: count, kind: kind, x: Int(detail & 0xFFF), y: Int(detail &>> 12 & 0xFFF))
    }
}

/// Ignores the bounce of the contacts, and detects that the button is held.
struct ButtonState: BitwiseCopyable {
    private enum Phase: BitwiseCopyable {
        case up
        /// `holdAt` is nil once the hold was reported.
        case down(holdAt: Instant?)
    }

    private var phase = Phase.up
    private var pressedAt = Instant.start
    private var lastChange = Instant.start

    private static var bounce: Microseconds { .milliseconds(15) }
    private static var holdTime: Microseconds { .milliseconds(1_000) }

    var holdAt: Instant? {
        switch phase {
        case .up: nil
        case .down(let instant): instant
        }
    }

    /// Returns whether this is a press and not a bounce.
    mutating func press(at time: Instant) -> Bool {
        let isNew = time >= lastChange + ButtonState.bounce
        lastChange = time
        if isNew { pressedAt = time }
        let holdAt = pressedAt + ButtonState.holdTime
        phase = .down(holdAt: holdAt > time ? holdAt : nil)
        return isNew
    }

    mutating func release(at time: Instant) {
        lastChange = time
        phase = .up
    }

    /// Returns whether a hold is due. Each hold is reported once.
    mutating func takeHold(at now: Instant) -> Bool {
        guard let holdAt, holdAt <= now else { return false }
        phase = .down(holdAt: nil)
        return true
    }
}
