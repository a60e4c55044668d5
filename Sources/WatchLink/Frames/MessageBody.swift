/// The body of a message frame: a name and a payload, both bytes of the frame.
public struct MessageBody: ~Escapable {
    /// The name, 1 to 32 bytes of UTF-8; no bytes where a queued message was withdrawn.
    public let name: Span<UInt8>
    /// The payload, a well-formed CBOR item; no bytes where there is no value.
    public let payload: Span<UInt8>

    /// Reads the body of a frame after its header.
    ///
    /// - Parameter sdu: the whole frame.
    /// - Throws: `.malformed` for a name that is empty or not UTF-8, a payload that is not well-formed, or bytes after
    ///   the payload; `.tooDeep` for a payload nested deeper than 16; `.tooLong` for a name above 32 bytes.
    @_lifetime(copy sdu)
    public init(_ sdu: Span<UInt8>, header: MessageHeader) throws(CBORError) {
        try self.init(
            sdu.extracting(min(header.encodedSize, sdu.count)..<sdu.count),
            header.hasValue ? .whole : header.delivery == .queued ? .withdrawn : .cleared)
    }

    /// Reads the body of an interactive frame after its header.
    ///
    /// - Throws: as for other messages.
    @_lifetime(copy sdu)
    public init(interactive sdu: Span<UInt8>) throws(CBORError) {
        try self.init(sdu.extracting(min(InteractiveHeader.size, sdu.count)..<sdu.count), .whole)
    }

    /// What a body has.
    private enum Form {
        case whole
        /// A name without a value.
        case cleared
        /// Nothing.
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

    /// A reader at the beginning of the payload.
    public var reader: CBORReader {
        @_lifetime(copy self)
        get { CBORReader(payload) }
    }
}
