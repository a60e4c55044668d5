/// Keeps the list of the files that are on their way, so that a restart or a crash ends none. Each call is one transaction, which
/// is durable when the call returns. How much of a file has arrived is known to its receiver, and kept there.
package protocol KeepingTransfers: Sendable {
    /// The files that are on their way, in the order in which they were added.
    func transfers() async throws(WormholeError) -> [TransferRecord]

    /// Adds one.
    func add(_ record: TransferRecord) async throws(WormholeError)

    /// It was offered to its peer. One that is not there changes nothing.
    func begun(_ transfer: UInt64) async throws(WormholeError)

    /// It has arrived, or never will. One that is not there changes nothing.
    func remove(_ transfer: UInt64) async throws(WormholeError)
}
