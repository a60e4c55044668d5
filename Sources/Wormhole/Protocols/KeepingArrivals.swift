/// Keeps the queued messages of peers until somebody is done with them.
package protocol KeepingArrivals: Sendable {
    /// What waits, from the oldest on.
    ///
    /// - Parameter number: only messages after this one.
    /// - Throws: `.storage`, `.closed`.
    func inbox(after number: UInt64) async throws(WormholeError) -> [KeptMessage]

    /// Removes a message, for somebody who is done with it. One that is not there changes nothing.
    ///
    /// - Throws: `.storage`, `.closed`.
    func take(_ number: UInt64) async throws(WormholeError)
}
