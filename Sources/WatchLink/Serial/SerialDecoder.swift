/// Finds the payloads of `SerialFrame`s among the bytes of a line.
package struct SerialDecoder: BitwiseCopyable {
    private enum Progress: BitwiseCopyable {
        /// Between frames.
        case idle
        /// In a frame: `left` bytes until the next code, and whether a zero precedes that.
        case block(left: UInt8, zero: ImpliedZero)
        /// The frame is too long; skips until the next zero.
        case skipping
    }

    private enum ImpliedZero: BitwiseCopyable {
        case follows
        case none
    }

    private var progress = Progress.idle
    private var count = 0
    /// The number of frames so far that were too long, badly stuffed or had a wrong check.
    package private(set) var dropped: UInt32 = 0

    package init() {}

    /// Takes the next byte of the line.
    ///
    /// - Parameters:
    ///   - byte: the byte.
    ///   - buffer: memory for the payload and its check, the same for all bytes of a frame; a longer frame is dropped.
    /// - Returns: the length of a complete payload, which is at the start of `buffer` until the next call; nil for
    ///   none.
    @inline(never)
    package mutating func take(_ byte: UInt8, into buffer: inout MutableSpan<UInt8>) -> Int? {
        if byte == 0 { return finish(buffer.span) }
        switch progress {
        case .idle:
            count = 0
            begin(byte)
        case .block(0, let zero):
            switch zero {
            case .follows: put(0, into: &buffer)
            case .none: break
            }
            if case .block = progress { begin(byte) }
        case .block(let left, let zero):
            put(byte, into: &buffer)
            if case .block = progress { progress = .block(left: left - 1, zero: zero) }
        case .skipping:
            break
        }
        return nil
    }

    private mutating func begin(_ code: UInt8) {
        progress = .block(left: code - 1, zero: code == 255 ? .none : .follows)
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
