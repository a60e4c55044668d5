/// A frame on a serial line: the payload and its CRC-32, highest byte first, stuffed so that no byte is zero, and a
/// closing zero (Consistent Overhead Byte Stuffing: Cheshire and Baker, IEEE/ACM Transactions on Networking 7(2),
/// 1999).
package enum SerialFrame {
    /// The size in bytes of the check after a payload.
    package static var checkSize: Int { 4 }

    /// The largest size in bytes of a frame with a payload of `count` bytes.
    package static func largestWireSize(payload count: Int) -> Int {
        let stuffed = count + checkSize
        return stuffed + stuffed / 254 + 2
    }
}

extension UInt32 {
    /// Byte 0 (the highest) to 3 (the lowest) of the number.
    func bigEndianByte(_ index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: self &>> UInt32(truncatingIfNeeded: 24 - 8 * index))
    }

    /// The number in the four bytes from `start`, highest first.
    init(bigEndianAt start: Int, in bytes: Span<UInt8>) {
        self = 0
        for index in start..<start + 4 { self = self &<< 8 | UInt32(bytes[index]) }
    }
}
