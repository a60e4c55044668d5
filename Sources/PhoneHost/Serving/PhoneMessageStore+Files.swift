import Wormhole

// The files that programs send to watches. They go with their watch, when it is forgotten.
extension PhoneMessageStore: KeepingTransfers {
    func transfers() async throws(WormholeError) -> [TransferRecord] {
        try await read { try TransferTable.all($0) }
    }

    func add(_ record: TransferRecord) async throws(WormholeError) {
        try await write { try TransferTable.add($0, record) }
    }

    func begun(_ transfer: UInt64) async throws(WormholeError) {
        try await write { try TransferTable.begun($0, transfer) }
    }

    func remove(_ transfer: UInt64) async throws(WormholeError) {
        try await write { try TransferTable.remove($0, transfer) }
    }
}
