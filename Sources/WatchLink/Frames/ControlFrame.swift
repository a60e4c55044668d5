/// A frame that two sessions exchange for their own purposes, without a message. It is a kind byte and a CBOR map with small
/// integer keys.
package enum ControlFrame: Equatable, Sendable, BitwiseCopyable {
    case hello(Hello)
    case goodbye(Goodbye)
    case ping(UInt32)
    case pong(UInt32)
    case acknowledgement(Acknowledgement)

    package var kind: FrameKind {
        switch self {
        case .hello: .hello
        case .goodbye: .goodbye
        case .ping: .ping
        case .pong: .pong
        case .acknowledgement: .acknowledgement
        }
    }

    /// Writes at most `LinkLimits.longestControlFrame` bytes.
    @inline(never)
    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
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

    /// Reads a whole frame, including its kind byte.
    /// - Throws: `.unexpectedKind` if the frame is no control frame; `.tooLong` if it has more than
    ///   `LinkLimits.longestControlFrame` bytes; `.truncated` if it is empty; the errors of decoding the map.
    @inline(never)
    package init(_ sdu: Span<UInt8>) throws(CBORError) {
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

    static func number(_ reader: inout CBORReader) throws(CBORError) -> UInt32 {
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
    /// Begins at the map of a control frame, after the kind byte. `sdu` is not empty. A value in the map may be nested 15 deep,
    /// because the map itself is the first of 16 levels.
    @_lifetime(copy sdu)
    init(controlFrame sdu: Span<UInt8>) {
        self.init(sdu.extracting(1..<sdu.count), maximumDepth: CBORReader.deepestNesting &- 1)
    }
}

/// Why a side sends a goodbye, its last frame.
public struct GoodbyeReason: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The number on the wire, 0 to 255; a peer of another version may use numbers without a constant here.
    public let rawValue: UInt8

    /// The reason with this number. Numbers without a constant here are valid too.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The sender's program ends, or no longer wants the link.
    public static var goingAway: GoodbyeReason { GoodbyeReason(rawValue: 0) }
    /// The two sides speak different versions of the protocol.
    public static var version: GoodbyeReason { GoodbyeReason(rawValue: 1) }
    /// The other side broke the protocol. `Goodbye.fault` says how.
    public static var protocolFault: GoodbyeReason { GoodbyeReason(rawValue: 2) }
    /// The sender refuses the other device.
    public static var refused: GoodbyeReason { GoodbyeReason(rawValue: 3) }
    /// A newer connection of the receiving device replaces this one.
    public static var replaced: GoodbyeReason { GoodbyeReason(rawValue: 4) }
    /// The receiver has applied messages that the sender issued and has since lost. The sender will connect again with a new
    /// epoch.
    public static var historyLost: GoodbyeReason { GoodbyeReason(rawValue: 5) }

    /// A watch sends this if it belongs to another phone and holds messages for that phone.
    public static var otherPhone: GoodbyeReason { GoodbyeReason(rawValue: 6) }

    /// Whether reconnecting soon would end in the same goodbye.
    public var isFinal: Bool { self == .version || self == .refused || self == .otherPhone }
}

/// The frame with which a side ends the link (kind 02).
public struct Goodbye: Equatable, Sendable, BitwiseCopyable {
    /// Why the sender closes the link.
    public var reason: GoodbyeReason
    /// What the other side did wrong; only with the reason `.protocolFault`.
    public var fault: ProtocolFault?
    /// The version of the protocol that the sender speaks; only with the reason `.version`.
    public var version: UInt8?

    /// A goodbye with this reason.
    public init(_ reason: GoodbyeReason, fault: ProtocolFault? = nil, version: UInt8? = nil) {
        self.reason = reason
        self.fault = fault
        self.version = version
    }
}

extension Goodbye {
    @_lifetime(writer: copy writer)
    func encodeBody(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: 1 &+ (fault == nil ? 0 : 1) &+ (version == nil ? 0 : 1))
        try writer.field(0, UInt32(reason.rawValue))
        if let fault { try writer.field(1, UInt32(fault.rawValue)) }
        if let version { try writer.field(2, UInt32(version)) }
    }

    init(body reader: inout CBORReader) throws(CBORError) {
        self.init(.goingAway)
        var fields = try CBORFields(&reader)
        while let key = try fields.next(&reader) {
            switch key {
            case 0: reason = GoodbyeReason(rawValue: try reader.byte())
            case 1: fault = ProtocolFault(rawValue: try reader.byte())
            case 2: version = try reader.byte()
            default: try reader.skip()
            }
        }
        try fields.require(0b1)
    }
}
