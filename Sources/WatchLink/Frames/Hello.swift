/// Says who a side is, what it can receive, and which messages it has issued and applied (frame kind 01). It is the first frame
/// in each direction.
public struct Hello: Equatable, Sendable, BitwiseCopyable {
    /// The device's number: random, not 0, the same for the device's life.
    public var identity: UInt64
    /// The epoch of this side's messages: a random number, never 0. A side that loses its messages or numbers them again draws
    /// a new epoch.
    public var epoch: UInt32
    /// The peer's epoch at its last link with this side, nil if this side remembers none.
    public var knownEpoch: UInt32?
    /// The role of the sender.
    public var role: LinkRole
    /// This side has applied the peer's queued messages up to this sequence, as numbered in `knownEpoch`.
    public var queuedApplied: UInt32 = 0
    /// This side has applied the peer's latest values up to this revision, as numbered in `knownEpoch`.
    public var latestApplied: UInt32 = 0
    /// What this side is able to receive.
    public var limits: LinkLimits
    /// The name of the device, which may be empty.
    public var name = LinkName()
    /// The highest queued sequence that this side has issued to the peer.
    public var queuedIssued: UInt32 = 0
    /// The highest revision of a latest value that this side has issued to the peer.
    public var latestIssued: UInt32 = 0
    // In these two fields, 0 stands for nil. Optionals are larger, and a device's deepest chain of calls has six copies of a
    // hello on its stack.
    private var localTimeWord: UInt32 = 0
    private var floorOriginWord: UInt32 = 0
    /// This side has deleted its queued messages up to this sequence, because they are acknowledged. A peer that does
    /// not know `epoch` expects the sequence after this one first.
    public var queuedFloor: UInt32 = 0
    /// What this side reports about its own data.
    public var report = HelloReport.nothing

    /// The hello of a side that has issued no message and remembers nothing of its peer.
    public init(role: LinkRole, identity: UInt64, epoch: UInt32, limits: LinkLimits) {
        self.role = role
        self.identity = identity
        self.epoch = epoch
        self.limits = limits
    }

    /// The wearer's local time in seconds since 1970-01-01 00:00 local time, nil if unknown. Only a phone sends it.
    public var localTime: UInt32? {
        get { localTimeWord == 0 ? nil : localTimeWord }
        set { localTimeWord = newValue ?? 0 }
    }

    /// The epoch in which this side issued message `queuedFloor`, nil if unknown. Only a watch sends it.
    public var floorOrigin: UInt32? {
        get { floorOriginWord == 0 ? nil : floorOriginWord }
        set { floorOriginWord = newValue ?? 0 }
    }

    /// The version of the protocol that this implementation speaks.
    public static var version: UInt8 { 2 }

    /// Whether this side remembers `epoch` as its peer's. `queuedApplied` and `latestApplied` are numbers in that epoch.
    public func knows(epoch: UInt32) -> Bool { knownEpoch == epoch }
}

/// What a side reports about its own data in its hello.
public enum HelloReport: Equatable, Sendable, BitwiseCopyable {
    /// No report: the phone has lost no messages, or the watch has waiting messages.
    case nothing
    /// A checksum of the watch's rows ("The rows check" in PROTOCOL.md), from a watch without waiting messages.
    case rows(check: UInt32)
    /// A phone lost this number of the watch's queued messages after it applied them, because the user restored an older
    /// database.
    case lost(messages: UInt32)
}

/// The hello of the other side.
public typealias PeerHello = Hello

extension Hello {
    @inline(never)
    @_lifetime(writer: copy writer)
    func encodeBody(into writer: inout CBORWriter) throws(CBORError) {
        let optional = (name.isEmpty ? 0 : 1) &+ (localTime == nil ? 0 : 1) &+ (report == .nothing ? 0 : 1)
        try writer.map(count: 13 &+ optional &+ (floorOrigin == nil ? 0 : 1) &+ (limits.kinds == .none ? 0 : 1))
        try writer.field(0, UInt32(Hello.version))
        try writer.field(2, UInt32(role.rawValue))
        try writer.unsigned(3 as UInt32)
        try writer.unsigned(identity)
        try writer.field(4, epoch)
        try writer.field(5, knownEpoch ?? 0)
        try writer.field(6, queuedApplied)
        try writer.field(7, latestApplied)
        try writer.field(8, limits.largestSDU)
        try writer.field(9, limits.largestMessage)
        if !name.isEmpty {
            try writer.unsigned(10 as UInt32)
            try writer.text(name.utf8)
        }
        try writer.field(11, queuedIssued)
        try writer.field(12, latestIssued)
        try writer.field(13, UInt32(limits.window))
        if let localTime { try writer.field(14, localTime) }
        try writer.field(15, queuedFloor)
        switch report {
        case .nothing, .rows: break
        case .lost(let messages): try writer.field(17, messages)
        }
        if let floorOrigin { try writer.field(18, floorOrigin) }
        if case .rows(let check) = report { try writer.field(19, check) }
        if limits.kinds != .none { try writer.field(20, UInt32(limits.kinds.rawValue)) }
    }

    @inline(never)
    init(body reader: inout CBORReader) throws(CBORError) {
        // The required keys overwrite these values.
        self.init(role: .watch, identity: 0, epoch: 0, limits: LinkLimits(largestSDU: LinkLimits.smallestSDU))
        var fields = try CBORFields(&reader)
        while let key = try fields.next(&reader) {
            if key < 8 {
                try readIdentity(key, from: &reader)
            } else {
                try readLimits(key, from: &reader)
            }
        }
        try fields.require(0b10_0011_0001_1101)
        try validate()
    }

    private mutating func readIdentity(_ key: UInt32, from reader: inout CBORReader) throws(CBORError) {
        switch key {
        case 0:
            guard try reader.byte() == Hello.version else { throw .malformed }
        case 1: try reader.skip()
        case 2:
            guard let known = LinkRole(rawValue: try reader.byte()) else { throw .malformed }
            role = known
        case 3: identity = try reader.unsigned()
        case 4: epoch = try reader.word()
        case 5: knownEpoch = try reader.wordUnlessZero()
        case 6: queuedApplied = try reader.word()
        default: latestApplied = try reader.word()
        }
    }

    private mutating func readLimits(_ key: UInt32, from reader: inout CBORReader) throws(CBORError) {
        switch key {
        case 8: limits.largestSDU = try reader.word()
        case 9: limits.largestMessage = try reader.word()
        case 10:
            let text = try reader.text()
            guard text.count <= LinkLimits.longestName else { throw .tooLong }
            name = LinkName(utf8: text)
        case 11: queuedIssued = try reader.word()
        case 12: latestIssued = try reader.word()
        case 13:
            let window = try reader.word()
            guard window <= 0xFFFF else { throw .tooLong }
            limits.window = UInt16(truncatingIfNeeded: window)
        case 14: localTime = try reader.wordUnlessZero()
        case 15: queuedFloor = try reader.word()
        case 17: report = try reader.wordUnlessZero().map { .lost(messages: $0) } ?? report
        case 18: floorOrigin = try reader.wordUnlessZero()
        case 19: report = .rows(check: try reader.word())
        case 20: limits.kinds = LinkKinds(rawValue: try reader.byte())
        default: try reader.skip()
        }
    }

    private func validate() throws(CBORError) {
        guard identity != 0, epoch != 0, limits.window >= 1, limits.largestSDU >= LinkLimits.smallestSDU,
            queuedFloor <= queuedIssued
        else { throw .malformed }
    }

    /// Reads the version from key 0. This key means the same in every version of the protocol; other keys may not.
    static func version(body reader: inout CBORReader) throws(CBORError) -> UInt8 {
        let version = try ControlFrame.number(&reader)
        guard (1...0xFF).contains(version) else { throw .malformed }
        return UInt8(truncatingIfNeeded: version)
    }
}

/// The role of a side. A link has one of each.
public enum LinkRole: UInt8, Sendable, BitwiseCopyable {
    /// The device on the wrist, which sends its hello first.
    case watch = 0
    /// The host, which answers after it has looked up the watch.
    case phone = 1
}

/// The kinds of message frames that a side accepts besides latest and queued ones, as its hello says. It is not an `OptionSet`,
/// because a device without a heap cannot write one as a literal.
public struct LinkKinds: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The bits on the wire. Bits without a name belong to a later version.
    public let rawValue: UInt8

    /// The kinds with these bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Only latest and queued messages.
    public static var none: LinkKinds { LinkKinds(rawValue: 0) }
    /// Interactive messages, and the replies to them.
    public static var interactive: LinkKinds { LinkKinds(rawValue: 1) }
    /// Files: the peer's offers, and the answers to this side's offers.
    public static var files: LinkKinds { LinkKinds(rawValue: 2) }
    /// Queued messages that are charged to the budget of complication pushes.
    public static var complications: LinkKinds { LinkKinds(rawValue: 4) }
    /// Every kind with a name.
    public static var all: LinkKinds { LinkKinds(rawValue: 7) }

    package func and(_ others: LinkKinds) -> LinkKinds { LinkKinds(rawValue: rawValue | others.rawValue) }

    /// Whether this includes all of `kinds`.
    public func include(_ kinds: LinkKinds) -> Bool { rawValue & kinds.rawValue == kinds.rawValue }
}

/// What a side is able to receive, as its hello says.
public struct LinkLimits: Equatable, Sendable, BitwiseCopyable {
    /// The longest frame in bytes: the size of the receive buffer, at least `smallestSDU`.
    public var largestSDU: UInt32
    /// The longest message body in bytes, name included.
    public var largestMessage: UInt32
    /// The window: queued messages that the peer may send without an acknowledgement, 1 or more.
    public var window: UInt16
    /// The kinds of message frames that the side accepts besides latest and queued ones.
    public var kinds = LinkKinds.none

    /// Clamps `window` to 1 through 8, and reduces `largestMessage` to what a frame of `largestSDU` bytes holds. Traps if
    /// `largestSDU` is below `smallestSDU`.
    public init(largestSDU: UInt32, largestMessage: UInt32 = .max, window: UInt16 = LinkLimits.largestWindow) {
        precondition(largestSDU >= LinkLimits.smallestSDU, "a receive buffer holds at least the longest control frame")
        self.largestSDU = largestSDU
        self.largestMessage = min(largestMessage, largestSDU - UInt32(truncatingIfNeeded: MessageHeader.size))
        self.window = min(max(window, 1), LinkLimits.largestWindow)
    }

    /// The least that a transport or a receive buffer may hold: 128 bytes. A control frame is never divided, and the longest is
    /// a hello with a name of 32 bytes and the largest numbers.
    public static var smallestSDU: UInt32 { 128 }
    /// The longest control frame in bytes: what the smallest transport carries.
    public static var longestControlFrame: Int { 128 }
    /// The longest name of a message or a device: 32 bytes of UTF-8.
    public static var longestName: Int { 32 }
    /// The largest window that this implementation allows and uses: 8 queued messages without an acknowledgement.
    public static var largestWindow: UInt16 { 8 }
    /// The most rejections in one acknowledgement.
    public static var mostRejections: Int { 8 }
}

/// The name of a device, for the other side to show: 0 to 32 bytes of UTF-8.
public struct LinkName: Sendable, BitwiseCopyable {
    private var storage: InlineArray<32, UInt8>
    private var length: UInt8

    /// The empty name.
    public init() {
        storage = InlineArray(repeating: 0)
        length = 0
    }

    /// A name from UTF-8 bytes, cut before the first scalar that does not fit.
    public init(utf8: Span<UInt8>) {
        self.init()
        let count = utf8.scalarBoundary(upTo: LinkLimits.longestName)
        for index in 0..<count { storage[index] = utf8[index] }
        length = UInt8(truncatingIfNeeded: count)
    }

    /// A name from a literal, cut before the first scalar that does not fit.
    public init(_ name: StaticString) {
        self.init(utf8: name.utf8)
    }

    /// The number of UTF-8 bytes, 0 to 32.
    public var count: Int { Int(length) }

    /// Whether the name has no bytes.
    public var isEmpty: Bool { length == 0 }

    /// The UTF-8 bytes, `count` of them.
    public var utf8: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { storage.span.extracting(first: count) }
    }
}

extension LinkName: Equatable {
    /// Whether both names have the same bytes.
    public static func == (left: LinkName, right: LinkName) -> Bool { left.utf8.hasSameBytes(as: right.utf8) }
}

/// The identity of one side of a link.
public struct LinkIdentity: Equatable, Sendable, BitwiseCopyable {
    /// The role of this side.
    public var role: LinkRole
    /// The device's number: random, not 0, the same for the device's life.
    public var identity: UInt64
    /// The epoch of this side's messages, not 0. A side that loses its messages or numbers them again draws a new epoch.
    public var epoch: UInt32
    /// The name of the device, which may be empty.
    public var name: LinkName

    /// Traps for identity 0 and for epoch 0, which mean "no device" and "no epoch" on the wire.
    public init(role: LinkRole, identity: UInt64, epoch: UInt32, name: LinkName = LinkName()) {
        precondition(identity != 0, "no device has identity 0")
        precondition(epoch != 0, "no stream has epoch 0")
        self.role = role
        self.identity = identity
        self.epoch = epoch
        self.name = name
    }
}
