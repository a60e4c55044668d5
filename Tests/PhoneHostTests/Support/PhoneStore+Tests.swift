import GRDB
import Wormhole

@testable import PhoneHost

extension PhoneStore {
    /// Returns the history without additions, because every test begins by adding items.
    func historyOfOldItems() async throws -> [HistoryEntry] {
        try await history(events: HistoryEntry.Event.allCases.filter { $0 != .added })
    }

    func feed(_ watches: Set<PeerIdentity>) async throws(PhoneError) -> FeedRound {
        try await write { [dependencies] db in try FeedRound(db, for: watches, dependencies) }
    }

    /// Returns a number that changes when another connection commits a transaction, but not when this store does.
    func version() async throws -> Int64? {
        try await read { try Int64.fetchOne($0, cached: "PRAGMA data_version") }
    }
}

func drafts(_ titles: String...) throws -> [ItemDraft] {
    try titles.map { ItemDraft(title: try CleanTitle($0)) }
}

func drafts(count: Int) throws -> [ItemDraft] {
    try (0..<count).map { ItemDraft(title: try CleanTitle("item \($0 + 1)")) }
}
