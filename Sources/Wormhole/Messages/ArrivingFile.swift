/// A file that a peer is sending. Dropping it does not end the transfer.
public final class ArrivingFile: Sendable {
    /// Who sends it.
    public let peer: PeerIdentity
    /// What the sender calls it.
    public let label: FileLabel
    /// The bytes of the file.
    public let length: UInt64

    private let course: FileCourse
    private let ending: @Sendable () async -> Void

    init(from peer: PeerIdentity, label: FileLabel, length: UInt64, cancel: @escaping @Sendable () async -> Void) {
        self.peer = peer
        self.label = label
        self.length = length
        course = FileCourse(total: length)
        ending = cancel
    }

    /// How much of it is here. The sequence ends with the transfer or with the link; on the next link there is another.
    public var progress: AsyncStream<FileProgress> { course.listen() }

    /// Ends the transfer, and removes what is here. The sender learns it: its fate is `.failed(.fileRefused(.cancelled))`. Does nothing
    /// once the file is whole, or the link has ended.
    public func cancel() async { await ending() }

    func advance(to done: UInt64) { course.advance(to: done) }

    func finish() { course.finish() }
}

/// A file that is whole, has the hash that its sender gave, and is in its directory.
public struct ReceivedFile: Sendable, Hashable {
    /// Who has sent it.
    public let peer: PeerIdentity
    /// What the sender calls it.
    public let label: FileLabel
    /// Where it is. The name is the label, or, where a file had that already, one with a number: `photo-2.png`.
    public let path: String
    /// The bytes of the file.
    public let length: UInt64
    /// What the sender has said about it: one CBOR data item; nil for nothing.
    public let metadata: [UInt8]?

    /// What the sender has said about it, as a value of a type; nil for nothing.
    ///
    /// - Throws: `.coding` where it is no such value.
    public func metadata<Value: Passable>(as type: Value.Type) throws(WormholeError) -> Value? {
        guard let metadata else { return nil }
        return try MessageDecoder().decode(type, from: metadata)
    }
}

/// That a program receives files into a directory. Dropping it does not end that.
public struct FileReception: Sendable {
    /// Each file as it is whole. Of more than 1,024 that nobody reads the oldest go from here, and stay in the directory.
    public let files: AsyncStream<ReceivedFile>
    /// Each file as it begins to arrive, on each link anew. Of more than 64 that nobody reads the oldest go.
    public let arriving: AsyncStream<ArrivingFile>

    let ending: @Sendable () -> Void

    /// Nobody receives files from now on: those under way are completed, and further ones refused. The sequences end.
    public func end() { ending() }
}
