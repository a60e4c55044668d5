import WatchLink

/// A declared name, with the state of its value or its question. The state of queued messages is in `MessageCell`.
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

    /// The time at which the question expires. Nil if no question waits for an answer. Also nil for an unsent question that
    /// already has a number: if that question expired, the numbers on the link would have a gap.
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
    /// The radio has not taken the watch's question yet. `number` is nil until the watch first tries to send the
    /// question.
    case unsent(OwnQuestion, number: UInt32?)
    case open(OwnQuestion, number: UInt32)
    /// A question of the watch has ended, and the handler does not know it yet. The slot's bytes are the answer; they
    /// are empty if there is none.
    case closed(QuestionOutcome)
    case asked(PhoneQuestion, Notice)
    /// The phone's question is answered or has expired, and the radio has not taken the reply yet. The slot's bytes are
    /// the reply's value; they are empty if it has none.
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
    /// The phone has answered. After `WatchCore.ask`, the value of the event `.over` is the answer. After
    /// `WatchCore.tell`, the event has no value.
    case answered
    /// The phone has given this reason instead of an answer. The watch itself sets `.tooLong` if the answer exceeds the
    /// size that the handler declared, or is not one CBOR data item.
    case refused(ReplyStatus)
    case late
    case outOfReach
}

/// What the phone did with a queued message that `WatchCore.pass` sent.
public enum PassedOutcome: Equatable, Sendable, BitwiseCopyable {
    /// The phone has stored the message. A program on the phone has received it or will receive it.
    case applied
    /// The phone has rejected the message for this reason. No program on the phone receives it.
    case rejected(RejectionReason)
    /// The phone has applied or rejected the message. The watch does not know which, because the phone's report was
    /// lost with the link.
    case unknown
}

struct MessageCell: BitwiseCopyable {
    enum State: BitwiseCopyable {
        case free
        /// A message to the phone. Its number in the outbox is `sequence`. If the message is not in the outbox, the cell
        /// counts as free.
        case outgoing(sequence: UInt32)
        /// The phone has acknowledged the message. The handler has not received the event `.passed` yet.
        case settled(sequence: UInt32, PassedOutcome)
        /// A message from the phone waits for the handler. `order` is the order of arrival, from 1 at the watch's
        /// start.
        case arrived(sequence: UInt32, order: UInt32)
    }

    var slot: UInt8 = 0
    var count: UInt8 = 0
    var state = State.free
}
