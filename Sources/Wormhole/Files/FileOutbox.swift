import Synchronization

/// The files that are on their way, to every peer.
final class FileOutbox: Sendable {
    /// A file, and who waits for it.
    struct Entry: Sendable {
        let record: TransferRecord
        let transfer: FileTransfer
    }

    private let entries = Mutex<[Entry]>([])

    var all: [FileTransfer] { entries.withLock { $0.map(\.transfer) } }

    /// The files for a peer, oldest first.
    func entries(for peer: PeerIdentity) -> [Entry] {
        entries.withLock { $0.filter { $0.record.peer == peer } }
    }

    /// Adds a file. Returns whether there was room.
    func add(_ entry: Entry) -> Bool {
        entries.withLock { entries in
            guard entries.count(where: { $0.record.peer == entry.record.peer }) < TransferLimits.mostWaiting else {
                return false
            }
            entries.append(entry)
            return true
        }
    }

    /// Whether a file is still on its way.
    func has(_ transfer: UInt64) -> Bool { entries.withLock { $0.contains { $0.record.transfer == transfer } } }

    /// Ends the way of a file with this fate; nil where it has ended already.
    func conclude(_ transfer: UInt64, _ fate: MessageFate) -> Entry? {
        let entry = entries.withLock { entries -> Entry? in
            guard let index = entries.firstIndex(where: { $0.record.transfer == transfer }) else { return nil }
            return entries.remove(at: index)
        }
        guard let entry else { return nil }
        if fate == .applied { entry.transfer.advance(to: .delivered) }
        entry.transfer.advance(to: fate)
        return entry
    }
}
