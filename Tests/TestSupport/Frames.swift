import WatchLink

extension LinkMessage {
    /// Writes the whole frame of the message: header, name and payload.
    ///
    /// - Throws: `.outOfSpace` if the frame does not fit. The writer then holds an incomplete frame.
    @_lifetime(writer: copy writer)
    package func encodeFrame(sequence: UInt32, into writer: inout CBORWriter) throws(CBORError) {
        try MessageHeader(Self.delivery, sequence: sequence).encode(into: &writer)
        try encodeBody(into: &writer)
    }
}

extension SerialFrame {
    /// Returns the maximum number of bytes that a frame with a payload of `count` bytes takes on the line.
    package static func largestWireSize(payload count: Int) -> Int {
        let stuffed = count + checkSize
        return stuffed + stuffed / 254 + 2
    }
}
