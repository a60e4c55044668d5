import CalDAV
import Foundation
import TestDoubles
import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

@Suite struct SyncedDetailTests {
    private let server = InMemoryCalendarServer()
    private let long = #"Not the UHT one.\n\n- farm shop\n- or the\, well\, market"#

    private func phones() async throws -> (ann: SyncedPhone, bob: SyncedPhone) {
        let phones = (try await SyncedPhone(server), try await SyncedPhone(server, seed: 2))
        try await phones.0.add("Milk")
        try await phones.0.sync()
        try await phones.1.sync()
        return phones
    }

    private func text() throws -> String { try #require(server.items.first?.value.text) }

    @Test func `what one phone says is on the other, exactly`() async throws {
        let (ann, bob) = try await phones()
        let detail = ItemDetail(amount: #"1,5 l; \n"#, note: "the green one, (cold): \u{A0}🧊")
        try await ann.describe("Milk", detail)
        try await ann.sync()
        try await bob.sync()
        #expect(try await bob.detail("Milk") == detail)
        try await bob.describe("Milk", ItemDetail(amount: "2 l"))
        try await bob.sync()
        try await ann.sync()
        #expect(try await ann.detail("Milk") == ItemDetail(amount: "2 l"))
        let change = try #require(try await ann.store.history(of: "Food", events: [.described]).last)
        #expect(change.origin == .phone)
        #expect(change.description == HistoryEntry.Description(before: detail, after: ItemDetail(amount: "2 l")))
        try await ann.describe("Milk", .none)
        try await ann.sync()
        try await bob.sync()
        #expect(try await bob.detail("Milk") == .none)
        #expect(try !text().contains("DESCRIPTION") && !text().contains("X-TAPLINE"))
        #expect(try await bob.sync().lists[0].waiting == 0)
    }

    @Test func `a new item has them from the beginning`() async throws {
        let (ann, bob) = try await phones()
        let detail = ItemDetail(amount: "6", note: "large")
        try await ann.store.add([ItemDraft(title: try CleanTitle("Eggs"), detail: detail)], to: "Food")
        try await ann.sync()
        try await bob.sync()
        #expect(try await bob.detail("Eggs") == detail)
        #expect(try await bob.sync().lists[0].waiting == 0)
    }

    @Test func `one changes the amount and another one the note: both count`() async throws {
        let (ann, bob) = try await phones()
        try await ann.describe("Milk", ItemDetail(amount: "1 l", note: "cold"))
        try await ann.sync()
        try await bob.sync()
        try await ann.describe("Milk", ItemDetail(amount: "2 l", note: "cold"))
        try await bob.describe("Milk", ItemDetail(amount: "1 l", note: "green"))
        try await bob.rename("Milk", to: "Oat milk")
        for phone in [ann, bob, ann] { try await phone.sync() }
        let both = ItemDetail(amount: "2 l", note: "green")
        #expect(try await ann.detail("Oat milk") == both)
        #expect(try await bob.detail("Oat milk") == both)
    }

    @Test func `where both have changed the note the server's counts`() async throws {
        let (ann, bob) = try await phones()
        try await ann.describe("Milk", ItemDetail(note: "ann's"))
        try await bob.describe("Milk", ItemDetail(note: "bob's"))
        for phone in [ann, bob, ann] { try await phone.sync() }
        #expect(try await ann.detail("Milk") == ItemDetail(note: "ann's"))
        #expect(try await bob.detail("Milk") == ItemDetail(note: "ann's"))
    }

    @Test func `a lost answer is no change of the server`() async throws {
        let (ann, bob) = try await phones()
        try await ann.describe("Milk", ItemDetail(amount: "1 l"))
        server.fail(.lostAnswer, .put)
        try await ann.sync()
        try await ann.describe("Milk", ItemDetail(amount: "2 l", note: "cold"))
        for phone in [ann, bob] { try await phone.sync() }
        #expect(try await bob.detail("Milk") == ItemDetail(amount: "2 l", note: "cold"))
    }

    @Test func `a long text of another program is a note on the phone, and never rewritten`() async throws {
        let ann = try await SyncedPhone(server)
        let path = InMemoryCalendarServer.path + "1.ics"
        server.put(todo("1", "Milk", "DESCRIPTION:\(long)"), at: path)
        let words = String(repeating: #"word\n"#, count: 1_000)
        server.put(todo("2", "Eggs", "DESCRIPTION:\(words)"), at: InMemoryCalendarServer.path + "2.ics")
        try await ann.sync()
        #expect(try await ann.detail("Milk").note == "Not the UHT one. - farm shop - or the, well, market")
        #expect(try await ann.detail("Eggs").note?.count == 200)
        try await ann.check("Milk")
        try await ann.rename("Milk", to: "Fresh milk")
        try await ann.sync()
        #expect(try #require(server.items[path]).text.contains("DESCRIPTION:\(long)\r\n"))
        try await ann.describe("Fresh milk", ItemDetail(amount: "2 l", note: try await ann.detail("Fresh milk").note))
        try await ann.sync()
        let unfolded = try #require(server.items[path]).text.replacing("\r\n ", with: "")
        #expect(unfolded.contains(#"DESCRIPTION:2 l\n"# + long + "\r\n"), "the amount is put before it")
        try await ann.describe("Fresh milk", ItemDetail(amount: "2 l", note: "farm shop"))
        try await ann.sync()
        #expect(try #require(server.items[path]).text.contains(#"DESCRIPTION:2 l\nfarm shop"#))
    }

    @Test func `what another program says instead counts`() async throws {
        let (ann, _) = try await phones()
        try await ann.describe("Milk", ItemDetail(amount: "2 l", note: "cold"))
        try await ann.sync()
        let path = try #require(server.items.first?.key)
        let before = try text()
        server.put(before.replacing(#"2 l\ncold"#, with: #"3 l\ncold"#), at: path)
        try await ann.sync()
        #expect(try await ann.detail("Milk") == ItemDetail(note: "3 l cold"))
        server.put(before.replacing(#"2 l\ncold"#, with: #"2 l\nwarm\norganic"#), at: path)
        try await ann.sync()
        #expect(try await ann.detail("Milk") == ItemDetail(amount: "2 l", note: "warm organic"))
        #expect(try await ann.sync().lists[0].waiting == 0)
    }

    @Test func `a row that is joined with an item of its title keeps what the item does not say`() async throws {
        let ann = try await SyncedPhone(server)
        try await ann.add("Milk")
        try await ann.describe("Milk", ItemDetail(amount: "2 l", note: "mine"))
        let path = InMemoryCalendarServer.path + "1.ics"
        server.put(todo("1", "Milk", "DESCRIPTION:theirs"), at: path)
        try await ann.sync()
        #expect(try await ann.detail("Milk") == ItemDetail(amount: "2 l", note: "theirs") && server.items.count == 1)
        #expect(try text().contains(#"DESCRIPTION:2 l\ntheirs"#))
    }

    @Test func `a note of other bytes is a change though it looks the same`() {
        let (composed, decomposed) = (
            TodoDetail(amount: "é", note: "é"), TodoDetail(amount: "e\u{301}", note: "e\u{301}")
        )
        #expect(decomposed.changes(since: composed).count == 2)
        #expect(composed.changes(since: composed).isEmpty)
    }

    @Test func `every amount and note comes back as it was`() throws {
        let seed = Seed.printed(for: "details")
        var generator = SplitMix64(seed: seed)
        let pieces = [
            "a", " ", "\t", "\\", ";", ",", "n", "\n", ":", "\"", "é", "e\u{301}", "\u{A0}", "\u{2028}", "\r", "🧊",
            "X-",
        ]
        func word() -> String? {
            let count = Int.random(in: 0..<12, using: &generator)
            guard count > 0 else { return nil }
            return (0..<count * 4).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
        }
        let now = Date(timeIntervalSince1970: 1_760_000_000)
        for _ in 0..<TestLevel.rounds(300, nightly: 2_000) {
            let detail = ItemDetail(amount: word(), note: word())
            let before = ItemDetail(amount: word(), note: word())
            let first = try CalendarObject(
                uid: "1", title: "Milk", state: .open, detail: TodoDetail(amount: before.amount, note: before.note),
                created: now, now: now)
            var object = try CalendarObject(first.text)
            let changes = TodoDetail(amount: detail.amount, note: detail.note).changes(since: TodoDetail(of: object))
            object.edit(title: nil, state: nil, detail: changes, now: now)
            let read = ItemDetail(TodoDetail(of: try CalendarObject(object.text)))
            #expect(read == detail, "TAPLINE_SEED=\(seed)")
            // Compares bytes and not only characters, as the database does.
            #expect(read.text(behind: "").utf8.elementsEqual(detail.text(behind: "").utf8), "TAPLINE_SEED=\(seed)")
        }
    }
}
