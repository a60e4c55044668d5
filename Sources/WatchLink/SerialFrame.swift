/// A frame on a serial line: a payload and its CRC-32 (highest byte first), stuffed so that no byte is zero, then one zero. The
/// stuffing is Consistent Overhead Byte Stuffing (Cheshire and Baker, IEEE/ACM Transactions on Networking 7(2), 1999).
package enum SerialFrame {
    package static var checkSize: Int { 4 }
}

extension UInt32 {
    /// Returns one byte of the number. Index 0 is the highest byte, and 3 the lowest.
    func bigEndianByte(_ index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: self &>> UInt32(truncatingIfNeeded: 24 &- 8 &* index))
    }

    init(bigEndianAt start: Int, in bytes: Span<UInt8>) {
        self = 0
        for index in start..<start + 4 { self = self &<< 8 | UInt32(bytes[index]) }
    }
}

/// Encodes a payload as a `SerialFrame`, one byte at a time and without a buffer. The payload is the two spans of `init`, one
/// after the other.
package struct SerialEncoder: ~Escapable {
    private enum Progress: BitwiseCopyable {
        /// The next byte is a code of the stuffing: the distance from the code to the next zero, or 255 if 254 bytes without a
        /// zero follow.
        case code
        /// The next bytes go out unchanged, because none is zero. Their number is `left`. After these bytes, the encoder omits
        /// `skip` zeros (0 or 1), because the code before the bytes stands for the zeros.
        case run(left: Int, skip: Int)
        case done
    }

    private let head: Span<UInt8>
    private let body: Span<UInt8>
    private let check: UInt32
    private var position = 0
    private var progress = Progress.code

    @_lifetime(copy head, copy body)
    package init(_ head: Span<UInt8>, _ body: Span<UInt8>) {
        self.head = head
        self.body = body
        var sum = CRC32()
        sum.update(head)
        sum.update(body)
        check = sum.checksum
    }

    private var count: Int { head.count + body.count + SerialFrame.checkSize }

    private func byte(_ index: Int) -> UInt8 {
        if index < head.count { return head[index] }
        if index < head.count + body.count { return body[index - head.count] }
        return check.bigEndianByte(index - head.count - body.count)
    }

    /// Returns the next byte for the line; nil after the zero that ends the frame.
    @_lifetime(self: copy self)
    @inline(never)
    package mutating func next() -> UInt8? {
        switch progress {
        case .code:
            return beginBlock()
        case .run(0, let skip):
            position += skip
            // If the payload ends with a full block, nothing follows. If it ends with a zero, an empty block follows.
            if position > count || (position == count && skip == 0) {
                progress = .done
                return 0
            }
            return beginBlock()
        case .run(let left, let skip):
            let next = byte(position)
            position += 1
            progress = .run(left: left - 1, skip: skip)
            return next
        case .done:
            return nil
        }
    }

    @_lifetime(self: copy self)
    private mutating func beginBlock() -> UInt8 {
        var length = 0
        while length < 254, position + length < count, byte(position + length) != 0 { length += 1 }
        // The end of the payload counts as a zero that is not sent.
        progress = .run(left: length, skip: length < 254 ? 1 : 0)
        return UInt8(truncatingIfNeeded: length + 1)
    }
}

/// Finds the payloads of `SerialFrame`s among the bytes of a line.
package struct SerialDecoder: BitwiseCopyable {
    private enum Progress: BitwiseCopyable {
        case idle
        /// In the present block, `left` bytes have not arrived yet. If `hasZero`, the payload has a zero between this block and
        /// the next.
        case block(left: UInt8, hasZero: Bool)
        /// The frame is too long for the buffer. The decoder ignores bytes until the next zero.
        case skipping
    }

    private var progress = Progress.idle
    private var count = 0
    /// The number of frames so far that were too long, were badly stuffed or had a wrong CRC.
    package private(set) var dropped: UInt32 = 0

    package init() {}

    /// Takes the next byte of the line. If it completes a payload, returns the payload's length, otherwise nil. The payload is
    /// at the start of `buffer` until the next call.
    /// - Parameter buffer: memory for the payload and its CRC. All bytes of a frame need the same buffer. A frame that does
    ///   not fit is dropped.
    @inline(never)
    package mutating func take(_ byte: UInt8, into buffer: inout MutableSpan<UInt8>) -> Int? {
        if byte == 0 { return finish(buffer.span) }
        switch progress {
        case .idle:
            count = 0
            begin(byte)
        case .block(0, let hasZero):
            if hasZero { put(0, into: &buffer) }
            if case .block = progress { begin(byte) }
        case .block(let left, let hasZero):
            put(byte, into: &buffer)
            if case .block = progress { progress = .block(left: left - 1, hasZero: hasZero) }
        case .skipping:
            break
        }
        return nil
    }

    private mutating func begin(_ code: UInt8) {
        progress = .block(left: code - 1, hasZero: code != 255)
    }

    private mutating func put(_ byte: UInt8, into buffer: inout MutableSpan<UInt8>) {
        if count < buffer.count {
            buffer[count] = byte
            count += 1
        } else {
            progress = .skipping
        }
    }

    private mutating func finish(_ bytes: Span<UInt8>) -> Int? {
        let ended = progress
        progress = .idle
        switch ended {
        case .idle:
            return nil
        case .block(0, _) where count >= SerialFrame.checkSize && isIntact(bytes):
            return count - SerialFrame.checkSize
        case .block, .skipping:
            dropped &+= 1
            return nil
        }
    }

    private func isIntact(_ bytes: Span<UInt8>) -> Bool {
        let length = count - SerialFrame.checkSize
        return CRC32.checksum(of: bytes.extracting(0..<length)) == UInt32(bigEndianAt: length, in: bytes)
    }
}
