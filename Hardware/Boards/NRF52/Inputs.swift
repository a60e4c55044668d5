import BoardSupport
import Watch
import WatchLink

/// The queue of the wearer's inputs. Interrupt handlers fill it, and the main program empties it.
enum Inputs {
    enum Kind: UInt32 {
        case touch = 0
        case moved
        case lifted
        // The pin of a button changed to this level.
        case sideHigh
        case sideLow
        case crownHigh
        case crownLow
        // The crown turned by a detent, towards later or earlier rows.
        case crownLater
        case crownEarlier
    }

    struct Entry {
        let count: UInt32
        let kind: Kind
        /// `x` and `y` are the finger's position in the touch controller's units; 0 for buttons and the crown.
        let x: Int
        let y: Int
    }

    private static var written: Register { SharedMemory.word(.inputsWritten) }
    private static var read: Register { SharedMemory.word(.inputsRead) }

    private static func word(_ number: UInt32, _ half: UInt) -> Register {
        Register(SharedMemory.inputs + 8 * UInt(number & (SharedMemory.inputCapacity - 1)) + 4 * half)
    }

    static var isEmpty: Bool { written.value == read.value }

    /// Adds an input to the queue, or drops it if the queue is full. Called by interrupt handlers. The parameter `count` is the
    /// clock's count when the input happened, and `place` has the finger's x in bits 0 to 11 and its y in bits 12 to 23.
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

/// The state of a button. Ignores presses that are contact bounce, and detects that the button is held for 1 s.
struct ButtonState: BitwiseCopyable {
    private enum Phase: BitwiseCopyable {
        case up
        /// `holdAt` is when the press becomes a hold; nil once the hold was reported.
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

    /// Notes that the contact has closed. Returns false if this is a bounce: less than 15 ms after the contact's last change.
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

    /// Returns whether the button has been held for 1 s. Returns true only once for each hold.
    mutating func takeHold(at now: Instant) -> Bool {
        guard let holdAt, holdAt <= now else { return false }
        phase = .down(holdAt: nil)
        return true
    }
}
