import Wormhole

extension MessageStore {
    /// Creates a store in memory, for tests. The store survives a restart of the endpoint, but not of the process.
    ///
    /// - Parameter handler: applies the queued messages that arrive. If it is nil, each message counts as applied at once.
    public static func inMemory(applying handler: Handler? = nil) -> MessageStore {
        do throws(WormholeError) {
            return try MessageStore(inMemoryApplying: handler)
        } catch {
            preconditionFailure("SQLite opens a database in memory: \(error)")
        }
    }
}
