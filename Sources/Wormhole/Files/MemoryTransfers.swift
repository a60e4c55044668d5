import Synchronization

/// Keeps the list of the files that are on their way in memory: it ends with the program.
package final class MemoryTransfers: KeepingTransfers {
    private let records = Mutex<[TransferRecord]>([])

    package init() {}

    package func transfers() -> [TransferRecord] { records.withLock { $0 } }

    package func add(_ record: TransferRecord) { records.withLock { $0.append(record) } }

    package func begun(_ transfer: UInt64) {
        records.withLock { records in
            for index in records.indices where records[index].transfer == transfer { records[index].state = .begun }
        }
    }

    package func remove(_ transfer: UInt64) {
        records.withLock { $0.removeAll { $0.transfer == transfer } }
    }
}
