import GRDB
import Wormhole

@testable import PhoneHost

extension PhoneStore {
    /// The history without the additions, with which every test begins.
    func historyOfOldItems() async throws -> [HistoryEntry] {
        try await history(events: HistoryEntry.Event.allCases.filter { $0 != .added })
    }

    /// Queues what each of these watches lacks, and publishes the latest values, in one transaction.
    func feed(_ watches: Set<PeerIdentity>) async throws(PhoneError) -> FeedRound {
        try await write { [dependencies] db in try FeedRound(db, for: watches, dependencies) }
    }

    /// A number that another program's transactions change, and this store's do not.
    func version() async throws -> Int64? {
        try await read { try Int64.fetchOne($0, cached: "PRAGMA data_version") }
    }
}

func drafts(_ titles: String...) throws -> [ItemDraft] {
    try titles.map { ItemDraft(title: try CleanTitle($0)) }
}

/// Drafts with the titles "item 1" to "item `count`".
func drafts(count: Int) throws -> [ItemDraft] {
    try (0..<count).map { ItemDraft(title: try CleanTitle("item \($0 + 1)")) }
}
