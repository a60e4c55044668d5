import Foundation
import GRDB
import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

@Suite struct AdditionsTests {
    let directory: TemporaryDirectory
    let world = SteppedDependencies()
    let store: PhoneStore

    init() throws {
        directory = TemporaryDirectory()
        store = try PhoneStore(path: directory.file("phone.sqlite"), dependencies: world.dependencies)
    }

    private func drafts(_ lines: String...) -> [ItemDraft] { lines.compactMap { ListImport.draft($0[...]) } }

    private func texts() async throws -> [String] { try await store.contents().open.map(\.text) }

    @Test func `a title that is there is not added again, whatever its case and spaces`() async throws {
        _ = try await store.add(drafts("Eggs", "Rye  bread"))
        let addition = try await store.addMissing(
            drafts("eggs", "Milk", "EGGS ", "rye bread", "Egg"), to: nil, origin: .command)
        #expect(addition.added.items.map(\.title) == ["Milk", "Egg"], "plural forms are left alone")
        #expect(addition.present.map(\.title) == ["Eggs", "Rye bread"])
        #expect(try await texts() == ["Eggs", "Rye bread", "Milk", "Egg"])
    }

    @Test func `what is checked off is added again`() async throws {
        let item = try await store.add(drafts("Eggs")).items[0]
        try await store.apply(ListEdit(item: item.id, action: .check(at: world.now)), origin: .command)
        let addition = try await store.addMissing(drafts("eggs"), to: nil, origin: .command)
        #expect(addition.added.items.map(\.title) == ["eggs"])
    }

    @Test func `amounts and notes of what is there are joined to it, and those of one call to each other`() async throws
    {
        _ = try await store.add(drafts("Milk, 1 l", "Apples (green)"))
        let addition = try await store.addMissing(
            drafts("milk, 2 l", "apples (green)", "Apples (sour)", "Flour, 500 g", "flour, 1 kg"), to: nil,
            origin: .command)
        #expect(addition.present.map(\.text) == ["Milk, 3 l", "Apples (green; sour)"])
        #expect(try await texts() == ["Milk, 3 l", "Apples (green; sour)", "Flour, 500 g + 1 kg"])
        #expect(
            addition.remarks == [
                "Joined \"Milk, 1 l\" + \"milk, 2 l\" as \"Milk, 3 l\"",
                "Joined \"Apples (green)\" + \"apples (green)\" + \"Apples (sour)\" as \"Apples (green; sour)\"",
                "Joined \"Flour, 500 g\" + \"flour, 1 kg\" as \"Flour, 500 g + 1 kg\"",
            ])
    }

    @Test func `an item is described, which the title does not tell and the history does`() async throws {
        let item = try await store.add(drafts("Milk, 1 l (fresh)")).items[0]
        let edit = ListEdit(
            item: item.id, action: .describe(ItemDetail(amount: " 2\tl ", note: "\u{1}"), at: world.now))
        #expect(try await store.apply(edit, origin: .command) == .changed)
        #expect(try await store.apply(edit, origin: .command) == .unchanged)
        let described = try await store.contents().items[0]
        #expect(described.title == "Milk" && described.detail == ItemDetail(amount: "2 l"))
        let entry = try #require(try await store.historyOfOldItems().first)
        #expect(entry.event == .described && entry.title == "Milk" && entry.formerTitle == nil)
        #expect(
            entry.description
                == HistoryEntry.Description(
                    before: ItemDetail(amount: "1 l", note: "fresh"), after: ItemDetail(amount: "2 l")))
        #expect(try await store.historyOfOldItems().count == 1)
    }

    @Test func `what an addition joins to an item is in the history`() async throws {
        _ = try await store.add(drafts("Milk, 1 l"))
        _ = try await store.addMissing(drafts("milk, 2 l", "milk"), to: nil, origin: .imported)
        let entries = try await store.historyOfOldItems()
        #expect(entries.map(\.event) == [.described] && entries.map(\.origin) == [.imported])
        #expect(entries.first?.description?.after == ItemDetail(amount: "3 l"))
    }

    @Test func `a watch shows the amount and the note, and learns of a change`() async throws {
        let item = try await store.add(drafts("Milk, 2 l (oat)")).items[0]
        #expect(try await rowsOfWatches() == ["Milk, 2 l (oat)"])
        try await store.apply(ListEdit(item: item.id, action: .describe(.none, at: world.now)), origin: .command)
        #expect(try await rowsOfWatches() == ["Milk"])
    }

    private func rowsOfWatches() async throws -> [String] {
        try await store.read { db in try FeedStore.PresentList(db).window.rows.map(\.title.text) }
    }

    @Test func `the same lines pasted twice need twice as much, notes are kept once, and what is ticked stays ticked`()
        async throws
    {
        for _ in 0..<3 {
            _ = try await store.addMissing(drafts("2 l milk", "Apples (green)"), to: nil, origin: .command)
        }
        #expect(try await texts() == ["milk, 6 l", "Apples (green)"])
        let silent = try await store.addMissing(drafts("Milk", "apples"), to: nil, origin: .command)
        #expect(silent.remarks.isEmpty && silent.present.count == 2)
        _ = try await store.addMissing(drafts("- [x] Milk"), to: nil, origin: .command)
        #expect(try await store.contents().checked.map(\.title) == ["Milk"])
    }

    @Test func `a watch shows the amount of a title that is long`() async throws {
        let long = "Organic gluten-free wholemeal spaghetti from the south"
        _ = try await store.add(drafts(long + ", 500 g (blue)", String(repeating: "é", count: 40) + ", 2 kg"))
        let rows = try await rowsOfWatches()
        #expect(rows[0] == "Organic gluten-free wholemeal spaghett…, 500 g")
        #expect(rows[1].hasSuffix("é…, 2 kg") && rows[1].utf8.count <= ItemTitle.capacity)
    }

    @Test func `past items and the order know the title alone`() async throws {
        for title in ["Milk, 2 l", "Eggs", "Tea"] {
            let item = try await store.add(drafts(title)).items[0]
            world.advance(seconds: 60)
            try await store.apply(ListEdit(item: item.id, action: .check(at: world.now)), origin: .command)
        }
        world.advance(seconds: 86_400)
        #expect(Set(try await store.pastItems(most: 10)) == ["Milk", "Eggs", "Tea"])
        _ = try await store.add(drafts("milk, 1 l"))
        #expect(Set(try await store.pastItems(most: 10)) == ["Eggs", "Tea"])
        #expect(try await store.order().learned.count == 3)
    }
}
