/// The first frame that each side of a link sends (kind 0x01). It says who the side is, what the side can receive, and which
/// messages the side has issued and applied.
public struct Hello: Equatable, Sendable, BitwiseCopyable {
    /// A random number, never 0, that identifies the device. A device chooses it once, and keeps it until its storage is
    /// erased.
    public var identity: UInt64
    /// The epoch of this side's messages: a random number, never 0. A side chooses a new random epoch at each start, when it
    /// has lost messages, and when it numbers its messages from 1 again.
    public var epoch: UInt32
    /// The last epoch of the peer that this side stored; nil if none. The phone's hello has the epoch from the watch's hello
    /// on the same link. The watch's hello has an epoch from an earlier link.
    public var knownEpoch: UInt32?
    /// The role of the sender.
    public var role: LinkRole
    /// The sequence of the peer's last queued message in `knownEpoch` that this side has applied or rejected; 0 if none.
    public var queuedApplied: UInt32 = 0
    /// The highest revision of the peer's latest values in `knownEpoch` that this side has applied or rejected; 0 if none.
    public var latestApplied: UInt32 = 0
    /// What this side is able to receive.
    public var limits: LinkLimits
    /// The name of the device, which may be empty.
    public var name = LinkName()
    /// The sequence of the last queued message that this side has issued to the peer; 0 if none.
    public var queuedIssued: UInt32 = 0
    /// The highest revision of the latest values that this side has issued to the peer; 0 if none.
    public var latestIssued: UInt32 = 0
    // In these two fields, 0 stands for nil. Optionals are larger, and a device's deepest chain of calls has six copies of a
    // hello on its stack.
    private var localTimeWord: UInt32 = 0
    private var floorOriginWord: UInt32 = 0
    /// The sequence of the last queued message that the peer has acknowledged; 0 if none. This side no longer has the messages
    /// up to this sequence, so the peer counts these messages as applied.
    public var queuedFloor: UInt32 = 0
    /// What this side reports: nothing, a number of lost messages, or a checksum of the watch's rows.
    public var report = HelloReport.nothing

    /// Makes the hello of a side that has issued no message and remembers nothing of its peer.
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

    /// The epoch in which this side issued the message with sequence `queuedFloor`, nil if unknown. Only a watch sends it.
    public var floorOrigin: UInt32? {
        get { floorOriginWord == 0 ? nil : floorOriginWord }
        set { floorOriginWord = newValue ?? 0 }
    }

    /// The version of the protocol that this implementation speaks.
    public static var version: UInt8 { 2 }

    /// Whether `knownEpoch` is `epoch`. If so, `queuedApplied` and `latestApplied` are numbers of messages in `epoch`.
    public func knows(epoch: UInt32) -> Bool { knownEpoch == epoch }
}

/// The report in a hello: how many messages the phone has lost, or a checksum of the watch's rows.
public enum HelloReport: Equatable, Sendable, BitwiseCopyable {
    /// No report. A phone reports nothing if it has lost no messages. A watch reports nothing while a message waits or a tap is
    /// in progress.
    case nothing
    /// A checksum of the watch's rows ("The rows check" in PROTOCOL.md). A watch sends it if no message waits and no tap is in
    /// progress.
    case rows(check: UInt32)
    /// How many of the watch's queued messages the phone applied and then lost, because the user restored an older database.
    case lost(messages: UInt32)
}

/// The hello that a side received from its peer.
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

/// The role of a side. One side of each link is the watch, and the other is the phone.
public enum LinkRole: UInt8, Sendable, BitwiseCopyable {
    /// The device on the wrist, or a host program that takes its place. It sends its hello first.
    case watch = 0
    /// The phone, or another host program in this role. It sends its hello after it has looked up the watch.
    case phone = 1
}

/// The kinds of frames that a side's hello says it accepts, besides control, latest and queued frames. This type is not an
/// `OptionSet`, because an `OptionSet` literal is an array on the heap, and the firmware has no heap.
public struct LinkKinds: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The bits on the wire, one for each kind. A later implementation may send bits that have no constant here. They have no
    /// effect.
    public let rawValue: UInt8

    /// Makes the set of the kinds whose bits are 1 in `rawValue`.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No kinds besides control, latest and queued frames.
    public static var none: LinkKinds { LinkKinds(rawValue: 0) }
    /// Interactive messages, and the replies to them.
    public static var interactive: LinkKinds { LinkKinds(rawValue: 1) }
    /// The frames of file transfers, in both directions.
    public static var files: LinkKinds { LinkKinds(rawValue: 2) }
    /// Queued messages that count against the sender's daily budget of complication pushes (kind 0x14).
    public static var complications: LinkKinds { LinkKinds(rawValue: 4) }
    /// Every kind that has a constant here.
    public static var all: LinkKinds { LinkKinds(rawValue: 7) }

    package func and(_ others: LinkKinds) -> LinkKinds { LinkKinds(rawValue: rawValue | others.rawValue) }

    /// Whether this set includes all of `kinds`.
    public func include(_ kinds: LinkKinds) -> Bool { rawValue & kinds.rawValue == kinds.rawValue }
}

/// What a side is able to receive, as its hello says.
public struct LinkLimits: Equatable, Sendable, BitwiseCopyable {
    /// The maximum length in bytes of a frame to this side: the size of this side's receive buffer, at least `smallestSDU`.
    public var largestSDU: UInt32
    /// The maximum length in bytes of the body of a message to this side, name included.
    public var largestMessage: UInt32
    /// The window: how many queued messages the peer may send before this side acknowledges the first of them. At least 1.
    public var window: UInt16
    /// The kinds of frames that this side accepts, besides control, latest and queued frames.
    public var kinds = LinkKinds.none

    /// Makes limits whose `kinds` are `.none`. Clamps `window` to 1 through 8. Reduces `largestMessage` to what a frame of
    /// `largestSDU` bytes holds after a header of 6 bytes. Traps if `largestSDU` is below `smallestSDU`.
    public init(largestSDU: UInt32, largestMessage: UInt32 = .max, window: UInt16 = LinkLimits.largestWindow) {
        precondition(largestSDU >= LinkLimits.smallestSDU, "a receive buffer holds at least the longest control frame")
        self.largestSDU = largestSDU
        self.largestMessage = min(largestMessage, largestSDU - UInt32(truncatingIfNeeded: MessageHeader.size))
        self.window = min(max(window, 1), LinkLimits.largestWindow)
    }

    /// The minimum capacity in bytes of a transport's datagram and of a receive buffer. A control frame is never divided. The
    /// longest possible control frame is a hello with a name of 32 bytes and the largest numbers, and has 124 bytes.
    public static var smallestSDU: UInt32 { 128 }
    /// The maximum length of a control frame in bytes, equal to `smallestSDU`. So every transport carries a control frame.
    public static var longestControlFrame: Int { 128 }
    /// The maximum length of the name of a message or a device, in bytes of UTF-8.
    public static var longestName: Int { 32 }
    /// The maximum window. A session announces no larger window. If the peer announces a larger window, the session uses the
    /// maximum.
    public static var largestWindow: UInt16 { 8 }
    /// The maximum number of rejections that one acknowledgement reports.
    public static var mostRejections: Int { 8 }
}

/// The name of a device, which the peer may show to its user: 0 to 32 bytes of UTF-8.
public struct LinkName: Sendable, BitwiseCopyable {
    private var storage: InlineArray<32, UInt8>
    private var length: UInt8

    /// The empty name.
    public init() {
        storage = InlineArray(repeating: 0)
        length = 0
    }

    /// Makes a name from UTF-8 bytes. If there are more than 32, cuts the name between two Unicode scalars.
    public init(utf8: Span<UInt8>) {
        self.init()
        let count = utf8.scalarBoundary(upTo: LinkLimits.longestName)
        for index in 0..<count { storage[index] = utf8[index] }
        length = UInt8(truncatingIfNeeded: count)
    }

    /// Makes a name from a literal. If it has more than 32 bytes, cuts the name between two Unicode scalars.
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

/// What identifies one side of a link in its hello: role, device, epoch and name.
public struct LinkIdentity: Equatable, Sendable, BitwiseCopyable {
    /// The role of this side.
    public var role: LinkRole
    /// A random number, never 0, that identifies the device. A device chooses it once, and keeps it until its storage is
    /// erased.
    public var identity: UInt64
    /// The epoch of this side's messages: a random number, never 0. See `Hello.epoch`.
    public var epoch: UInt32
    /// The name of the device, which may be empty.
    public var name: LinkName

    /// Makes an identity. Traps if `identity` or `epoch` is 0.
    public init(role: LinkRole, identity: UInt64, epoch: UInt32, name: LinkName = LinkName()) {
        precondition(identity != 0, "no device has identity 0")
        precondition(epoch != 0, "no stream has epoch 0")
        self.role = role
        self.identity = identity
        self.epoch = epoch
        self.name = name
    }
}
