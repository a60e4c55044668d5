import Synchronization
import WatchLink

/// A file on its way to a peer. Dropping it does not end the transfer.
public final class FileTransfer: Sendable {
    /// Its number for good, also in a later run; drawn at random.
    public let number: UInt64
    /// Who gets the file.
    public let peer: PeerIdentity
    /// What the file is called there.
    public let label: FileLabel
    /// The bytes of the file.
    public let length: UInt64

    /// Where it is read.
    let path: String
    let copy = MessageCopy()
    private let course: FileCourse
    private let ending: @Sendable () async -> Void

    init(_ record: TransferRecord, cancel: @escaping @Sendable () async -> Void) {
        number = record.transfer
        peer = record.peer
        label = record.label
        length = record.length
        path = record.path
        course = FileCourse(total: record.length)
        ending = cancel
    }

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
    func refusedBusy(for pause: Microseconds) { course.refusedBusy(for: UInt32(clamping: pause.count / 1_000)) }

    /// The link has ended on which the peer was too busy.
    func linkEnded() { course.linkEnded() }

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

    func advance(to done: UInt64) {
        change { FileProgress(done: done, total: $0.total) }
    }

    /// The receiver is too busy, and is offered the file again after these milliseconds.
    func refusedBusy(for pause: UInt32) {
        newest.withLock { newest in
            newest = FileProgress(done: newest.done, total: newest.total, busyFor: pause)
            // Also where it was busy before.
            changes.send(newest)
        }
    }

    func linkEnded() {
        change { FileProgress(done: $0.done, total: $0.total) }
    }

    private func change(_ next: (FileProgress) -> FileProgress) {
        newest.withLock { newest in
            let next = next(newest)
            guard next != newest else { return }
            newest = next
            changes.send(newest)
        }
    }

    func finish() { changes.finish() }
}
