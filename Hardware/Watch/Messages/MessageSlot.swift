import WatchLink

/// A declared name with its value or exchange. `HandlerMessages` holds the bytes, and `MessageCell`s hold what is
/// queued.
struct MessageSlot: BitwiseCopyable {
    let name: StaticString
    let use: MessageUse
    let first: UInt16
    let capacity: UInt16
    var count: UInt16 = 0
    var state = SlotState.empty

    init(name: StaticString, use: MessageUse, first: Int, capacity: Int) {
        self.name = name
        self.use = use
        self.first = UInt16(truncatingIfNeeded: first)
        self.capacity = UInt16(truncatingIfNeeded: capacity)
    }

    static var unused: MessageSlot { MessageSlot(name: "", use: .valueToPhone, first: 0, capacity: 0) }

    var range: Range<Int> { Int(first)..<Int(first) + Int(count) }

    var owesFrame: Bool {
        switch state {
        case .unsent, .answered: true
        case .empty, .received, .issued, .open, .closed, .asked: false
        }
    }

    /// When the asking side stops waiting, nil if no side waits. A question that has a number but is not sent must
    /// still go out, or the numbers would have a gap.
    var deadline: Instant? {
        switch state {
        case .unsent(let question, number: nil), .open(let question, _): question.until
        case .asked(let question, _): question.until
        case .unsent(_, number: .some), .empty, .received, .issued, .closed, .answered: nil
        }
    }
}

enum SlotState: BitwiseCopyable {
    case empty
    case received(SlotContent, revision: UInt32, Notice)
    case issued(SlotContent, revision: UInt32)
    /// A question of the watch that the radio has not taken. It has no number before its first attempt on this link.
    case unsent(OwnQuestion, number: UInt32?)
    case open(OwnQuestion, number: UInt32)
    /// A question of the watch that has ended. The bytes are the answer, if there is one.
    case closed(QuestionOutcome)
    case asked(PhoneQuestion, Notice)
    /// A reply that the radio has not taken. The bytes are its value, if it has one.
    case answered(PhoneQuestion, ReplyStatus)
}

enum SlotContent: BitwiseCopyable {
    case value
    case cleared
}

enum Notice: BitwiseCopyable {
    case unseen
    case seen
}

struct OwnQuestion: BitwiseCopyable {
    let wish: InteractiveHeader.Wish
    let until: Instant
}

struct PhoneQuestion: BitwiseCopyable {
    let number: UInt32
    let wish: InteractiveHeader.Wish
    let until: Instant
}

/// How a question of the watch ended.
public enum QuestionOutcome: Equatable, Sendable, BitwiseCopyable {
    /// The phone has answered; the value is the answer, if one was wanted.
    case answered
    /// The phone did not answer, and why.
    case refused(ReplyStatus)
    case late
    case outOfReach
}

/// The fate of a queued message of the watch.
public enum PassedOutcome: Equatable, Sendable, BitwiseCopyable {
    /// A program on the phone has it, or will have it.
    case applied
    /// No program on the phone will ever have it, and why.
    case rejected(RejectionReason)
    /// The phone is done with it. The report whether it was applied or rejected was lost with the link.
    case unknown
}

struct MessageCell: BitwiseCopyable {
    enum State: BitwiseCopyable {
        case free
        /// It waits for the phone under this sequence of the outbox.
        case outgoing(sequence: UInt32)
        /// The phone is done with it, and the handler has not been told.
        case settled(sequence: UInt32, PassedOutcome)
        /// It waits for the handler. `order` counts arrivals since the watch started.
        case arrived(sequence: UInt32, order: UInt32)
    }

    var slot: UInt8 = 0
    var count: UInt8 = 0
    var state = State.free
}
