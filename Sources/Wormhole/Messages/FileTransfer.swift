import HostSystem
import Synchronization
import WatchLink

/// The progress of a file at its receiver.
public struct FileProgress: Hashable, Sendable, Codable {
    /// The number of bytes that the receiver has written. It may fall once, if bytes of an earlier link turn out to be wrong.
    public let done: UInt64
    /// The number of bytes of the complete file.
    public let total: UInt64
    /// The pause before the file is offered to a busy receiver again, 1,000 to 30,000 milliseconds. It ends early if
    /// another transfer ends. Nil unless the receiver's last answer on this link was "busy".
    public private(set) var busyFor: UInt32?
}

package struct TransferRecord: Hashable, Sendable, Codable {
    package enum State: String, Sendable, Codable {
        case waiting
        case begun
    }

    /// The permanent number of the transfer: random, not 0.
    package let transfer: UInt64
    package let peer: PeerIdentity
    package let label: FileLabel
    package let path: String
    package let length: UInt64
    package let hash: [UInt8]
    /// The program's metadata: one CBOR data item; nil for none.
    package let metadata: [UInt8]?
    package var state: State
}

/// A file in transfer to a peer. Dropping it does not end the transfer.
public final class FileTransfer: Sendable {
    let record: TransferRecord
    private let copy = MessageCopy()
    private let broadcast: ProgressBroadcast
    private let cancelTransfer: @Sendable () async -> Void

    init(_ record: TransferRecord, cancel: @escaping @Sendable () async -> Void) {
        self.record = record
        broadcast = ProgressBroadcast(total: record.length)
        cancelTransfer = cancel
    }

    /// The permanent random number of the transfer. It stays the same across restarts.
    public var number: UInt64 { record.transfer }
    /// The receiver of the file.
    public var peer: PeerIdentity { record.peer }
    /// The file's name at the receiver.
    public var label: FileLabel { record.label }
    /// The length of the file in bytes.
    public var length: UInt64 { record.length }

    /// `.queued` until the peer is reachable, `.sent` once the file is offered, `.delivered` once all of it is written,
    /// `.applied` once the hash is right and the file has its name.
    public var fate: MessageFate { copy.fate }

    /// Every fate so far, then the later ones. The sequence ends after the final one.
    public var fates: AsyncStream<MessageFate> { copy.fates }

    /// Waits until the fate is final. A cancelled task gets the present fate.
    public func finalFate() async -> MessageFate { await copy.finalFate() }

    /// The peer's progress, now and after each change. A slow listener gets only the newest one. The sequence ends with the
    /// transfer.
    public var progress: AsyncStream<FileProgress> { broadcast.listen() }

    /// Ends the transfer with `.failed(.cancelled)`, unless its fate is final. A reachable peer deletes the part that
    /// it has. An unreachable peer keeps that part until it needs the room.
    public func cancel() async { await cancelTransfer() }

    /// The number of bytes that the receiver has confirmed.
    package var done: UInt64 { broadcast.done }

    func advance(to done: UInt64) { broadcast.advance(to: done) }

    func refusedBusy(for pause: Microseconds) { broadcast.advance(busyFor: UInt32(clamping: pause.count / 1_000)) }

    func linkEnded() { broadcast.advance() }

    func advance(to fate: MessageFate) { copy.advance(to: fate) }

    func end(_ fate: MessageFate) {
        if fate == .applied { copy.advance(to: .delivered) }
        copy.advance(to: fate)
        broadcast.finish()
    }
}

final class ProgressBroadcast: Sendable {
    private let newest: Mutex<FileProgress>
    private let changes = Broadcast<FileProgress>()

    var done: UInt64 { newest.withLock { $0.done } }

    init(total: UInt64) { newest = Mutex(FileProgress(done: 0, total: total)) }

    func listen() -> AsyncStream<FileProgress> {
        newest.withLock { changes.listen(after: [$0], keeping: 1) { $0 } }
    }

    func advance(to done: UInt64? = nil, busyFor pause: UInt32? = nil) {
        newest.withLock { newest in
            let next = FileProgress(done: done ?? newest.done, total: newest.total, busyFor: pause)
            // Each refusal is reported, even if the receiver was busy before.
            guard next != newest || pause != nil else { return }
            newest = next
            changes.send(next)
        }
    }

    func finish() { changes.finish() }
}

/// A file that arrives from a peer. Dropping it does not end the transfer.
public final class ArrivingFile: Sendable {
    /// The sender.
    public let peer: PeerIdentity
    /// The name that the sender gave the file.
    public let label: FileLabel
    /// The length of the file in bytes.
    public let length: UInt64

    private let broadcast: ProgressBroadcast
    private let cancelTransfer: @Sendable () async -> Void

    init(from peer: PeerIdentity, label: FileLabel, length: UInt64, cancel: @escaping @Sendable () async -> Void) {
        self.peer = peer
        self.label = label
        self.length = length
        broadcast = ProgressBroadcast(total: length)
        cancelTransfer = cancel
    }

    /// How much this side has written, now and after each change. The sequence ends with the link. On the next link,
    /// `FileReception.arriving` reports the file again, as a new object.
    public var progress: AsyncStream<FileProgress> { broadcast.listen() }

    /// Ends the transfer, and deletes what has arrived. The sender's fate is `.failed(.fileRefused(.cancelled))`. The call does
    /// nothing once the file is complete or the link has ended.
    public func cancel() async { await cancelTransfer() }

    func advance(to done: UInt64) { broadcast.advance(to: done) }

    func finish() { broadcast.finish() }
}

/// A complete file with the right hash, in its directory.
public struct ReceivedFile: Sendable, Hashable, Codable {
    /// The sender.
    public let peer: PeerIdentity
    /// The name that the sender gave the file.
    public let label: FileLabel
    /// The file's path. Its name is the label, with a number if the label was taken: `photo-2.png`.
    public let path: String
    /// The length of the file in bytes.
    public let length: UInt64
    /// The sender's metadata: one CBOR data item; nil for none.
    public let metadata: [UInt8]?

    /// The sender's metadata, decoded as a type. Throws `.coding` if the metadata has another type.
    public func metadata<Value: Passable>(as type: Value.Type) throws(WormholeError) -> Value? {
        guard let metadata else { return nil }
        return try MessageDecoder().decode(type, from: metadata)
    }
}

/// A program's reception of files into a directory. It continues if this value is dropped.
public struct FileReception: Sendable {
    /// Each complete file. Beyond 1,024 unread ones the oldest are dropped here, but stay in the directory.
    public let files: AsyncStream<ReceivedFile>
    /// Each file that starts to arrive, or that a new link continues. Beyond 64 unread files the oldest are dropped.
    public let arriving: AsyncStream<ArrivingFile>

    let endReception: @Sendable () -> Void

    /// Ends the reception and its sequences. Files that are arriving are completed; further ones are refused.
    public func end() { endReception() }
}
