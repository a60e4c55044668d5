import WatchLink

/// A copy of the database of a phone that shares a list, and what the phone was like when it was put away.
struct DatabaseCopy {
    /// The files of its directory, by their paths.
    let image: [String: [UInt8]]
    /// The phone's randomness then.
    let random: SplitMix64
    /// How many edits had been made on the list.
    let edits: Int
    /// What the phone did not know to be on the server.
    let unsettled: Set<Int>
    /// The items that it had edited since its last whole sync.
    let unsent: Set<Int>
    /// The paths of the items of which some phone knew that the server had taken them.
    let acknowledged: Set<String>
}
