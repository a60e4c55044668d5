import WatchLink

extension [UInt8] {
    /// - Throws: `.outOfSpace` for more than `capacity` bytes; what `write` throws.
    package init(
        capacity: Int, writing write: (inout CBORWriter) throws(CBORError) -> Void
    ) throws(CBORError) {
        var bytes = [UInt8](repeating: 0, count: capacity)
        var writer = CBORWriter(bytes.mutableSpan)
        try write(&writer)
        let count = writer.count
        self = Array(bytes[..<count])
    }
}
