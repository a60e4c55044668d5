/// A frame (kind 05) that tells the peer which of the peer's messages are durably applied or rejected.
package struct Acknowledgement: Equatable, Sendable, BitwiseCopyable {
    /// The peer's queued messages up to and including this sequence are applied or rejected; 0 for none.
    package var queued: UInt32
    /// The peer's latest values up to and including this revision are applied or rejected; 0 for none.
    package var latest: UInt32
    /// The time from the arrival of the newest acknowledged message until its effect was durable, in microseconds. A time above
    /// 2^32 - 1 (71 minutes) is reported as 2^32 - 1.
    package var heldFor: UInt32
    /// The queued messages rejected since the previous acknowledgement.
    package var rejected: RejectionList
    /// The most recent rejection, since the previous acknowledgement, of a message that was sent as `latest`; nil if there was
    /// none. Its `sequence` is the value's revision.
    package var rejectedLatest: Rejection?
    /// A checksum of the watch's rows, with the messages up to `queued` applied ("The rows check" in PROTOCOL.md). Nil from a
    /// phone, and from a watch that has unacknowledged queued messages or a tap in progress.
    package var rowsCheck: UInt32?

    package init(
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

/// Why a receiver will never apply a message.
public struct RejectionReason: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    /// The number on the wire, 0 to 255; numbers from 128 on belong to the application.
    public let rawValue: UInt8

    /// The reason with this number. Numbers without a constant here are valid too.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The receiver cannot decode the body or its payload.
    public static var malformed: RejectionReason { RejectionReason(rawValue: 1) }
    /// The receiver does not know the message's name.
    public static var unknownName: RejectionReason { RejectionReason(rawValue: 2) }
    /// The receiver has no room for the message, or the message is longer than the receiver accepts under its name.
    public static var noRoom: RejectionReason { RejectionReason(rawValue: 3) }
    /// The receiving application refused the message.
    public static var refused: RejectionReason { RejectionReason(rawValue: 4) }
}

/// A message that arrived and will never be applied. It counts as acknowledged, so that it does not block later messages.
package struct Rejection: Equatable, Sendable, BitwiseCopyable {
    package var sequence: UInt32
    package var reason: RejectionReason

    package init(sequence: UInt32, reason: RejectionReason) {
        self.sequence = sequence
        self.reason = reason
    }
}

/// Up to eight rejections, oldest first.
package struct RejectionList: Sendable, BitwiseCopyable {
    private var sequences: InlineArray<8, UInt32>
    private var reasons: InlineArray<8, UInt8>
    private var length: UInt8

    package init() {
        sequences = InlineArray(repeating: 0)
        reasons = InlineArray(repeating: 0)
        length = 0
    }

    package var count: Int { Int(length) }

    package var isEmpty: Bool { length == 0 }

    package subscript(index: Int) -> Rejection {
        precondition(index >= 0 && index < count, "there is no such rejection")
        return Rejection(sequence: sequences[index], reason: RejectionReason(rawValue: reasons[index]))
    }

    /// Returns why the message with this sequence was rejected; nil if it is not in the list.
    package func reason(of sequence: UInt32) -> RejectionReason? {
        for index in 0..<count where sequences[index] == sequence { return RejectionReason(rawValue: reasons[index]) }
        return nil
    }

    /// Adds a rejection if there is room. Returns whether there was room.
    @discardableResult
    package mutating func append(_ rejection: Rejection) -> Bool {
        guard count < LinkLimits.mostRejections else { return false }
        sequences[count] = rejection.sequence
        reasons[count] = rejection.reason.rawValue
        length &+= 1
        return true
    }

    package mutating func removeAll(upTo sequence: UInt32) {
        var kept = RejectionList()
        for index in 0..<count where sequences[index] > sequence { kept.append(self[index]) }
        self = kept
    }
}

extension RejectionList: Equatable {
    package static func == (left: RejectionList, right: RejectionList) -> Bool {
        guard left.length == right.length else { return false }
        for index in 0..<left.count where left[index] != right[index] { return false }
        return true
    }
}
