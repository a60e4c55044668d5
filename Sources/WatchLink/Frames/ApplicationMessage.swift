/// All messages of the list application.
///
/// To add a message, add a case here and a file with its payload type to this folder. The compiler then points to the code on
/// each side that needs the new case. A test compares this list with the table in PROTOCOL.md.
///
/// | Message | Payload |
/// |---|---|
/// | `check` | `CheckMessage` |
/// | `list` | `ListMessage`, read by `ListMessageReader` |
/// | `reload` | `ReloadMessage` |
/// | `title` | `TitleMessage` |
/// | `complication` | `ComplicationMessage`, read by `ComplicationMessageReader` |
/// | `past` | `ListMessage` with puts only, read by `ListMessageReader` |
/// | `add` | `AddMessage` |
package enum ApplicationMessage: UInt8, Sendable, BitwiseCopyable {
    case check
    case list
    case reload
    case title
    case complication
    case past
    case add

    /// The message with this name, nil if there is none.
    package init?(name: Span<UInt8>) {
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
    package var name: StaticString {
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

    package var delivery: LinkDelivery {
        switch self {
        case .check, .list, .reload, .add: .queued
        case .title, .complication, .past: .latest
        }
    }

    package var sender: LinkRole {
        switch self {
        case .check, .reload, .add: .watch
        case .list, .title, .complication, .past: .phone
        }
    }
}

/// The payload of a message of the list application.
package protocol ApplicationPayload {
    static var message: ApplicationMessage { get }
}

extension ApplicationPayload {
    package static var name: StaticString { message.name }
    package static var delivery: LinkDelivery { message.delivery }
}

/// A payload that is read and written as a whole: a CBOR map with small integer keys.
///
/// Decoding never traps and skips unknown keys. It reads the whole payload before any of it is used, so a message is applied
/// whole or rejected.
package protocol LinkMessage: ApplicationPayload {
    @_lifetime(writer: copy writer)
    func encode(into writer: inout CBORWriter) throws(CBORError)
    init(from reader: inout CBORReader) throws(CBORError)
}

extension LinkMessage {
    /// Writes the body of the message: its name and payload. Stores keep messages in this form.
    @_lifetime(writer: copy writer)
    package func encodeBody(into writer: inout CBORWriter) throws(CBORError) {
        try writer.text(Self.name)
        try encode(into: &writer)
    }
}
