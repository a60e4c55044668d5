import WatchLink

extension LinkMessage {
    /// Writes the whole frame of the message: header, name and payload.
    ///
    /// - Throws: `.outOfSpace` if the writer has too little room; it then holds an incomplete frame.
    @_lifetime(writer: copy writer)
    package func encodeFrame(sequence: UInt32, into writer: inout CBORWriter) throws(CBORError) {
        try MessageHeader(Self.delivery, sequence: sequence).encode(into: &writer)
        try encodeBody(into: &writer)
    }
}

extension SerialFrame {
    /// The largest size in bytes of a frame with a payload of `count` bytes.
    package static func largestWireSize(payload count: Int) -> Int {
        let stuffed = count + checkSize
        return stuffed + stuffed / 254 + 2
    }
}
