import CalDAV
import TestDoubles
import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

/// Two phones and a server, with random edits, faults and times without a connection.
@Suite struct RandomSyncTests {
    private static let faults: [InMemoryCalendarServer.Fault] = [
        .status(412), .status(423), .status(503), .status(507), .status(401), .status(500), .lostAnswer, .silent,
        .halfAnswer, .noETag, .page,
    ]

    /// One edit by one phone; what it deletes is noted.
    private func edit(
        _ phone: SyncedPhone, _ generator: inout SplitMix64, _ number: Int, deleted: inout Set<UInt32>,
        added: inout Int
    ) async throws {
        phone.steps.advance(seconds: Double(Int.random(in: 0..<500, using: &generator)))
        let row = try await phone.rows.randomElement(using: &generator)
        let action = Int.random(in: 0..<8, using: &generator)
        guard let row, action > 1 else {
            try await phone.add("Item \(number)")
            added += 1
            return
        }
        switch action {
        case 2: try await phone.remove(row.title)
        case 3: try await phone.rename(row.title, to: "Item \(number)")
        case 4: try await phone.uncheck(row.title)
        case 6:
            try await phone.describe(row.title, ItemDetail(amount: "\(number)", note: row.detail.note))
        case 7:
            try await phone.describe(row.title, ItemDetail(amount: row.detail.amount, note: "note \(number)"))
        case _: try await phone.check(row.title)
        }
        if action == 2 { deleted.insert(row.id.rawValue) }
    }

    @Test func `in the end all agree, and nothing is deleted without an editor's deletion`() async throws {
        let first = Seed.printed(for: "random sync")
        for seed in 0..<6 {
            var generator = SplitMix64(seed: first &+ UInt64(seed))
            let server = InMemoryCalendarServer()
            let phones = [
                try await SyncedPhone(server, seed: generator.next()),
                try await SyncedPhone(server, seed: generator.next()),
            ]
            var deleted: Set<UInt32> = []
            var added = 0
            var deletions = 0
            for phone in phones { try await phone.sync() }
            for number in 0..<60 {
                guard let phone = phones.randomElement(using: &generator) else { continue }
                let before = deleted.count
                try await edit(phone, &generator, number, deleted: &deleted, added: &added)
                deletions += deleted.count - before
                guard generator.once(in: 3) else { continue }
                if generator.once(in: 2), let fault = Self.faults.randomElement(using: &generator) {
                    server.fail(fault, [HTTPRequest.Method.put, .report, .propfind].randomElement(using: &generator))
                }
                if generator.once(in: 8) { server.forgetTokens() }
                try await phone.sync(.accept)
            }
            // What is left of the faults, then a connection without any.
            for _ in 0..<60 { for phone in phones { try await phone.sync(.accept) } }
            let texts = server.items.values.compactMap { try? CalendarObject($0.text) }
            let there = texts.map { $0.summary + ($0.state == .open ? "" : " ✓") }.sorted()
            let details = texts.map { ItemDetail(TodoDetail(of: $0)).text(behind: $0.summary) }.sorted()
            for phone in phones {
                #expect(try await phone.titles == there, "TAPLINE_SEED=\(first &+ UInt64(seed))")
                #expect(try await phone.rows.map(\.text).sorted() == details, "TAPLINE_SEED=\(first &+ UInt64(seed))")
                #expect(try await phone.sync().lists.first?.waiting == 0)
            }
            // Both may have deleted the same item, so that at least these are left.
            #expect(there.count >= added - deletions, "TAPLINE_SEED=\(first &+ UInt64(seed))")
            #expect(there.count <= added, "TAPLINE_SEED=\(first &+ UInt64(seed))")
        }
    }
}
