/// How much of a file the receiver has.
public struct FileProgress: Hashable, Sendable, Codable {
    /// The bytes that the receiver has written. It may fall once, where what the receiver had kept turns out to be wrong.
    public let done: UInt64
    /// The bytes of the whole file.
    public let total: UInt64
}
