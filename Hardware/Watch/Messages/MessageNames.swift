import WatchLink

/// The names that a handler exchanges with the phone beside those of the list, as `MessageHandler.declare` lists them.
///
/// The watch has no heap: what a name may hold is declared with it, and the memory is there from the start. A name has 1 to
/// 32 bytes of UTF-8, a value at most `largestValue` bytes of CBOR; a declaration beyond that traps at the start of the watch.
public struct MessageNames: BitwiseCopyable {
    private(set) var need = MessageNeed()
    private let slots: FixedArray<MessageSlot>?

    /// The longest value in bytes of CBOR. With its name it fits the smallest datagram of a link, 128 bytes.
    public static var largestValue: Int { 80 }
    /// The most names of a handler.
    public static var mostNames: Int { 32 }
    /// The most queued messages that wait in either direction. Each of them takes the place of a check-off in the queue to
    /// the phone, which has room for 192.
    public static var mostWaiting: Int { 32 }

    private init(into slots: FixedArray<MessageSlot>?) {
        self.slots = slots
    }

    /// What the names of a declaration need.
    static func need(of declare: (inout MessageNames) -> Void) -> MessageNeed {
        var names = MessageNames(into: nil)
        declare(&names)
        return names.need
    }

    /// Writes the names of a declaration into as many slots.
    static func fill(_ slots: FixedArray<MessageSlot>, from declare: (inout MessageNames) -> Void) {
        var names = MessageNames(into: slots)
        declare(&names)
    }

    /// A value of which only the newest matters, which both sides read by its name.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - sender: the side that passes it.
    ///   - size: the most bytes of the value, 1 to `largestValue`.
    public mutating func latest(_ name: StaticString, from sender: LinkRole, upTo size: Int = 16) {
        switch sender {
        case .watch: add(name, .valueToPhone, size)
        case .phone: add(name, .valueFromPhone, size)
        }
        need.valueBytes += size
    }

    /// Messages of which none is lost: first in, first out.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - sender: the side that passes them.
    ///   - size: the most bytes of a message's value, 1 to `largestValue`.
    ///   - most: how many of them wait at a time: to the phone, for its acknowledgement; from the phone, for the handler. All
    ///     names of a direction share their places.
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

    /// Questions that are answered at once or not at all. One of a name is open at a time.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - sender: the side that asks.
    ///   - size: the most bytes of the question's value and of its answer, 1 to `largestValue`.
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
            // The two would overwrite each other on the phone.
            for index in 0..<need.names where name.utf8.matches(slots[index].name) {
                precondition(slots[index].use != use.opposite, "a latest value has one sender")
                precondition(slots[index].use != use, "a name is declared once for each use")
            }
            slots[need.names] = MessageSlot(name: name, use: use, first: need.valueBytes, capacity: size)
        }
        need.names += 1
    }
}

/// The memory that a handler's names need.
struct MessageNeed: BitwiseCopyable {
    var names = 0
    /// Bytes of the values and questions.
    var valueBytes = 0
    var questions = 0
    /// Queued messages that wait for the phone.
    var outgoing = 0
    /// Queued messages that wait for the handler.
    var incoming = 0
    /// The most bytes of a queued message's value.
    var cellSize = 0

    /// Questions of the phone's that may be refused at once: as many as PROTOCOL.md lets it have open.
    var refusals: Int { questions == 0 ? 0 : 32 }

    var memorySize: Int {
        names * MemoryLayout<MessageSlot>.stride + valueBytes
            + (outgoing + incoming) * (MemoryLayout<MessageCell>.stride + cellSize)
            + refusals * MemoryLayout<ReplyHeader>.stride
    }
}
