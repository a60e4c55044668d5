/// What a receiver has applied durably (frame kind 05).
public struct Acknowledgement: Equatable, Sendable, BitwiseCopyable {
    /// All queued messages up to this sequence are applied or rejected. Sequences begin at 1.
    public var queued: UInt32
    /// All latest values up to this revision are applied or rejected. Revisions begin at 1.
    public var latest: UInt32
    /// Microseconds from the arrival of the newest message until it was durable, at most 2^32 - 1 (71 minutes).
    public var heldFor: UInt32
    /// The queued messages rejected since the last acknowledgement.
    public var rejected: RejectionList
    /// The latest value rejected since the last acknowledgement.
    public var rejectedLatest: Rejection?
    /// The rows check of a watch that has nothing waiting, after the messages up to `queued`; nil otherwise.
    public var rowsCheck: UInt32?

    /// An acknowledgement up to a sequence and a revision.
    public init(
        queued: UInt32, latest: UInt32, heldFor: UInt32 = 0, rejected: RejectionList = RejectionList(),
        rejectedLatest: Rejection? = nil
    ) {
        self.queued = queued
        self.latest = latest
        self.heldFor = heldFor
        self.rejected = rejected
        self.rejectedLatest = rejectedLatest
    }
}

extension Acknowledgement {
    @inline(never)
    @_lifetime(writer: copy writer)
    func encodeBody(into writer: inout CBORWriter) throws(CBORError) {
        let optional = (rejected.isEmpty ? 0 : 1) &+ (rejectedLatest == nil ? 0 : 1) &+ (rowsCheck == nil ? 0 : 1)
        try writer.map(count: 3 &+ optional)
        try writer.field(0, queued)
        try writer.field(1, latest)
        try writer.field(2, heldFor)
        if !rejected.isEmpty {
            try writer.unsigned(3 as UInt32)
            try writer.array(count: rejected.count)
            for index in 0..<rejected.count { try rejected[index].encode(into: &writer) }
        }
        if let rejectedLatest {
            try writer.unsigned(4 as UInt32)
            try rejectedLatest.encode(into: &writer)
        }
        if let rowsCheck { try writer.field(6, rowsCheck) }
    }

    @inline(never)
    init(body reader: inout CBORReader) throws(CBORError) {
        self.init(queued: 0, latest: 0)
        var fields = try CBORFields(&reader)
        while let key = try fields.next(&reader) {
            switch key {
            case 0: queued = try reader.word()
            case 1: latest = try reader.word()
            case 2: heldFor = try reader.word()
            case 3:
                for _ in 0..<(try reader.array()) {
                    guard rejected.append(try Rejection(from: &reader)) else { throw .tooLong }
                }
            case 4: rejectedLatest = try Rejection(from: &reader)
            case 6: rowsCheck = try reader.word()
            default: try reader.skip()
            }
        }
        try fields.require(0b11)
    }
}

extension Rejection {
    @_lifetime(writer: copy writer)
    fileprivate func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.array(count: 2)
        try writer.unsigned(sequence)
        try writer.unsigned(UInt32(reason.rawValue))
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        guard try reader.array() == 2 else { throw .malformed }
        sequence = try reader.word()
        reason = RejectionReason(rawValue: try reader.byte())
    }
}
