import WatchLink

/// A slot of the outbox, packed into sixteen bytes: there are 192, and as an enum each took 36.
struct OutboxSlot: BitwiseCopyable {
    /// Four bits: 8 is added to the content of a message when it is sent.
    enum Content: UInt8, BitwiseCopyable {
        /// The message has not been read back from the journal yet.
        case vacant = 0
        case checkOff = 1
        case reload = 2
        case handler = 3
        case addition = 4
        case sentCheckOff = 9
        case sentReload = 10
        case sentHandler = 11
        case sentAddition = 12
    }

    /// The item, the token of a reload, or the cell of a handler's message.
    private let number: UInt32
    /// The time of the check-off or the addition; the packed form of nil is 0.
    private let seconds: UInt32
    /// The content in the lowest four bits, the tap above; the packed form of nil is 0.
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

    /// A message that was not sent. Of the tap's number 28 bits are kept: 250 million taps.
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

    var content: Content { Content(rawValue: UInt8(truncatingIfNeeded: tapAndContent & 15)) ?? .vacant }

    /// The tap that the message comes from, nil where that is not known.
    var tap: TapNumber? {
        let number = tapAndContent &>> 4
        return number == 0 ? nil : TapNumber(number)
    }

    var message: OutboxMessage? {
        switch content {
        case .vacant: nil
        case .checkOff, .sentCheckOff:
            .checkOff(ItemID(number), at: seconds == 0 ? nil : LocalTime(seconds: seconds))
        case .addition, .sentAddition:
            .addition(ItemID(number), at: seconds == 0 ? nil : LocalTime(seconds: seconds))
        case .reload, .sentReload: .reload(token: number)
        case .handler, .sentHandler: .handler(cell: UInt8(truncatingIfNeeded: number))
        }
    }

    /// Whether the message is a check-off of this item.
    func isCheckOff(of id: ItemID) -> Bool {
        switch content {
        case .checkOff, .sentCheckOff: number == id.rawValue
        case .vacant, .reload, .sentReload, .handler, .sentHandler, .addition, .sentAddition: false
        }
    }

    /// Whether the message was sent since the watch started.
    var wasSent: Bool {
        switch content {
        case .sentCheckOff, .sentReload, .sentHandler, .sentAddition: true
        case .vacant, .checkOff, .reload, .handler, .addition: false
        }
    }

    mutating func markSent() {
        switch content {
        case .checkOff, .reload, .handler, .addition: tapAndContent |= 8
        case .vacant, .sentCheckOff, .sentReload, .sentHandler, .sentAddition: break
        }
    }
}
