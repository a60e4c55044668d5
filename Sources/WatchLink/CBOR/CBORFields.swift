/// Reads the keys of a map whose keys are small integers, in any order, each at most once.
///
/// Every control frame and every message of the list application is such a map. Keys that no reader knows (text,
/// negative, above 31) are skipped here with their values; the caller skips the value of an unknown key from 0 to 31. A
/// peer may therefore add keys.
public struct CBORFields: BitwiseCopyable {
    private var remaining: Int
    private var seen: UInt32

    /// The largest key that a map of the protocol may use.
    public static var largestKey: UInt32 { 31 }

    /// Reads the head of the map.
    public init(_ reader: inout CBORReader) throws(CBORError) {
        remaining = try reader.map()
        seen = 0
    }

    /// Reads the next key, or returns nil after the last pair. The caller reads or skips its value.
    ///
    /// - Throws: `.malformed` for a repeated key, and whatever the reader throws.
    public mutating func next(_ reader: inout CBORReader) throws(CBORError) -> UInt32? {
        while remaining > 0 {
            remaining &-= 1
            guard try reader.peekKind() == .unsigned else {
                try reader.skip()
                try reader.skip()
                continue
            }
            let key = try reader.unsigned()
            guard key.highWord == 0, key.lowWord <= CBORFields.largestKey else {
                try reader.skip()
                continue
            }
            let bit: UInt32 = 1 &<< key.lowWord
            guard seen & bit == 0 else { throw .malformed }
            seen |= bit
            return key.lowWord
        }
        return nil
    }

    /// Throws `.malformed` unless all keys of a set have been read; bit n of `keys` stands for key n.
    public func require(_ keys: UInt32) throws(CBORError) {
        if seen & keys != keys { throw .malformed }
    }
}
