import Foundation
import GRDB
import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

/// A process that is killed leaves its write-ahead log as far as it had got, and a power cut may leave less of it.
@Suite struct CrashTests {
    @Test func `a write-ahead log cut off at any place leaves whole transactions`() async throws {
        let directory = TemporaryDirectory()
        let path = directory.file("phone.sqlite")
        let store = try PhoneStore(path: path)
        // Each transaction changes three tables: an item goes, another is checked off, the history has both.
        let items = try await store.add(try drafts(count: 40)).items
        for pair in 0..<20 {
            let now = Date(timeIntervalSince1970: Double(pair))
            try await store.apply(
                [
                    ListEdit(item: items[2 * pair].id, action: .check(at: now)),
                    ListEdit(item: items[2 * pair + 1].id, action: .remove(at: now)),
                ], origin: .command)
        }
        let file = try Data(contentsOf: URL(filePath: path))
        let log = try Data(contentsOf: URL(filePath: path + "-wal"))
        #expect(log.count > 20 * 4_096, "the changes are to be in the log and not in the file yet")
        var generator = SplitMix64(seed: 7)
        var seen: Set<Int> = []
        for trial in 0..<60 {
            let copy = directory.file("copy-\(trial).sqlite")
            let length = Int.random(in: 0...log.count, using: &generator)
            try file.write(to: URL(filePath: copy))
            try log.prefix(length).write(to: URL(filePath: copy + "-wal"))
            let reopened = try PhoneStore(path: copy)
            let contents = try await reopened.contents()
            let history = try await reopened.historyOfOldItems()
            #expect(history.count == 2 * contents.checked.count, "cut at \(length)")
            #expect(
                contents.items.count == (contents.items.isEmpty ? 0 : 40 - contents.checked.count), "cut at \(length)")
            let check = try await reopened.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
            #expect(check == "ok")
            seen.insert(contents.checked.count)
        }
        #expect(seen.count > 5, "the cuts are to hit different transactions")
    }
}
