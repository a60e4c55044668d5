import Synchronization
import WatchLink

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

/// What is kept of a file that is on its way.
package struct TransferRecord: Hashable, Sendable, Codable {
    /// How far it has got.
    package enum State: String, Sendable, Codable {
        /// The peer does not know of it.
        case waiting
        /// It was offered to the peer.
        case begun
    }

    /// Its name for good: drawn at random, not 0.
    package let transfer: UInt64
    package let peer: PeerIdentity
    package let label: FileLabel
    package let path: String
    /// Bytes.
    package let length: UInt64
    /// The SHA-256 of the content, 32 bytes.
    package let hash: [UInt8]
    /// One CBOR data item; nil for nothing.
    package let metadata: [UInt8]?
    package var state: State

    package init(
        transfer: UInt64, peer: PeerIdentity, label: FileLabel, path: String, length: UInt64, hash: [UInt8],
        metadata: [UInt8]?, state: State
    ) {
        self.transfer = transfer
        self.peer = peer
        self.label = label
        self.path = path
        self.length = length
        self.hash = hash
        self.metadata = metadata
        self.state = state
    }
}

/// A file on its way to a peer. Dropping it does not end the transfer.
public final class FileTransfer: Sendable {
    let record: TransferRecord
    private let copy = MessageCopy()
    private let course: FileCourse
    private let ending: @Sendable () async -> Void

    init(_ record: TransferRecord, cancel: @escaping @Sendable () async -> Void) {
        self.record = record
        course = FileCourse(total: record.length)
        ending = cancel
    }

    /// Its number for good, also in a later run; drawn at random.
    public var number: UInt64 { record.transfer }
    /// The receiver of the file.
    public var peer: PeerIdentity { record.peer }
    /// What the file is called there.
    public var label: FileLabel { record.label }
    /// The bytes of the file.
    public var length: UInt64 { record.length }

    /// How far it has got: `.queued` until the peer is reachable, `.sent` once it was offered, `.delivered` once all of it was
    /// written, `.applied` once the hash was right and the file has its name.
    public var fate: MessageFate { copy.fate }

    /// Every stage that it has been through, and then those to come. The sequence ends after the final one.
    public var fates: AsyncStream<MessageFate> { copy.fates }

    /// Waits until the fate is final. A task that is cancelled gets the present fate.
    public func finalFate() async -> MessageFate { await copy.finalFate() }

    /// How much of it the peer has, now and whenever that changes. A slow listener gets the newest only. The sequence ends with the
    /// transfer.
    public var progress: AsyncStream<FileProgress> { course.listen() }

    /// Ends the transfer: its fate is `.failed(.cancelled)`, unless it has one. A peer that is reachable drops what it has; any other
    /// keeps that until it needs the room.
    public func cancel() async { await ending() }

    /// The peer has this much.
    func advance(to done: UInt64) { course.advance(to: done) }

    /// The peer is too busy for it, and is offered it again after this time.
    func refusedBusy(for pause: Microseconds) { course.advance(busyFor: UInt32(clamping: pause.count / 1_000)) }

    /// The link has ended on which the peer was too busy.
    func linkEnded() { course.advance() }

    /// Moves on to a later stage; the final one ends the progress.
    func advance(to fate: MessageFate) {
        copy.advance(to: fate)
        if fate.isFinal { course.finish() }
    }
}

/// The progress of one transfer, for any number of listeners.
final class FileCourse: Sendable {
    private let newest: Mutex<FileProgress>
    private let changes = Broadcast<FileProgress>()

    init(total: UInt64) { newest = Mutex(FileProgress(done: 0, total: total)) }

    func listen() -> AsyncStream<FileProgress> {
        newest.withLock { changes.listen(after: [$0], keeping: 1) { $0 } }
    }

    /// - Parameters:
    ///   - done: how much of it the receiver has; nil for as much as before.
    ///   - pause: the milliseconds after which it is offered again to a receiver that is too busy.
    func advance(to done: UInt64? = nil, busyFor pause: UInt32? = nil) {
        newest.withLock { newest in
            let next = FileProgress(done: done ?? newest.done, total: newest.total, busyFor: pause)
            // Each refusal is told, also if it was busy before.
            guard next != newest || pause != nil else { return }
            newest = next
            changes.send(next)
        }
    }

    func finish() { changes.finish() }
}

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
public struct ReceivedFile: Sendable, Hashable, Codable {
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
    /// - Throws: `.coding` if it is no such value.
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
