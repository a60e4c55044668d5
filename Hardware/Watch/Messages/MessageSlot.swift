import WatchLink

/// A declared name, with the state of its value or question. For queued messages, see `MessageCell`.
package struct MessageSlot: BitwiseCopyable {
    package let name: StaticString
    package let use: MessageUse
    let first: UInt16
    package let capacity: UInt16
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

    /// When the asking side stops waiting. Nil if neither side waits. Also nil for an unsent question with a number: if it
    /// expired, the numbers would have a gap.
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
    /// The radio has not taken the watch's question yet. The question gets its number at the first attempt on this link.
    case unsent(OwnQuestion, number: UInt32?)
    case open(OwnQuestion, number: UInt32)
    /// A question of the watch has ended. The slot's bytes are the answer.
    case closed(QuestionOutcome)
    case asked(PhoneQuestion, Notice)
    /// The handler has answered, but the radio has not taken the reply yet. The slot's bytes are the answer's value.
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

/// How a question of the watch has ended.
public enum QuestionOutcome: Equatable, Sendable, BitwiseCopyable {
    /// The phone has answered. If the watch wanted an answer, the event `.over` has it as its value.
    case answered
    /// The reason why there is no answer, from the phone. The watch itself sets `.tooLong` if it cannot store the answer.
    case refused(ReplyStatus)
    case late
    case outOfReach
}

/// What happened to a queued message of the watch.
public enum PassedOutcome: Equatable, Sendable, BitwiseCopyable {
    /// A program on the phone has the message, or will have it.
    case applied
    /// No program on the phone will get the message.
    case rejected(RejectionReason)
    /// The phone has applied or rejected the message. Which of the two is unknown, because the report was lost with the link.
    case unknown
}

struct MessageCell: BitwiseCopyable {
    enum State: BitwiseCopyable {
        case free
        /// The outbox has the message under this number.
        case outgoing(sequence: UInt32)
        /// The phone has finished with the message, and the handler has not been told yet.
        case settled(sequence: UInt32, PassedOutcome)
        /// The message waits for the handler. `order` counts arrivals since the watch's start.
        case arrived(sequence: UInt32, order: UInt32)
    }

    var slot: UInt8 = 0
    var count: UInt8 = 0
    var state = State.free
}
