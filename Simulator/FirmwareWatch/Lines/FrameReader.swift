import WatchLink

/// Finds the payloads of serial frames in the bytes of a line.
package struct FrameReader {
    private var decoder = SerialDecoder()
    private var buffer: [UInt8]

    /// A reader of payloads of up to `largestPayload` bytes; longer ones are dropped.
    package init(largestPayload: Int) {
        buffer = [UInt8](repeating: 0, count: largestPayload + SerialFrame.checkSize)
    }

    /// Frames that were too long, badly stuffed or of a wrong check.
    package var dropped: UInt32 { decoder.dropped }

    /// Takes the next byte of the line. Returns the payload that it completes.
    package mutating func take(_ byte: UInt8) -> [UInt8]? {
        // The span has all of this value to itself.
        var decoder = decoder
        var span = buffer.mutableSpan
        let count = decoder.take(byte, into: &span)
        self.decoder = decoder
        return count.map { Array(buffer.prefix($0)) }
    }
}

extension SerialFrame {
    /// The bytes on the line of a payload that is `head` and, right behind it, `body`.
    package static func bytes(_ head: [UInt8], _ body: [UInt8] = []) -> [UInt8] {
        var encoder = SerialEncoder(head.span, body.span)
        var bytes: [UInt8] = []
        while let byte = encoder.next() { bytes.append(byte) }
        return bytes
    }
}
