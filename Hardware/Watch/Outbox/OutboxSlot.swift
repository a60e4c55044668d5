import WatchLink

/// A place of the outbox in twelve bytes: there are 192 of them, and as an enum each took 32.
struct OutboxSlot: BitwiseCopyable {
    /// What is in it.
    enum Content: UInt8, BitwiseCopyable {
        /// A message that has not been read back from the journal yet.
        case vacant = 0
        /// A check-off that has not left the radio.
        case checkOff = 1
        /// A request for the whole list that has not left the radio.
        case reload = 2
        /// A check-off that has left the radio once.
        case sentCheckOff = 5
        /// A request for the whole list that has left the radio once.
        case sentReload = 6
    }

    /// The item, or the token of a reload.
    private let number: UInt32
    /// Seconds of the check-off, 0 for unknown.
    private let seconds: UInt32
    /// The content in the lowest three bits, the tap above.
    private var tapAndContent: UInt32

    private init(number: UInt32, seconds: UInt32, tap: UInt32, _ content: Content) {
        self.number = number
        self.seconds = seconds
        tapAndContent = tap &<< 3 | UInt32(content.rawValue)
    }

    /// A place without a message.
    static var vacant: OutboxSlot { OutboxSlot(number: 0, seconds: 0, tap: 0, .vacant) }

    /// A message that has not left the radio. Of the tap's number 29 bits are kept: 500 million taps.
    init(_ message: OutboxMessage, tap: TapNumber?) {
        switch message {
        case .checkOff(let id, let time):
            self.init(number: id.rawValue, seconds: time?.seconds ?? 0, tap: tap?.count ?? 0, .checkOff)
        case .reload(let token):
            self.init(number: token, seconds: 0, tap: tap?.count ?? 0, .reload)
        }
    }

    /// What is in it.
    var content: Content { Content(rawValue: UInt8(truncatingIfNeeded: tapAndContent & 7)) ?? .vacant }

    /// The tap that the message belongs to, if it is known. In the slot 0 stands for none: taps count from 1.
    var tap: TapNumber? {
        let number = tapAndContent &>> 3
        return number == 0 ? nil : TapNumber(number)
    }

    /// The message, unless the place is vacant.
    var message: OutboxMessage? {
        switch content {
        case .vacant: nil
        case .checkOff, .sentCheckOff:
            .checkOff(ItemID(number), at: seconds == 0 ? nil : LocalTime(seconds: seconds))
        case .reload, .sentReload: .reload(token: number)
        }
    }

    /// Whether the message is a check-off of this item.
    func isCheckOff(of id: ItemID) -> Bool {
        switch content {
        case .checkOff, .sentCheckOff: number == id.rawValue
        case .vacant, .reload, .sentReload: false
        }
    }

    /// Whether the message has left the radio.
    var wasSent: Bool {
        switch content {
        case .sentCheckOff, .sentReload: true
        case .vacant, .checkOff, .reload: false
        }
    }

    /// Notes that the message has left the radio.
    mutating func markSent() {
        switch content {
        case .checkOff, .reload: tapAndContent |= 4
        case .vacant, .sentCheckOff, .sentReload: break
        }
    }
}
