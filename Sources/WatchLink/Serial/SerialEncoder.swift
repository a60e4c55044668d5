/// Turns a payload of two parts into the bytes of a `SerialFrame`, one at a time and without a buffer.
package struct SerialEncoder: ~Escapable {
    private enum Progress: BitwiseCopyable {
        /// The next byte is the distance to the next zero.
        case code
        /// `left` bytes that are not zero follow, then `skip` zeros of the payload, which are not sent.
        case run(left: Int, skip: Int)
        /// All bytes were returned.
        case done
    }

    private let head: Span<UInt8>
    private let body: Span<UInt8>
    private let check: UInt32
    private var position = 0
    private var progress = Progress.code

    /// Encodes `head` and `body` as one payload.
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

    /// The next byte for the line, the closing zero included; nil after the last.
    @_lifetime(self: copy self)
    @inline(never)
    package mutating func next() -> UInt8? {
        switch progress {
        case .code:
            return beginBlock()
        case .run(0, let skip):
            position += skip
            // Nothing follows a full block at the end; an empty block follows a zero at the end.
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

    /// The byte before a block: the distance to the next zero.
    @_lifetime(self: copy self)
    private mutating func beginBlock() -> UInt8 {
        var length = 0
        while length < 254, position + length < count, byte(position + length) != 0 { length += 1 }
        // The end of the payload counts as a zero that is not sent.
        progress = .run(left: length, skip: length < 254 ? 1 : 0)
        return UInt8(truncatingIfNeeded: length + 1)
    }
}
