/// A frame of the session itself, without a message: one kind byte and a CBOR map with small integer keys.
public enum ControlFrame: Equatable, Sendable, BitwiseCopyable {
    /// Who the sender is and where its streams stand.
    case hello(Hello)
    /// Why the sender closes.
    case goodbye(Goodbye)
    /// A request for a sign of life, with a number that the answer repeats.
    case ping(UInt32)
    /// The answer to the ping of that number.
    case pong(UInt32)
    /// How far the sender has applied.
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

    /// Writes the frame, at most `LinkLimits.longestControlFrame` bytes, after what the writer has written already.
    ///
    /// - Throws: `.outOfSpace` where the writer has less room than that and the frame needs it.
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
    /// - Throws: `.unexpectedKind` where the kind byte is not that of a control frame, `.truncated` where there is
    ///   none, `.tooLong` for more than `LinkLimits.longestControlFrame` bytes, and whatever is wrong with the map.
    ///   Unknown keys are passed over.
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
        default: throw .unexpectedKind
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
    /// A reader of the map of a control frame, after the kind byte. The map is the outermost level of nesting.
    @_lifetime(copy sdu)
    init(controlFrame sdu: Span<UInt8>) {
        self.init(sdu.extracting(1..<sdu.count), maximumDepth: CBORReader.deepestNesting &- 1)
    }
}
