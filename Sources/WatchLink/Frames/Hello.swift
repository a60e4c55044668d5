/// Identity, limits and stream positions of a side (frame kind 01): the first frame in either direction.
public struct Hello: Equatable, Sendable, BitwiseCopyable {
    /// The device: a random number, not 0, the same for the device's life.
    public var identity: UInt64
    /// The epoch of the streams that this side sends, never 0. A side that loses or renumbers its streams draws a new
    /// one.
    public var epoch: UInt32
    /// The epoch of the receiver's streams that this side remembers, nil for none.
    public var knownEpoch: UInt32?
    /// The role of the sender.
    public var role: LinkRole
    /// The last queued sequence of the receiver, in the known epoch, that this side has applied.
    public var queuedApplied: UInt32 = 0
    /// The last latest revision of the receiver, in the known epoch, that this side has applied.
    public var latestApplied: UInt32 = 0
    /// What this side is able to receive.
    public var limits: LinkLimits
    /// The name of the device, which may be empty.
    public var name = LinkName()
    /// The highest queued sequence that this side has issued to the receiver.
    public var queuedIssued: UInt32 = 0
    /// The highest latest revision that this side has issued to the receiver.
    public var latestIssued: UInt32 = 0
    // Words, of which 0 is nil: a device's deepest chain of calls has six copies of a hello on its stack.
    private var localTimeWord: UInt32 = 0
    private var floorOriginWord: UInt32 = 0
    /// Queued messages up to this sequence are acknowledged and deleted on this side. A receiver that does not remember
    /// the epoch begins after them.
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

    /// The wearer's local time in seconds since 1970-01-01 00:00 local time, nil where unknown. A phone sends it.
    public var localTime: UInt32? {
        get { localTimeWord == 0 ? nil : localTimeWord }
        set { localTimeWord = newValue ?? 0 }
    }

    /// The epoch in which the last message up to the floor was issued, nil where that is not known. A watch sends it.
    public var floorOrigin: UInt32? {
        get { floorOriginWord == 0 ? nil : floorOriginWord }
        set { floorOriginWord = newValue ?? 0 }
    }

    /// The version of the protocol that this implementation speaks.
    public static var version: UInt8 { 2 }

    /// Whether this side remembers streams of `epoch`, so that its positions in them are valid.
    public func knows(epoch: UInt32) -> Bool { knownEpoch == epoch }
}

/// What a side reports about its own data in its hello.
public enum HelloReport: Equatable, Sendable, BitwiseCopyable {
    /// Nothing: there are no lost messages, and a watch has something waiting.
    case nothing
    /// The rows check of a watch that has nothing waiting; PROTOCOL.md defines it.
    case rows(check: UInt32)
    /// A phone had applied so many queued messages of the watch, and has lost them since: an older copy of its database
    /// was put back.
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

    /// Reads only the version of a hello, 1 or more: key 0 means the same in every version of the protocol, other keys may not.
    static func version(body reader: inout CBORReader) throws(CBORError) -> UInt8 {
        var version: UInt8 = 0
        var fields = try CBORFields(&reader)
        while let key = try fields.next(&reader) {
            if key == 0 { version = try reader.byte() } else { try reader.skip() }
        }
        guard version >= 1 else { throw .malformed }
        return version
    }
}

/// The role of a side. A link has one of each.
public enum LinkRole: UInt8, Sendable, BitwiseCopyable {
    /// The device on the wrist, which sends its hello first.
    case watch = 0
    /// The host, which answers after it has looked up the watch.
    case phone = 1
}
