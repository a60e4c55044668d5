import Testing
import WatchLink

@testable import Watch

@Suite struct TouchTargetsTests {
    private let memory = PartMemory()

    @Test func `a position leads to the item that was shown there`() {
        var arena = memory.arena
        var list = ItemList(arena: &arena)
        var targets = TouchTargets(arena: &arena)
        for id in 1...9 as ClosedRange<UInt32> {
            list.put(ListItem(id: ItemID(id), rank: id, title: Canvas.title("Item")))
        }
        #expect(targets.shownSince == nil && targets.target(at: 0) == nil)
        targets.show(list.rows(.list), firstRow: 2, visible: 6)
        list.remove(row: 0)
        #expect((0..<8).map { targets.target(at: $0)?.item.rawValue } == [3, 4, 5, 6, 7, 8, nil, nil])
        #expect(targets.target(at: 5)?.row == 7)
        let isSame = targets.areRows(list.rows(.list), firstRow: 2, visible: 6)
        let isMoved = targets.areRows(list.rows(.list), firstRow: 1, visible: 6)
        #expect(!isSame && !isMoved)
        targets.show(list.rows(.list), firstRow: 6, visible: 6)
        let isShort = targets.areRows(list.rows(.list), firstRow: 6, visible: 6)
        #expect(isShort && targets.target(at: 2) == nil)
        targets.showNone()
        #expect(targets.target(at: 0) == nil)
    }
}
