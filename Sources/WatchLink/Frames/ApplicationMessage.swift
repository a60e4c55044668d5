/// A message of the list application. Each case has a payload type in this folder, such as `CheckMessage` for `check`. The
/// payload of `past` is a `ListMessage` whose changes are all `.put`.
package enum ApplicationMessage: UInt8, Sendable, BitwiseCopyable {
    case check
    case list
    case reload
    case title
    case complication
    case past
    case add

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

    /// The name at the start of the message's body, 1 to 32 bytes of UTF-8.
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

package protocol ApplicationPayload {
    static var message: ApplicationMessage { get }
}

extension ApplicationPayload {
    package static var name: StaticString { message.name }
    package static var delivery: LinkDelivery { message.delivery }
}

/// A payload that is encoded as a whole and decoded as a whole. It is a CBOR map with small integer keys. Decoding skips
/// unknown keys. A receiver applies the whole payload or rejects the message.
package protocol LinkMessage: ApplicationPayload {
    @_lifetime(writer: copy writer)
    func encode(into writer: inout CBORWriter) throws(CBORError)
    init(from reader: inout CBORReader) throws(CBORError)
}

extension LinkMessage {
    /// Writes the message's body: its name, then its payload.
    @_lifetime(writer: copy writer)
    package func encodeBody(into writer: inout CBORWriter) throws(CBORError) {
        try writer.text(Self.name)
        try encode(into: &writer)
    }
}
