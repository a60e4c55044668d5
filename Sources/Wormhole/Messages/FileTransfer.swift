import HostSystem
import Synchronization
import WatchLink

/// How much of a file its receiver has written.
public struct FileProgress: Hashable, Sendable, Codable {
    /// The number of bytes that the receiver has written. It falls if the receiver has lost bytes from an earlier link,
    /// or discards them because the hash is wrong.
    public let done: UInt64
    /// The number of bytes of the complete file.
    public let total: UInt64
    /// The time from the receiver's answer "busy" until the sender offers the file again, 1,000 to 30,000 milliseconds. Nil
    /// unless the receiver's last answer on this link was "busy". The sender may offer the file earlier, when a different file
    /// transfer on the link has ended.
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
    /// The sending program's metadata, one CBOR data item; nil if there is none.
    package let metadata: [UInt8]?
    package var state: State
}

/// The transfer of a file to a peer. The transfer continues if the program releases this object.
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

    /// `.queued` until this side offers the file to the peer, then `.sent`. `.delivered` once the peer has written the whole
    /// file. `.applied` once the peer has found the hash right and given the file its name.
    public var fate: MessageFate { copy.fate }

    /// The fates so far, and then each new fate. The sequence ends after the final fate.
    public var fates: AsyncStream<MessageFate> { copy.fates }

    /// Waits until the fate is final. A cancelled task gets the present fate.
    public func finalFate() async -> MessageFate { await copy.finalFate() }

    /// The receiver's present progress, then each change. A slow listener gets only the newest change. The sequence
    /// ends when the transfer ends.
    public var progress: AsyncStream<FileProgress> { broadcast.listen() }

    /// Ends the transfer with `.failed(.cancelled)`, unless its fate is already final. A reachable peer deletes the part that
    /// it has received. An unreachable peer keeps that part, and may delete it later.
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

/// A file that a peer is sending over one link. The transfer continues if the program releases this object.
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

    /// This side's present progress in writing the file, then each change. A slow listener gets only the newest change.
    ///
    /// The sequence ends when the transfer or the link ends. If the transfer continues on another link,
    /// `FileReception.arriving` reports a new object for the file.
    public var progress: AsyncStream<FileProgress> { broadcast.listen() }

    /// Ends the transfer, and deletes what has arrived. The sender gets the fate `.failed(.fileRefused(.cancelled))`. Does
    /// nothing if the file is complete or the link has ended.
    public func cancel() async { await cancelTransfer() }

    func advance(to done: UInt64) { broadcast.advance(to: done) }

    func finish() { broadcast.finish() }
}

/// A file that has arrived completely with the right hash, and is stored in the directory of the reception.
public struct ReceivedFile: Sendable, Hashable, Codable {
    /// The sender.
    public let peer: PeerIdentity
    /// The name that the sender gave the file.
    public let label: FileLabel
    /// The path of the stored file. Its file name is the label. If another file already had that name, a number is added:
    /// `photo-2.png`.
    public let path: String
    /// The length of the file in bytes.
    public let length: UInt64
    /// The sending program's metadata, one CBOR data item; nil if there is none.
    public let metadata: [UInt8]?

    /// Decodes the metadata as `type`; nil if there is none. Throws `.coding` if the metadata has another type.
    public func metadata<Value: Passable>(as type: Value.Type) throws(WormholeError) -> Value? {
        guard let metadata else { return nil }
        return try MessageDecoder().decode(type, from: metadata)
    }
}

/// The reception of files into a directory, begun by `Wormhole.receiveFiles(into:atMost:)`. It lasts until `end()`, or until
/// the endpoint closes, even if the program releases this value.
public struct FileReception: Sendable {
    /// Reports each file once it is stored. If the program leaves more than 1,024 reports unread, the oldest are dropped. The
    /// files stay in the directory.
    public let files: AsyncStream<ReceivedFile>
    /// Reports each file when its transfer begins, or continues on a new link. If the program leaves more than 64 reports
    /// unread, the oldest are dropped. Their transfers continue.
    public let arriving: AsyncStream<ArrivingFile>

    let endReception: @Sendable () -> Void

    /// Ends the reception and both sequences. A transfer under way continues as long as its link is open. If it completes,
    /// its file is stored but not reported. This side refuses all offers until a new reception begins.
    public func end() { endReception() }
}
