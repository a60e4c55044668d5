/// Why a side closes the link, as the goodbye tells its peer.
public struct GoodbyeReason: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The number on the wire, 0 to 255; a peer of another version may use ones without a name here.
    public let rawValue: UInt8

    /// The reason of this number, known or not.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The program ends, or the link is no longer wanted.
    public static var goingAway: GoodbyeReason { GoodbyeReason(rawValue: 0) }
    /// The two sides have no protocol version in common.
    public static var version: GoodbyeReason { GoodbyeReason(rawValue: 1) }
    /// The other side broke the protocol; the detail says how.
    public static var protocolFault: GoodbyeReason { GoodbyeReason(rawValue: 2) }
    /// The device is not wanted here.
    public static var refused: GoodbyeReason { GoodbyeReason(rawValue: 3) }
    /// A newer connection of the same device took over.
    public static var replaced: GoodbyeReason { GoodbyeReason(rawValue: 4) }
    /// The side that says so has lost a part of its own streams and comes back with a new epoch.
    public static var historyLost: GoodbyeReason { GoodbyeReason(rawValue: 5) }

    /// Whether a side that connects again soon would hear the same.
    public var isFinal: Bool { self == .version || self == .refused }
}

/// The last frame of a side (kind 02).
public struct Goodbye: Equatable, Sendable, BitwiseCopyable {
    /// Why the link is closed.
    public var reason: GoodbyeReason
    /// What the other side did wrong, where that is the reason.
    public var fault: ProtocolFault?
    /// The versions that the sender supports, which the receiver reports.
    public var versions: LinkVersions

    /// A goodbye of this implementation.
    public init(_ reason: GoodbyeReason, fault: ProtocolFault? = nil, versions: LinkVersions = .spoken) {
        self.reason = reason
        self.fault = fault
        self.versions = versions
    }
}

extension Goodbye {
    @_lifetime(writer: copy writer)
    func encodeBody(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: fault == nil ? 3 : 4)
        try writer.field(0, UInt32(reason.rawValue))
        if let fault { try writer.field(1, UInt32(fault.rawValue)) }
        try writer.field(2, UInt32(versions.newest))
        try writer.field(3, UInt32(versions.oldest))
    }

    init(body reader: inout CBORReader) throws(CBORError) {
        self.init(.goingAway, versions: LinkVersions(newest: 0, oldest: 0))
        var fields = try CBORFields(&reader)
        while let key = try fields.next(&reader) {
            switch key {
            case 0: reason = GoodbyeReason(rawValue: try reader.byte())
            case 1: fault = ProtocolFault(rawValue: try reader.byte())
            case 2: versions.newest = try reader.byte()
            case 3: versions.oldest = try reader.byte()
            default: try reader.skip()
            }
        }
        try fields.require(0b1)
    }
}
