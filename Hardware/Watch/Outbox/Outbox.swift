import WatchLink

/// A message that waits, with the tap that it comes from, if that is known.
struct QueuedMessage: BitwiseCopyable {
    let message: OutboxMessage
    let tap: TapNumber?
}

/// What is left of a message that the phone has in its store.
struct AcknowledgedMessage: BitwiseCopyable {
    /// The tap that it came from, if that is known.
    let tap: TapNumber?
    /// When it last left the radio, if it has since the watch started.
    let sentAt: Instant?
}

/// Messages to the phone, oldest first, with consecutive sequence numbers: the RAM side of what the journal keeps.
///
/// A message is first queued, then kept (its record is in flash), then acknowledged by the phone. Only kept messages may be
/// sent: a sequence number that the phone has seen must never come to stand for another message after a restart.
public struct Outbox {
    private let slots: FixedArray<OutboxSlot>
    /// When the messages on their way left the radio. There are no more of them than the window has room for, so a message's
    /// number tells its place.
    private let departures: FixedArray<Instant>
    private var first = 0
    /// The number of messages that wait.
    public private(set) var count = 0
    /// The sequence number of the newest message that was ever queued, 0 before the first.
    public private(set) var newestSequence: UInt32 = 0
    /// The sequence number of the newest message whose record is in flash.
    public private(set) var keptSequence: UInt32 = 0

    /// Bytes that `init(arena:)` takes, apart from padding.
    static var memorySize: Int {
        WatchLimits.outbox * MemoryLayout<OutboxSlot>.stride + onTheirWay * MemoryLayout<Instant>.stride
    }

    private static var onTheirWay: Int { Int(LinkLimits.largestWindow) }

    /// An empty outbox, with its memory taken from `arena`.
    init(arena: inout MemoryArena) {
        slots = arena.take(WatchLimits.outbox, of: .vacant)
        departures = arena.take(Outbox.onTheirWay, of: .start)
    }

    /// Whether no message waits.
    public var isEmpty: Bool { count == 0 }

    /// Whether one more message has no room.
    public var isFull: Bool { count == WatchLimits.outbox }

    /// The sequence number up to which the phone has acknowledged.
    public var acknowledgedSequence: UInt32 { newestSequence &- UInt32(truncatingIfNeeded: count) }

    /// The sequence number of the oldest message that is not in flash yet.
    var nextToKeep: UInt32? { keptSequence < newestSequence ? keptSequence &+ 1 : nil }

    /// Queues a message and returns its sequence number; nil where there is no room for it.
    @discardableResult
    mutating func append(_ message: OutboxMessage, tap: TapNumber? = nil) -> UInt32? {
        guard !isFull else { return nil }
        slots[(first + count) % WatchLimits.outbox] = OutboxSlot(message, tap: tap)
        count += 1
        newestSequence &+= 1
        return newestSequence
    }

    /// The message with this sequence number and its tap, while it waits.
    func message(_ sequence: UInt32) -> QueuedMessage? {
        guard let index = index(of: sequence), let message = slots[index].message else { return nil }
        return QueuedMessage(message: message, tap: slots[index].tap)
    }

    /// Notes that the record of the message after `keptSequence` is in flash.
    mutating func markKept(_ sequence: UInt32) {
        keptSequence = max(keptSequence, min(sequence, newestSequence))
    }

    /// Notes when a message left the radio and returns the tap it belongs to, the first time.
    mutating func markSent(_ sequence: UInt32, at instant: Instant) -> TapNumber? {
        guard let index = index(of: sequence), slots[index].content != .vacant else { return nil }
        departures[departure(of: sequence)] = instant
        guard !slots[index].wasSent else { return nil }
        slots[index].markSent()
        return slots[index].tap
    }

    /// Takes the oldest message out if its sequence number is at most `sequence`. Returns its tap, if that is known, and when it
    /// left the radio, if it has since the watch started.
    mutating func popAcknowledged(upTo sequence: UInt32) -> AcknowledgedMessage? {
        guard count > 0, acknowledgedSequence < sequence else { return nil }
        let slot = slots[first]
        let sentAt = slot.wasSent ? departures[departure(of: acknowledgedSequence &+ 1)] : nil
        first = (first + 1) % WatchLimits.outbox
        count -= 1
        keptSequence = max(keptSequence, acknowledgedSequence)
        return AcknowledgedMessage(tap: slot.tap, sentAt: sentAt)
    }

    /// Whether a check-off of this item waits to be acknowledged.
    func holdsCheckOff(of id: ItemID) -> Bool {
        for offset in 0..<count where slots[(first + offset) % WatchLimits.outbox].isCheckOff(of: id) { return true }
        return false
    }

    private func departure(of sequence: UInt32) -> Int {
        Int(truncatingIfNeeded: sequence) & (Outbox.onTheirWay - 1)
    }

    private func index(of sequence: UInt32) -> Int? {
        guard sequence > acknowledgedSequence, sequence <= newestSequence else { return nil }
        return (first + Int(truncatingIfNeeded: sequence &- acknowledgedSequence &- 1)) % WatchLimits.outbox
    }
}

// MARK: Reading back

extension Outbox {
    /// Starts again with no messages, after one with this sequence number.
    mutating func reset(acknowledged: UInt32) {
        first = 0
        count = 0
        newestSequence = acknowledged
        keptSequence = acknowledged
    }

    /// Puts a message back that was read from the journal. Messages may come in any order, and more than once.
    ///
    /// Acknowledgements are not recorded one by one. When more messages come back than can ever have waited at once, the
    /// oldest have been acknowledged.
    mutating func restore(_ message: OutboxMessage, sequence: UInt32) {
        guard sequence > acknowledgedSequence else { return }
        // A number far ahead is one that this watch never gave out: it starts the stream anew from there.
        if sequence &- newestSequence > UInt32(WatchLimits.outbox) && sequence > newestSequence {
            reset(acknowledged: sequence &- 1)
        }
        while newestSequence < sequence {
            if isFull { _ = popAcknowledged(upTo: acknowledgedSequence &+ 1) }
            slots[(first + count) % WatchLimits.outbox] = .vacant
            count += 1
            newestSequence &+= 1
        }
        keptSequence = newestSequence
        guard let index = index(of: sequence) else { return }
        slots[index] = OutboxSlot(message, tap: nil)
    }

    /// Numbers the messages that wait anew, from 1, leaving out those that never came back: what a new epoch begins with.
    mutating func renumber() {
        var moved = 0
        for offset in 0..<count {
            let slot = slots[(first + offset) % WatchLimits.outbox]
            guard slot.content != .vacant else { continue }
            slots[(first + moved) % WatchLimits.outbox] = slot
            moved += 1
        }
        count = moved
        newestSequence = UInt32(truncatingIfNeeded: moved)
        keptSequence = 0
    }
}
