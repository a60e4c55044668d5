import Foundation
import TestSupport
import Testing
import WatchLink

@testable import Watch

struct ItemListTests {
    private let memory = PartMemory()

    private func list() -> ItemList {
        var arena = memory.arena
        return ItemList(arena: &arena)
    }

    private func item(_ id: UInt32, rank: UInt32, _ title: String = "Milk") -> ListItem {
        ListItem(id: ItemID(id), rank: rank, title: Canvas.title(title))
    }

    private func ids(_ list: borrowing ItemList) -> [UInt32] {
        var ids: [UInt32] = []
        for row in 0..<list.count { ids.append(list[row].id.rawValue) }
        return ids
    }

    @Test func `a new rank moves an item, and a new title leaves it checked off`() {
        var list = list()
        for id in 1...4 as ClosedRange<UInt32> { list.put(item(id, rank: id)) }
        list.checkOff(row: 1)
        list.put(item(2, rank: 9, "Bread"))
        #expect(ids(list) == [1, 3, 4, 2])
        let (title, waiting) = (list[3].title, list.waitingCount)
        #expect(title == Canvas.title("Bread"))
        #expect(waiting == 3)
    }

    @Test func `a full list takes no more items and still replaces its own`() {
        var list = list()
        for id in 1...UInt32(WatchLimits.rows) {
            let hasRoom = list.put(item(id, rank: id))
            #expect(hasRoom)
        }
        let hasRoom = list.put(item(1_000, rank: 0))
        let isReplaced = list.put(item(5, rank: 0))
        #expect(!hasRoom && isReplaced)
        #expect(ids(list).first == 5)
        #expect(ids(list).count == WatchLimits.rows)
    }

    @Test func `the next item is the first that waits`() {
        var list = list()
        #expect(list.firstWaitingTitle == nil)
        for id in 1...3 as ClosedRange<UInt32> { list.put(item(id, rank: id, "Item \(id)")) }
        list.checkOff(row: 0)
        list.checkOff(row: 0)
        let (title, waiting) = (list.firstWaitingTitle, list.waitingCount)
        #expect(title == Canvas.title("Item 2"))
        #expect(waiting == 2)
    }

    @Test func `a row is found where it was, and where it has moved to`() {
        var list = list()
        for id in 1...5 as ClosedRange<UInt32> { list.put(item(id, rank: id)) }
        #expect(list.row(of: ItemID(4), near: 3) == 3)
        list.remove(row: 0)
        #expect(list.row(of: ItemID(4), near: 3) == 2)
        #expect(list.row(of: ItemID(1), near: 0) == nil)
    }

    @Test func `an item keeps its slot, whatever happens to the others`() {
        var list = list()
        for id in 1...6 as ClosedRange<UInt32> { list.put(item(id, rank: id)) }
        func slot(of id: UInt32, in list: borrowing ItemList) -> Int? {
            for slot in 0..<WatchLimits.rows where list.waitingItem(inSlot: slot)?.id == ItemID(id) { return slot }
            return nil
        }
        let before = slot(of: 4, in: list)
        list.remove(row: 0)
        list.put(item(9, rank: 0))
        list.put(item(4, rank: 1))
        let after = slot(of: 4, in: list)
        #expect(before != nil && after == before)
    }

    @Test func `any changes leave the rows of a sorted array`() {
        withSeeds(4, "ItemList") { random, seed in
            var list = list()
            var model: [(rank: UInt32, id: UInt32)] = []
            for _ in 0..<1_000 {
                let id = UInt32.random(in: 1...60, using: &random)
                let rank = UInt32.random(in: 0...20, using: &random)
                if random.once(in: 3), !model.isEmpty {
                    let row = Int.random(in: 0..<model.count, using: &random)
                    list.remove(row: row)
                    model.remove(at: row)
                } else {
                    list.put(item(id, rank: rank))
                    model.removeAll { $0.id == id }
                    model.append((rank, id))
                    model.sort { $0 < $1 }
                }
                #expect(ids(list) == model.map(\.id), "seed \(seed)")
            }
        }
    }
}

struct RowsCheckPageTests {
    private let memory = PartMemory()

    private static func examples() throws -> [(rows: [ListChange], more: UInt32, check: UInt32)] {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/WatchLink/PROTOCOL.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let table = try #require(text.components(separatedBy: "| Rows check |\n|---|---|---|\n").dropFirst().first)
        return try table.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }.map {
            let cells = $0.split(separator: "|").map { $0.trimmingCharacters(in: [" ", "`"]) }
            let rows = try cells[0].components(separatedBy: "; ").filter { $0 != "none" }.map { row in
                let parts = row.components(separatedBy: ", ")
                return ListChange.put(
                    id: try #require(UInt32(parts[0])), rank: try #require(UInt32(parts[1])),
                    title: ItemTitle(utf8: Array(parts[3].utf8).span, completeness: parts[2] == "1" ? .cut : .whole))
            }
            return (rows, try #require(UInt32(cells[1])), try #require(UInt32(cells[2], radix: 16)))
        }
    }

    @Test func `the examples are what a watch computes`() throws {
        let examples = try RowsCheckPageTests.examples()
        #expect(examples.count == 2)
        for example in examples {
            var arena = memory.arena
            var data = WatchData(arena: &arena)
            let payload = try Payload.list([.clear] + example.rows, more: example.more)
            _ = try data.apply(.list, payload.span, holding: nil)
            #expect(data.rowsCheck == example.check)
        }
    }
}
