import WatchLink

/// The names of the messages that a handler exchanges with the phone, besides the list's messages.
///
/// The watch has no heap, so it reserves memory for each name at its start. A name has 1 to 32 bytes of UTF-8, and a value at
/// most `largestValue` bytes of CBOR. A larger declaration traps at the start.
public struct MessageNames: BitwiseCopyable {
    private(set) var need = MessageNeed()
    private let slots: FixedArray<MessageSlot>?

    /// The most bytes of a value. With its name, such a value fits into the smallest datagram of a link, 128 bytes.
    public static var largestValue: Int { 80 }
    /// The most names of a handler.
    public static var mostNames: Int { 32 }
    /// The most queued messages that wait in each direction. A message to the phone also takes one of the 192 places in the
    /// outbox.
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

    /// Declares a latest value of at most `size` bytes, which a newer value replaces.
    public mutating func latest(_ name: StaticString, from sender: LinkRole, upTo size: Int = 16) {
        switch sender {
        case .watch: add(name, .valueToPhone, size)
        case .phone: add(name, .valueFromPhone, size)
        }
        need.valueBytes += size
    }

    /// Declares queued messages of at most `size` bytes, which are never lost and arrive in order.
    ///
    /// At most `most` messages wait at a time, for the phone's acknowledgement or for the handler. All names of a direction
    /// share these places.
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

    /// Declares questions that `sender` asks. Question and answer have at most `size` bytes each. For each name, one question
    /// at a time is open.
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

    /// The most refusals that wait. PROTOCOL.md lets the phone have this many questions open.
    var refusals: Int { questions == 0 ? 0 : 32 }

    var memorySize: Int {
        names * MemoryLayout<MessageSlot>.stride + valueBytes
            + (outgoing + incoming) * (MemoryLayout<MessageCell>.stride + cellSize)
            + refusals * MemoryLayout<ReplyHeader>.stride
    }
}

/// Declares what a handler exchanges with the phone besides the list. The default is nothing.
public protocol MessageDeclaring {
    /// Lists the names. The runtime calls this more than once. Each call must list the same names.
    static func declare(_ names: inout MessageNames)

    /// The most bytes of a file that the handler takes, up to 65,536; 0 for no files. The watch keeps the newest file
    /// (`WatchCore.file`).
    ///
    /// Use a literal, so that an image whose handler takes no files contains no code for them. The board's flash chip must have
    /// sectors for files (`FlashGeometry.fileSectorCount`).
    static var largestFile: Int { get }
}

extension MessageDeclaring {
    /// Declares no names.
    public static func declare(_ names: inout MessageNames) {}

    /// 0: the handler takes no files.
    public static var largestFile: Int { 0 }
}

/// The names of a caller that has no handler.
struct NoMessages: MessageDeclaring {}

/// The use of a name. The raw values are in flash, so they never change.
package enum MessageUse: UInt8, BitwiseCopyable {
    case valueToPhone = 0
    case valueFromPhone = 1
    case queueToPhone = 2
    case queueFromPhone = 3
    case questionToPhone = 4
    case questionFromPhone = 5

    /// The use of a latest value in the other direction. Nil if this is not the use of a latest value.
    var opposite: MessageUse? {
        switch self {
        case .valueToPhone: .valueFromPhone
        case .valueFromPhone: .valueToPhone
        case .queueToPhone, .queueFromPhone, .questionToPhone, .questionFromPhone: nil
        }
    }
}
