import PhoneHost
import WatchLink

/// A copy of a phone's database that was put away.
struct SavedDatabase {
    /// The files of its directory, by their paths.
    var image: [String: [UInt8]]
    /// The phone's randomness then.
    var random: SplitMix64
}

/// What an owner sees of a database.
struct DatabaseContents {
    let lists: [ListContents]
    let history: [HistoryEntry]

    /// The titles on all lists.
    var titles: Set<String> { Set(lists.flatMap(\.items).map(\.title)) }

    init(_ store: PhoneStore) async throws(PhoneError) {
        var lists: [ListContents] = []
        for list in try await store.lists() { lists.append(try await store.contents(of: list.name)) }
        self.lists = lists
        history = try await store.history()
    }
}
