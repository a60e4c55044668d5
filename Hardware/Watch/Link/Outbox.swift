import WatchLink

struct QueuedMessage: BitwiseCopyable {
    let message: OutboxMessage
    let tap: TapNumber?
    let origin: UInt32
}

struct AcknowledgedMessage: BitwiseCopyable {
    let tap: TapNumber?
    /// When the radio last took the message. Nil if it has not been sent since the watch started.
    let sentAt: Instant?
}

/// The number and the epoch of the watch's last message that a phone has acknowledged.
struct OutboxEnd: Equatable, BitwiseCopyable {
    /// The message's number. 0 if no message was acknowledged.
    var sequence: UInt32
    /// The epoch in which the message was issued; nil if unknown.
    var origin: UInt32?

    static var none: OutboxEnd { OutboxEnd(sequence: 0, origin: nil) }
}

/// The messages that the phone has not acknowledged, oldest first, with consecutive numbers. A message is in flash before it is
/// queued. Otherwise a restart could lose a message that the phone already has, and a new message would get the same number.
struct Outbox {
    private let slots: FixedArray<OutboxSlot>
    /// When each message of the send window was last sent. The index is the message's number modulo the largest window. A
    /// time is valid if `wasSent` is true for the message's slot.
    private let departures: FixedArray<Instant>
    private var first = 0
    private(set) var count = 0
    /// The number of the newest message; 0 before the first. After a restart, the numbers continue.
    private(set) var newestSequence: UInt32 = 0
    /// The epoch in which the last acknowledged message was issued; nil if unknown.
    private(set) var acknowledgedOrigin: UInt32?

    static var memorySize: Int {
        WatchLimits.outbox * MemoryLayout<OutboxSlot>.stride + onTheirWay * MemoryLayout<Instant>.stride
    }

    private static var onTheirWay: Int { Int(LinkLimits.largestWindow) }

    init(arena: inout MemoryArena) {
        slots = arena.take(WatchLimits.outbox, of: .vacant)
        departures = arena.take(Outbox.onTheirWay, of: .start)
    }

    var isEmpty: Bool { count == 0 }

    var isFull: Bool { count == WatchLimits.outbox }

    var acknowledgedSequence: UInt32 { newestSequence &- UInt32(truncatingIfNeeded: count) }

    var end: OutboxEnd { OutboxEnd(sequence: acknowledgedSequence, origin: acknowledgedOrigin) }

    /// The number of the next message. Nil if the outbox has no room, or if no number is left.
    var nextSequence: UInt32? { isFull || newestSequence == .max ? nil : newestSequence &+ 1 }

    /// Whether the watch must number its messages from 1 again, in a new epoch. True if no message waits and half of the
    /// numbers are used.
    var isExhausted: Bool { isEmpty && newestSequence >= 0x8000_0000 }

    /// Adds a message that was issued in the epoch `origin`. Returns its number. Nil if the outbox has no room, or if no number
    /// is left.
    @discardableResult
    mutating func append(_ message: OutboxMessage, tap: TapNumber? = nil, origin: UInt32) -> UInt32? {
        guard let sequence = nextSequence else { return nil }
        slots[(first + count) % WatchLimits.outbox] = OutboxSlot(message, tap: tap, origin: origin)
        count += 1
        newestSequence = sequence
        return sequence
    }

    func message(_ sequence: UInt32) -> QueuedMessage? {
        guard let index = index(of: sequence), let message = slots[index].message else { return nil }
        return QueuedMessage(message: message, tap: slots[index].tap, origin: slots[index].origin)
    }

    /// Records when a message was sent. Returns the message's tap the first time, and nil after that.
    mutating func markSent(_ sequence: UInt32, at instant: Instant) -> TapNumber? {
        guard let index = index(of: sequence), slots[index].content != .vacant else { return nil }
        departures[departure(of: sequence)] = instant
        guard !slots[index].wasSent else { return nil }
        slots[index].markSent()
        return slots[index].tap
    }

    /// Removes and returns the oldest message if its number is at most `sequence`. Returns nil if its number is higher, or
    /// if no message waits.
    mutating func popAcknowledged(upTo sequence: UInt32) -> AcknowledgedMessage? {
        guard count > 0, acknowledgedSequence < sequence else { return nil }
        let slot = slots[first]
        let sentAt = slot.wasSent ? departures[departure(of: acknowledgedSequence &+ 1)] : nil
        first = (first + 1) % WatchLimits.outbox
        count -= 1
        acknowledgedOrigin = slot.origin == 0 ? nil : slot.origin
        return AcknowledgedMessage(tap: slot.tap, sentAt: sentAt)
    }

    func holdsCheckOff(of id: ItemID, above sequence: UInt32 = 0) -> Bool {
        guard sequence < newestSequence else { return false }
        let done = sequence > acknowledgedSequence ? Int(truncatingIfNeeded: sequence &- acknowledgedSequence) : 0
        for offset in done..<count where slots[(first + offset) % WatchLimits.outbox].isCheckOff(of: id) {
            return true
        }
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
    mutating func reset(after end: OutboxEnd) {
        first = 0
        count = 0
        newestSequence = end.sequence
        acknowledgedOrigin = end.origin
    }

    mutating func restore(_ end: OutboxEnd) {
        // A lower number means that the numbers have begun again. That happens only if no message waits.
        if isEmpty || end.sequence < acknowledgedSequence {
            reset(after: end)
        } else {
            while popAcknowledged(upTo: end.sequence) != nil {}
            if acknowledgedSequence == end.sequence { acknowledgedOrigin = end.origin }
        }
    }

    /// Adds a message that was read from the journal. Messages may come in any order and repeatedly. If the outbox is full,
    /// drops the oldest message. The watch never queues more messages than fit, so the phone has acknowledged the dropped
    /// message, even if the journal does not say so.
    mutating func restore(_ message: OutboxMessage, sequence: UInt32, origin: UInt32) {
        extend(to: sequence)
        guard let index = index(of: sequence) else { return }
        slots[index] = OutboxSlot(message, tap: nil, origin: origin)
    }

    /// Makes `sequence` the newest number if it is higher. Gives each new number a vacant slot, which `restore` may fill
    /// later.
    mutating func extend(to sequence: UInt32) {
        guard sequence > acknowledgedSequence else { return }
        // At most `WatchLimits.outbox` messages wait at a time. If `sequence` is further ahead, the phone has acknowledged every
        // message up to `newestSequence`.
        if sequence &- newestSequence > UInt32(WatchLimits.outbox) && sequence > newestSequence {
            reset(after: OutboxEnd(sequence: sequence &- 1, origin: nil))
        }
        while newestSequence < sequence {
            if isFull { _ = popAcknowledged(upTo: acknowledgedSequence &+ 1) }
            slots[(first + count) % WatchLimits.outbox] = .vacant
            count += 1
            newestSequence &+= 1
        }
    }
}

package enum OutboxMessage: Sendable, BitwiseCopyable, Equatable {
    /// The wearer has checked this item off. The time is nil if the clock was not set.
    case checkOff(ItemID, at: LocalTime?)
    /// The wearer has put a past item on the list again. The time is nil if the clock was not set.
    case addition(ItemID, at: LocalTime?)
    /// A request for all rows of the phone's list. The answer carries this token.
    case reload(token: UInt32)
    /// A handler's message, whose name and bytes are in this cell of `HandlerMessages`.
    case handler(cell: UInt8)

    /// Writes the message's frame. `origin` is the epoch in which the message was issued; nil for the present epoch.
    @inline(never)
    func encodeFrame(
        sequence: UInt32, origin: UInt32?, tap: TapNumber?, _ messages: borrowing HandlerMessages,
        into writer: inout CBORWriter
    ) throws(CBORError) {
        try MessageHeader(.queued, sequence: sequence, origin: origin).encode(into: &writer)
        switch self {
        case .checkOff(let id, let time):
            try CheckMessage(item: id.rawValue, localTime: time?.seconds, tap: tap?.count).encodeBody(into: &writer)
        case .addition(let id, let time):
            try AddMessage(item: id.rawValue, localTime: time?.seconds).encodeBody(into: &writer)
        case .reload(let token):
            try ReloadMessage(token: token, extent: .everything).encodeBody(into: &writer)
        case .handler(let cell): try messages.encodeOutgoing(Int(cell), into: &writer)
        }
    }
}

/// A queued message in sixteen bytes. An enum would take 36 for each of 192 messages.
struct OutboxSlot: BitwiseCopyable {
    enum Content: UInt8, BitwiseCopyable {
        /// The slot is unused, or its message has not been read from the journal.
        case vacant = 0
        case checkOff = 1
        case reload = 2
        case handler = 3
        case addition = 4
    }

    /// The item, the token of a reload request, or the cell of a handler's message.
    private let number: UInt32
    /// The time of a check-off or an addition; 0 for nil.
    private let seconds: UInt32
    /// From the lowest bit: three bits for the kind of content, one for whether the message was sent, 28 for the number of its
    /// tap (0 for nil).
    private var tapAndContent: UInt32
    /// The epoch in which the message was issued; 0 in a vacant slot.
    let origin: UInt32

    private init(number: UInt32, seconds: UInt32, tap: UInt32, origin: UInt32, _ content: Content) {
        self.number = number
        self.origin = origin
        self.seconds = seconds
        tapAndContent = tap &<< 4 | UInt32(content.rawValue)
    }

    static var vacant: OutboxSlot { OutboxSlot(number: 0, seconds: 0, tap: 0, origin: 0, .vacant) }

    /// Stores the lowest 28 bits of the tap's number: enough for 250 million taps.
    init(_ message: OutboxMessage, tap: TapNumber?, origin: UInt32) {
        switch message {
        case .checkOff(let id, let time):
            self.init(number: id.rawValue, seconds: time?.seconds ?? 0, tap: tap?.count ?? 0, origin: origin, .checkOff)
        case .addition(let id, let time):
            self.init(number: id.rawValue, seconds: time?.seconds ?? 0, tap: tap?.count ?? 0, origin: origin, .addition)
        case .reload(let token):
            self.init(number: token, seconds: 0, tap: tap?.count ?? 0, origin: origin, .reload)
        case .handler(let cell):
            self.init(number: UInt32(cell), seconds: 0, tap: tap?.count ?? 0, origin: origin, .handler)
        }
    }

    var content: Content { Content(rawValue: UInt8(truncatingIfNeeded: tapAndContent & 7)) ?? .vacant }

    var tap: TapNumber? {
        let number = tapAndContent &>> 4
        return number == 0 ? nil : TapNumber(number)
    }

    var message: OutboxMessage? {
        switch content {
        case .vacant: nil
        case .checkOff:
            .checkOff(ItemID(number), at: seconds == 0 ? nil : LocalTime(seconds: seconds))
        case .addition:
            .addition(ItemID(number), at: seconds == 0 ? nil : LocalTime(seconds: seconds))
        case .reload: .reload(token: number)
        case .handler: .handler(cell: UInt8(truncatingIfNeeded: number))
        }
    }

    func isCheckOff(of id: ItemID) -> Bool {
        content == .checkOff && number == id.rawValue
    }

    var wasSent: Bool { tapAndContent & 8 != 0 }

    mutating func markSent() { tapAndContent |= 8 }
}
