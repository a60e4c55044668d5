/// The budget, if any, that a queued message counts against. Only the kind byte of the message's frame depends on this.
public enum MessageCharge: Sendable, BitwiseCopyable {
    case nothing
    /// The message counts against its sender's daily budget of complication pushes.
    case complication

    /// Makes the charge of a queued message whose frame has this kind.
    public init(_ kind: FrameKind) {
        self = kind == .complication ? .complication : .nothing
    }
}

/// The header of a frame with a message sent as `latest` or `queued`: kind, flags and number. If a queued message is from an
/// earlier epoch, the header also has that epoch.
package struct MessageHeader: Equatable, Sendable, BitwiseCopyable {
    /// The delivery of the message: queued, or as a latest value (`LinkDelivery.latest`). Queued messages and latest values are
    /// numbered separately.
    package var delivery: LinkDelivery
    /// False if the frame clears a latest value, or stands for a queued message that its sender has withdrawn. A sender
    /// withdraws a message that its program has cancelled, or that is too long for the peer.
    package var hasValue: Bool
    /// The sequence of a queued message or the revision of a latest value, at least 1.
    package var sequence: UInt32
    /// The epoch in which the sender issued this queued message; nil for the sender's present epoch. Epoch and sequence
    /// identify a message permanently. So a receiver recognises a message that it has already applied, even if the sender was
    /// restored from an older copy.
    package var origin: UInt32?

    package init(
        _ delivery: LinkDelivery, sequence: UInt32, hasValue: Bool = true, origin: UInt32? = nil
    ) {
        self.delivery = delivery
        self.sequence = sequence
        self.hasValue = hasValue
        self.origin = origin
    }

    /// The size in bytes of a header without an origin.
    package static var size: Int { 6 }

    /// The maximum size in bytes of the headers that a side in this role sends. Only a watch sends an origin.
    package static func largestSize(from role: LinkRole) -> Int {
        switch role {
        case .watch: MessageHeader.size &+ 4
        case .phone: MessageHeader.size
        }
    }

    package var encodedSize: Int { origin == nil ? MessageHeader.size : MessageHeader.size &+ 4 }

    // Bits of the flags byte. Bits 0 and 1 are reserved for fragments.
    private static var noValueBit: UInt8 { 8 }
    private static var originBit: UInt8 { 16 }

    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter, charge: MessageCharge = .nothing) throws(CBORError) {
        guard writer.room >= encodedSize else { throw .outOfSpace }
        switch charge {
        case .nothing: try writer.raw(delivery.rawValue)
        case .complication: try writer.raw(FrameKind.complication.rawValue)
        }
        try writer.raw((hasValue ? 0 : MessageHeader.noValueBit) | (origin == nil ? 0 : MessageHeader.originBit))
        try writer.raw(bigEndian: sequence)
        if let origin { try writer.raw(bigEndian: origin) }
    }

    /// Reads the header of a frame. `sdu` is the whole frame.
    /// - Throws: `.truncated` if the frame is shorter than its header; `.unexpectedKind` for a kind or flag that is not
    ///   supported; `.malformed` if the number or the origin is 0.
    package init(_ sdu: Span<UInt8>) throws(CBORError) {
        guard sdu.count >= MessageHeader.size else { throw .truncated }
        let kind = FrameKind(rawValue: sdu[0])
        guard let delivery = LinkDelivery(rawValue: (kind == .complication ? .queued : kind).rawValue) else {
            throw .unexpectedKind
        }
        self.delivery = delivery
        let flags = sdu[1]
        guard flags & ~(MessageHeader.noValueBit | MessageHeader.originBit) == 0 else { throw .unexpectedKind }
        hasValue = flags & MessageHeader.noValueBit == 0
        sequence = UInt32(bigEndianAt: 2, in: sdu)
        guard sequence > 0 else { throw .malformed }
        guard flags & MessageHeader.originBit != 0 else { return }
        guard delivery == .queued else { throw .unexpectedKind }
        guard sdu.count >= MessageHeader.size &+ 4 else { throw .truncated }
        let epoch = UInt32(bigEndianAt: MessageHeader.size, in: sdu)
        guard epoch > 0 else { throw .malformed }
        origin = epoch
    }
}

package struct MessageBody: ~Escapable {
    /// The name of the message, 1 to 32 bytes of UTF-8. Empty if the frame stands for a withdrawn message.
    package let name: Span<UInt8>
    /// The payload, a well-formed CBOR item. Empty if `MessageHeader.hasValue` is false.
    package let payload: Span<UInt8>

    /// Reads the body of a latest or queued message. `sdu` is the whole frame, and `header` is its header.
    /// - Throws: `.truncated` if the body ends too early; `.unexpectedKind` if the name is not a text; `.tooLong` for a name
    ///   above 32 bytes; `.tooDeep` for a payload nested deeper than 16; `.malformed` for a name that is empty or not UTF-8, a
    ///   payload that is not well-formed, or surplus bytes.
    @_lifetime(copy sdu)
    package init(_ sdu: Span<UInt8>, header: MessageHeader) throws(CBORError) {
        try self.init(
            sdu.extracting(min(header.encodedSize, sdu.count)..<sdu.count),
            header.hasValue ? .whole : header.delivery == .queued ? .withdrawn : .cleared)
    }

    /// Reads the body of an interactive message's frame. `sdu` is the whole frame.
    /// - Throws: the errors of `init(_:header:)`.
    @_lifetime(copy sdu)
    package init(interactive sdu: Span<UInt8>) throws(CBORError) {
        try self.init(sdu.extracting(min(InteractiveHeader.size, sdu.count)..<sdu.count), .whole)
    }

    private enum Form {
        case whole
        case cleared
        case withdrawn
    }

    @_lifetime(copy body)
    private init(_ body: Span<UInt8>, _ form: Form) throws(CBORError) {
        switch form {
        case .withdrawn:
            guard body.isEmpty else { throw .malformed }
            name = body
            payload = body
        case .whole, .cleared:
            var reader = CBORReader(body, maximumDepth: CBORReader.deepestNesting)
            let name = try reader.text()
            guard !name.isEmpty else { throw .malformed }
            guard name.count <= LinkLimits.longestName else { throw .tooLong }
            let start = reader.offset
            if form == .whole { try reader.skip() }
            try reader.expectEnd()
            self.name = name
            payload = body.extracting(start..<body.count)
        }
    }

    package var reader: CBORReader {
        @_lifetime(copy self)
        get { CBORReader(payload) }
    }
}
