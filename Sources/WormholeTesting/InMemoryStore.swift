import Wormhole

extension MessageStore {
    /// A store in memory, for tests. It survives a restart of the endpoint, but not of the process.
    ///
    /// - Parameter handler: applies queued messages.
    public static func inMemory(applying handler: Handler? = nil) -> MessageStore {
        do throws(WormholeError) {
            return try MessageStore(inMemoryApplying: handler)
        } catch {
            preconditionFailure("SQLite opens a database in memory: \(error)")
        }
    }
}
