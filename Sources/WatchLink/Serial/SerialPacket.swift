/// The packets of a `SerialChannel`, each the payload of a `SerialFrame`: kind (1 byte), token (4 bytes, big endian),
/// detail.
package enum SerialPacket: Equatable, Sendable, BitwiseCopyable {
    /// 1: the bridge opens a channel. It repeats the packet until the watch answers.
    case open(token: UInt32, maximumSDU: UInt16)
    /// 2: the watch has opened the channel.
    case opened(token: UInt32)
    /// 3: the channel is closed, or unknown.
    case closed(token: UInt32)
    /// 4: a datagram. Its bytes follow.
    case data(token: UInt32, sequence: UInt8)
    /// 5: the datagram was taken.
    case taken(token: UInt32, sequence: UInt8)

    /// The offset of a datagram in its packet, in bytes.
    package static var headSize: Int { 6 }
    /// The largest size in bytes of a packet without a datagram.
    package static var largestHead: Int { 7 }

    /// The packet at the start of `bytes`, nil where there is none.
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count >= 5 else { return nil }
        let token = UInt32(bigEndianAt: 1, in: bytes)
        switch (bytes[0], bytes.count) {
        case (1, 7): self = .open(token: token, maximumSDU: UInt16(bytes[5]) &<< 8 | UInt16(bytes[6]))
        case (2, 5): self = .opened(token: token)
        case (3, 5): self = .closed(token: token)
        case (4, 6...): self = .data(token: token, sequence: bytes[5])
        case (5, 6): self = .taken(token: token, sequence: bytes[5])
        case (_, _): return nil
        }
    }

    /// Writes the packet without its datagram to the start of `buffer`, which has room for `largestHead` bytes.
    ///
    /// - Returns: the number of bytes written.
    package func write(into buffer: inout MutableSpan<UInt8>) -> Int {
        switch self {
        case .open(let token, let maximumSDU):
            buffer[5] = UInt8(truncatingIfNeeded: maximumSDU &>> 8)
            buffer[6] = UInt8(truncatingIfNeeded: maximumSDU)
            return SerialPacket.write(1, token, size: 7, into: &buffer)
        case .opened(let token): return SerialPacket.write(2, token, size: 5, into: &buffer)
        case .closed(let token): return SerialPacket.write(3, token, size: 5, into: &buffer)
        case .data(let token, let sequence):
            buffer[5] = sequence
            return SerialPacket.write(4, token, size: 6, into: &buffer)
        case .taken(let token, let sequence):
            buffer[5] = sequence
            return SerialPacket.write(5, token, size: 6, into: &buffer)
        }
    }

    /// Writes kind and token, and returns the size.
    private static func write(
        _ kind: UInt8, _ token: UInt32, size: Int, into buffer: inout MutableSpan<UInt8>
    ) -> Int {
        buffer[0] = kind
        for index in 0..<4 { buffer[1 + index] = token.bigEndianByte(index) }
        return size
    }
}
