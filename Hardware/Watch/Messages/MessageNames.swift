import WatchLink

/// The names of the messages that a tap handler exchanges with the phone. The messages of the list are not among them.
///
/// The watch has no heap, so it reserves memory for every name when it starts. A name has 1 to 32 bytes of UTF-8. A
/// value has at most `largestValue` bytes of CBOR. A declaration outside these limits traps when the watch starts.
public struct MessageNames: BitwiseCopyable {
    private(set) var need = MessageNeed()
    private let slots: FixedArray<MessageSlot>?

    /// The maximum size of a value, in bytes. With its name, such a value fits into 128 bytes, which every link can
    /// carry in one datagram.
    public static var largestValue: Int { 80 }
    /// The maximum number of names that a handler declares.
    public static var mostNames: Int { 32 }
    /// The maximum number of queued messages that can wait in each direction. This limits the sum of `waiting` over all
    /// `queued` calls of a direction. Each waiting message to the phone also takes one of the 192 places in the outbox.
    public static var mostWaiting: Int { 32 }

    private init(into slots: FixedArray<MessageSlot>?) {
        self.slots = slots
    }

    static func need(of declare: (inout MessageNames) -> Void) -> MessageNeed {
        var names = MessageNames(into: nil)
        declare(&names)
        return names.need
    }

    package static func slots(
        of handler: (some MessageDeclaring).Type, arena: inout MemoryArena
    ) -> FixedArray<MessageSlot> {
        let slots = arena.take(need(of: handler.declare).names, of: MessageSlot.unused)
        fill(slots, from: handler.declare)
        return slots
    }

    static func fill(_ slots: FixedArray<MessageSlot>, from declare: (inout MessageNames) -> Void) {
        var names = MessageNames(into: slots)
        declare(&names)
    }

    /// Declares a name under which `sender` sends latest values (`LinkDelivery.latest`), each of at most `size` bytes.
    /// A newer value replaces the older value.
    public mutating func latest(_ name: StaticString, from sender: LinkRole, upTo size: Int = 16) {
        switch sender {
        case .watch: add(name, .valueToPhone, size)
        case .phone: add(name, .valueFromPhone, size)
        }
        need.valueBytes += size
    }

    /// Declares queued messages from `sender`, of at most `size` bytes each. They are never lost, and arrive in order.
    ///
    /// Reserves `most` places for messages that wait for the phone's acknowledgement or for the handler. All names of a
    /// direction share their places, so more than `most` messages of one name can wait.
    public mutating func queued(
        _ name: StaticString, from sender: LinkRole, upTo size: Int = 16, waiting most: Int = 4
    ) {
        precondition(most > 0, "a queue has room for one message or more")
        switch sender {
        case .watch:
            add(name, .queueToPhone, size)
            need.outgoing += most
        case .phone:
            add(name, .queueFromPhone, size)
            need.incoming += most
        }
        need.cellSize = max(need.cellSize, size)
        precondition(max(need.outgoing, need.incoming) <= MessageNames.mostWaiting, "too many messages would wait")
    }

    /// Declares questions that `sender` asks. A question and its answer have at most `size` bytes each. Only one
    /// question with this name can be open at a time.
    public mutating func interactive(_ name: StaticString, from sender: LinkRole, upTo size: Int = 16) {
        switch sender {
        case .watch: add(name, .questionToPhone, size)
        case .phone: add(name, .questionFromPhone, size)
        }
        need.valueBytes += size
        need.questions += 1
    }

    private mutating func add(_ name: StaticString, _ use: MessageUse, _ size: Int) {
        precondition((1...LinkLimits.longestName).contains(name.utf8CodeUnitCount), "a name has 1 to 32 bytes")
        precondition(ApplicationMessage(name: name.utf8) == nil, "this name is one of the list's")
        precondition(size > 0 && size <= MessageNames.largestValue, "a value has 1 to 80 bytes")
        precondition(need.names < MessageNames.mostNames, "a handler has at most 32 names")
        if let slots {
            // On the phone, the two values would overwrite each other.
            for index in 0..<need.names where name.utf8.matches(slots[index].name) {
                precondition(slots[index].use != use.opposite, "a latest value has one sender")
                precondition(slots[index].use != use, "a name is declared once for each use")
            }
            slots[need.names] = MessageSlot(name: name, use: use, first: need.valueBytes, capacity: size)
        }
        need.names += 1
    }
}

struct MessageNeed: BitwiseCopyable {
    var names = 0
    var valueBytes = 0
    var questions = 0
    var outgoing = 0
    var incoming = 0
    var cellSize = 0

    /// The maximum number of replies that refuse a question of the phone and wait for the radio. PROTOCOL.md lets the
    /// phone have 32 questions open.
    var refusals: Int { questions == 0 ? 0 : 32 }

    var memorySize: Int {
        names * MemoryLayout<MessageSlot>.stride + valueBytes
            + (outgoing + incoming) * (MemoryLayout<MessageCell>.stride + cellSize)
            + refusals * MemoryLayout<ReplyHeader>.stride
    }
}

/// Declares which messages and files a handler exchanges with the phone, besides the messages of the list. By default,
/// there are none.
public protocol MessageDeclaring {
    /// Adds the handler's names to `names`. The runtime calls this more than once, and each call must add the same
    /// names.
    static func declare(_ names: inout MessageNames)

    /// The maximum size in bytes of a file that the handler takes, up to 65,536; 0 for no files. The watch stores only
    /// the newest file (`WatchCore.file`).
    ///
    /// Return a literal. If it is 0, the image contains no code for files. If it is higher, the board's flash chip must
    /// have sectors for files (`FlashGeometry.fileSectorCount`).
    static var largestFile: Int { get }
}

extension MessageDeclaring {
    /// Declares no names.
    public static func declare(_ names: inout MessageNames) {}

    /// 0: the handler takes no files.
    public static var largestFile: Int { 0 }
}

/// Declares nothing. Code that does not know the handler's type passes this type instead, and then handles no files.
struct NoMessages: MessageDeclaring {}

/// How the messages of a name are delivered, and in which direction. Records in flash contain the raw values, so these
/// never change.
package enum MessageUse: UInt8, BitwiseCopyable {
    case valueToPhone = 0
    case valueFromPhone = 1
    case queueToPhone = 2
    case queueFromPhone = 3
    case questionToPhone = 4
    case questionFromPhone = 5

    /// The use of a name for latest values (`LinkDelivery.latest`) in the opposite direction. Nil for queued messages
    /// and questions.
    var opposite: MessageUse? {
        switch self {
        case .valueToPhone: .valueFromPhone
        case .valueFromPhone: .valueToPhone
        case .queueToPhone, .queueFromPhone, .questionToPhone, .questionFromPhone: nil
        }
    }
}
