/// The files in transfer to every peer, oldest first.
struct FileOutbox {
    /// A file and the handle that the program holds.
    struct Entry: Sendable {
        let record: TransferRecord
        let transfer: FileTransfer
    }

    private var entries: [Entry] = []

    var all: [FileTransfer] { entries.map(\.transfer) }

    func entries(for peer: PeerIdentity) -> [Entry] { entries.filter { $0.record.peer == peer } }

    mutating func add(_ entry: Entry) { entries.append(entry) }

    func entry(_ transfer: UInt64) -> Entry? { entries.first { $0.record.transfer == transfer } }

    mutating func remove(_ transfer: UInt64) { entries.removeAll { $0.record.transfer == transfer } }
}
