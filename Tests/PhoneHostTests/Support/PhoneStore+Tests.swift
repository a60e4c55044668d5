import GRDB
import Wormhole

@testable import PhoneHost

extension PhoneStore {
    /// The history without the additions, with which every test begins.
    func historyOfOldItems() async throws -> [HistoryEntry] {
        try await history(events: HistoryEntry.Event.allCases.filter { $0 != .added })
    }

    /// A number that another program's transactions change, and this store's do not.
    func version() async throws -> Int64? {
        try await read { try Int64.fetchOne($0, cached: "PRAGMA data_version") }
    }
}
