import WatchLink

/// A declared name, and what is under it: a value or an exchange, whose bytes are in the memory of `HandlerMessages`. What
/// is queued under a name is in its `MessageCell`s.
struct MessageSlot: BitwiseCopyable {
    let name: StaticString
    let use: MessageUse
    /// Where its bytes begin.
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

    /// Where its present bytes are.
    var range: Range<Int> { Int(first)..<Int(first) + Int(count) }

    /// Whether a frame of an exchange waits for the radio.
    var owesFrame: Bool {
        switch state {
        case .unsent, .answered: true
        case .empty, .received, .issued, .open, .closed, .asked: false
        }
    }

    /// When whoever has asked stops waiting for a reply, nil where nobody waits. A question with a number that is not sent yet has to
    /// go out first, or the numbers had a gap.
    var deadline: Instant? {
        switch state {
        case .unsent(let question, number: nil), .open(let question, _): question.until
        case .asked(let question, _): question.until
        case .unsent(_, number: .some), .empty, .received, .issued, .closed, .answered: nil
        }
    }
}

enum SlotState: BitwiseCopyable {
    /// Nothing was passed or asked.
    case empty
    /// A value of the phone's, of this revision.
    case received(SlotContent, revision: UInt32, Notice)
    /// A value of ours.
    case issued(SlotContent, revision: UInt32)
    /// A question of ours that the radio has not taken; nil for one without a number on this link.
    case unsent(OwnQuestion, number: UInt32?)
    /// A question of ours that waits for its reply.
    case open(OwnQuestion, number: UInt32)
    /// A question of ours that is over; the bytes are those of the answer, if there is one.
    case closed(QuestionOutcome)
    /// A question of the phone's that the handler has not answered.
    case asked(PhoneQuestion, Notice)
    /// A reply that the radio has not taken; the bytes are its value, where it has one.
    case answered(PhoneQuestion, ReplyStatus)
}

enum SlotContent: BitwiseCopyable {
    case value
    /// The value was cleared.
    case cleared
}

/// Whether the handler knows.
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
    /// When the phone stops waiting.
    let until: Instant
}

/// How a question of the watch's has ended.
public enum QuestionOutcome: Equatable, Sendable, BitwiseCopyable {
    /// Somebody on the phone has taken it; the value is the answer, where one was wanted.
    case answered
    /// The phone has replied that it is not answered, and why.
    case refused(ReplyStatus)
    /// There was no reply in time.
    case late
    /// The link was lost before there was a reply.
    case outOfReach
}

/// Whether the phone's word on queued messages says which of them it rejected.
enum PhoneAnswers: BitwiseCopyable {
    case heard
    /// That was lost with the link before.
    case lost
}

/// What became of a queued message of the watch's.
public enum PassedOutcome: Equatable, Sendable, BitwiseCopyable {
    /// A program on the phone has it, or will have it.
    case applied
    /// Nobody on the phone will ever have it, and why.
    case rejected(RejectionReason)
    /// The phone is done with it. Which of the two it was is lost with a link.
    case unknown
}

/// A queued message under a name of the handler's own, in either direction.
struct MessageCell: BitwiseCopyable {
    enum State: BitwiseCopyable {
        case free
        /// It waits for the phone, as long as the outbox has it under this sequence.
        case outgoing(sequence: UInt32)
        /// The phone is done with it, and the handler has not been told.
        case settled(sequence: UInt32, PassedOutcome)
        /// It waits for the handler. Messages are given in the order of their arrival, which counts from the watch's start.
        case arrived(sequence: UInt32, order: UInt32)
    }

    var slot: UInt8 = 0
    var count: UInt8 = 0
    var state = State.free
}
