import WatchLink

/// A row as a watch has it.
struct FeedRow: Equatable {
    /// The item's number.
    var id: UInt32
    /// Its place: rows are in the order of rank, then of number.
    var rank: UInt32
    /// As much of its title as a watch keeps.
    var title: ItemTitle
}

/// What a watch is to have: the first open items of the active list, and how many there are in all.
struct WatchWindow: Equatable {
    /// The most rows that a watch keeps.
    static let capacity = 128

    /// The first open items in order, at most `capacity`.
    var rows: [FeedRow]
    /// How many open items the list has, the rows among them.
    var total: UInt32
}

/// What a watch has been given so far, or will have once it has applied what is queued for it.
enum WatchProjection: Equatable {
    /// Nothing that counts: it is new, or has lost what it had.
    case nothing
    /// These rows in order, and the word that there are so many more items.
    case rows([FeedRow], more: UInt32)
}
