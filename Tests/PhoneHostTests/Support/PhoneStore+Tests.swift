@testable import PhoneHost

extension PhoneStore {
    /// The history without the additions, with which every test begins.
    func historyOfOldItems() async throws -> [HistoryEntry] {
        try await history(events: HistoryEntry.Event.allCases.filter { $0 != .added })
    }
}
