/// All messages of the list application.
///
/// A new message is a case here and a file beside this one with the type of its payload. The compiler then leads to the
/// code of each side, and a test compares the table of PROTOCOL.md.
///
/// | Message | Payload |
/// |---|---|
/// | `check` | `CheckMessage` |
/// | `list` | `ListMessage`, read by `ListMessageReader` |
/// | `reload` | `ReloadMessage` |
/// | `title` | `TitleMessage` |
/// | `complication` | `ComplicationMessage`, read by `ComplicationMessageReader` |
/// | `past` | `ListMessage` of puts alone, read by `ListMessageReader` |
/// | `add` | `AddMessage` |
public enum ApplicationMessage: UInt8, Sendable, BitwiseCopyable {
    /// The wearer checked an item off.
    case check
    /// Changes of the list on the watch.
    case list
    /// The watch requests its list again.
    case reload
    /// The list's name and the time of the last trip.
    case title
    /// The complication's time line.
    case complication
    /// Past items that the wearer may add back.
    case past
    /// The wearer added a past item back.
    case add

    /// The message with this name, nil where there is none.
    public init?(name: Span<UInt8>) {
        var number: UInt8 = 0
        while let message = ApplicationMessage(rawValue: number) {
            if name.matches(message.name) {
                self = message
                return
            }
            number &+= 1
        }
        return nil
    }

    /// The name in the message's body, 1 to 32 bytes of UTF-8.
    public var name: StaticString {
        switch self {
        case .check: "check"
        case .list: "list"
        case .reload: "reload"
        case .title: "title"
        case .complication: "complication"
        case .past: "past"
        case .add: "add"
        }
    }

    /// How the message is delivered.
    public var delivery: LinkDelivery {
        switch self {
        case .check, .list, .reload, .add: .queued
        case .title, .complication, .past: .latest
        }
    }

    /// The side that sends the message.
    public var sender: LinkRole {
        switch self {
        case .check, .reload, .add: .watch
        case .list, .title, .complication, .past: .phone
        }
    }
}

/// The payload of a message of the list application.
public protocol ApplicationPayload {
    static var message: ApplicationMessage { get }
}

extension ApplicationPayload {
    /// The name in the message's body.
    public static var name: StaticString { message.name }
    /// How the message is delivered.
    public static var delivery: LinkDelivery { message.delivery }
}
