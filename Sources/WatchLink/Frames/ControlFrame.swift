/// A frame of the session itself, without a message: a kind byte and a CBOR map with small integer keys.
public enum ControlFrame: Equatable, Sendable, BitwiseCopyable {
    /// The first frame: identity, limits and stream positions of the sender.
    case hello(Hello)
    /// The last frame: why the sender closes the link.
    case goodbye(Goodbye)
    /// A request for a pong with the same number.
    case ping(UInt32)
    /// The answer to the ping with this number.
    case pong(UInt32)
    /// What the sender has applied.
    case acknowledgement(Acknowledgement)

    /// The first byte of the frame.
    public var kind: FrameKind {
        switch self {
        case .hello: .hello
        case .goodbye: .goodbye
        case .ping: .ping
        case .pong: .pong
        case .acknowledgement: .acknowledgement
        }
    }

    /// Writes the frame, at most `LinkLimits.longestControlFrame` bytes.
    ///
    /// - Throws: `.outOfSpace` where the writer has too little room.
    @inline(never)
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.raw(kind.rawValue)
        switch self {
        case .hello(let hello): try hello.encodeBody(into: &writer)
        case .goodbye(let goodbye): try goodbye.encodeBody(into: &writer)
        case .ping(let number), .pong(let number):
            try writer.map(count: 1)
            try writer.field(0, number)
        case .acknowledgement(let acknowledgement): try acknowledgement.encodeBody(into: &writer)
        }
    }

    /// Reads a control frame.
    ///
    /// - Parameter sdu: the whole frame, its kind byte first.
    /// - Throws: `.unexpectedKind` for the kind byte of another frame, `.truncated` for no bytes, `.tooLong` for more
    ///   than `LinkLimits.longestControlFrame`, and the error of the map. Unknown keys are skipped.
    @inline(never)
    public init(_ sdu: Span<UInt8>) throws(CBORError) {
        guard !sdu.isEmpty else { throw .truncated }
        guard sdu.count <= LinkLimits.longestControlFrame else { throw .tooLong }
        var reader = CBORReader(controlFrame: sdu)
        switch FrameKind(rawValue: sdu[0]) {
        case .hello: self = .hello(try Hello(body: &reader))
        case .goodbye: self = .goodbye(try Goodbye(body: &reader))
        case .ping: self = .ping(try ControlFrame.number(&reader))
        case .pong: self = .pong(try ControlFrame.number(&reader))
        case .acknowledgement: self = .acknowledgement(try Acknowledgement(body: &reader))
        default: throw .unexpectedKind  // FrameKind is a struct.
        }
        try reader.expectEnd()
    }

    private static func number(_ reader: inout CBORReader) throws(CBORError) -> UInt32 {
        var number: UInt32 = 0
        var fields = try CBORFields(&reader)
        while let key = try fields.next(&reader) {
            if key == 0 {
                number = try reader.word()
            } else {
                try reader.skip()
            }
        }
        try fields.require(0b1)
        return number
    }
}

extension CBORReader {
    /// A reader of a control frame's map, which is the outermost level of nesting.
    @_lifetime(copy sdu)
    init(controlFrame sdu: Span<UInt8>) {
        self.init(sdu.extracting(1..<sdu.count), maximumDepth: CBORReader.deepestNesting &- 1)
    }
}
