/// Why a message can never be applied.
public struct RejectionReason: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    /// The number on the wire, 0 to 255; numbers from 128 on belong to the application.
    public let rawValue: UInt8

    /// The value of this number, with or without a name.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The body or payload is not what its name says.
    public static var malformed: RejectionReason { RejectionReason(rawValue: 1) }
    /// The receiver does not know the name.
    public static var unknownName: RejectionReason { RejectionReason(rawValue: 2) }
    /// The receiver has no room for the message.
    public static var noRoom: RejectionReason { RejectionReason(rawValue: 3) }
    /// The listener refused the message.
    public static var refused: RejectionReason { RejectionReason(rawValue: 4) }
}

/// A message that has arrived and will never be applied. It counts as acknowledged, so that it does not block later
/// ones.
public struct Rejection: Equatable, Sendable, BitwiseCopyable {
    /// The sequence or revision of the message.
    public var sequence: UInt32
    /// Why the message can never be applied.
    public var reason: RejectionReason

    /// The rejection of the message with this number.
    public init(sequence: UInt32, reason: RejectionReason) {
        self.sequence = sequence
        self.reason = reason
    }
}

/// Up to eight rejections, oldest first.
public struct RejectionList: Sendable, BitwiseCopyable {
    private var sequences: InlineArray<8, UInt32>
    private var reasons: InlineArray<8, UInt8>
    private var length: UInt8

    /// The empty list.
    public init() {
        sequences = InlineArray(repeating: 0)
        reasons = InlineArray(repeating: 0)
        length = 0
    }

    /// The number of rejections, 0 to 8.
    public var count: Int { Int(length) }

    /// Whether there are none.
    public var isEmpty: Bool { length == 0 }

    /// The rejection at `index`, which is in `0 ..< count`.
    public subscript(index: Int) -> Rejection {
        precondition(index >= 0 && index < count, "there is no such rejection")
        return Rejection(sequence: sequences[index], reason: RejectionReason(rawValue: reasons[index]))
    }

    /// The reason of the rejection of message `sequence`, nil where it is not in the list.
    public func reason(of sequence: UInt32) -> RejectionReason? {
        for index in 0..<count where sequences[index] == sequence { return RejectionReason(rawValue: reasons[index]) }
        return nil
    }

    /// Appends a rejection. Returns whether there was room.
    @discardableResult
    public mutating func append(_ rejection: Rejection) -> Bool {
        guard count < LinkLimits.mostRejections else { return false }
        sequences[count] = rejection.sequence
        reasons[count] = rejection.reason.rawValue
        length &+= 1
        return true
    }

    /// Removes the rejections of messages up to `sequence`.
    public mutating func removeAll(upTo sequence: UInt32) {
        var kept = RejectionList()
        for index in 0..<count where sequences[index] > sequence { kept.append(self[index]) }
        self = kept
    }
}

extension RejectionList: Equatable {
    /// Whether both have the same contents.
    public static func == (left: RejectionList, right: RejectionList) -> Bool {
        guard left.length == right.length else { return false }
        for index in 0..<left.count where left[index] != right[index] { return false }
        return true
    }
}
