/// How much of a file the receiver has.
public struct FileProgress: Hashable, Sendable, Codable {
    /// The bytes that the receiver has written. It may fall once, where what the receiver had kept turns out to be wrong.
    public let done: UInt64
    /// The bytes of the whole file.
    public let total: UInt64
    /// Where the receiver is too busy for the file, the milliseconds from its answer after which it is offered again, 1,000 to
    /// 30,000. Earlier where another file has ended. Nil where the receiver has not said so on this link, or has taken it since.
    public let busyFor: UInt32?

    init(done: UInt64, total: UInt64, busyFor: UInt32? = nil) {
        self.done = done
        self.total = total
        self.busyFor = busyFor
    }
}
