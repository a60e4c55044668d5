import WatchLink

/// A slot of the outbox, packed into sixteen bytes: there are 192, and as an enum each took 36.
struct OutboxSlot: BitwiseCopyable {
    /// Three bits: 4 is added to the content of a message when it is sent.
    enum Content: UInt8, BitwiseCopyable {
        /// The message has not been read back from the journal yet.
        case vacant = 0
        case checkOff = 1
        case reload = 2
        case handler = 3
        case sentCheckOff = 5
        case sentReload = 6
        case sentHandler = 7
    }

    /// The item, the token of a reload, or the cell of a handler's message.
    private let number: UInt32
    /// The time of the check-off; the packed form of nil is 0.
    private let seconds: UInt32
    /// The content in the lowest three bits, the tap above; the packed form of nil is 0.
    private var tapAndContent: UInt32
    /// The epoch in which the message was issued; 0 in a vacant slot.
    let origin: UInt32

    private init(number: UInt32, seconds: UInt32, tap: UInt32, origin: UInt32, _ content: Content) {
        self.number = number
        self.origin = origin
        self.seconds = seconds
        tapAndContent = tap &<< 3 | UInt32(content.rawValue)
    }

    static var vacant: OutboxSlot { OutboxSlot(number: 0, seconds: 0, tap: 0, origin: 0, .vacant) }

    /// A message that was not sent. Of the tap's number 29 bits are kept: 500 million taps.
    init(_ message: OutboxMessage, tap: TapNumber?, origin: UInt32) {
        switch message {
        case .checkOff(let id, let time):
            self.init(number: id.rawValue, seconds: time?.seconds ?? 0, tap: tap?.count ?? 0, origin: origin, .checkOff)
        case .reload(let token):
            self.init(number: token, seconds: 0, tap: tap?.count ?? 0, origin: origin, .reload)
        case .handler(let cell):
            self.init(number: UInt32(cell), seconds: 0, tap: tap?.count ?? 0, origin: origin, .handler)
        }
    }

    var content: Content { Content(rawValue: UInt8(truncatingIfNeeded: tapAndContent & 7)) ?? .vacant }

    /// The tap that the message comes from, nil where that is not known.
    var tap: TapNumber? {
        let number = tapAndContent &>> 3
        return number == 0 ? nil : TapNumber(number)
    }

    var message: OutboxMessage? {
        switch content {
        case .vacant: nil
        case .checkOff, .sentCheckOff:
            .checkOff(ItemID(number), at: seconds == 0 ? nil : LocalTime(seconds: seconds))
        case .reload, .sentReload: .reload(token: number)
        case .handler, .sentHandler: .handler(cell: UInt8(truncatingIfNeeded: number))
        }
    }

    /// Whether the message is a check-off of this item.
    func isCheckOff(of id: ItemID) -> Bool {
        switch content {
        case .checkOff, .sentCheckOff: number == id.rawValue
        case .vacant, .reload, .sentReload, .handler, .sentHandler: false
        }
    }

    /// Whether the message was sent since the watch started.
    var wasSent: Bool {
        switch content {
        case .sentCheckOff, .sentReload, .sentHandler: true
        case .vacant, .checkOff, .reload, .handler: false
        }
    }

    mutating func markSent() {
        switch content {
        case .checkOff, .reload, .handler: tapAndContent |= 4
        case .vacant, .sentCheckOff, .sentReload, .sentHandler: break
        }
    }
}
