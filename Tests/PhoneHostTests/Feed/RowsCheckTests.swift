import Testing
import WatchLink

@testable import PhoneHost

@Suite struct RowsCheckTests {
    private let milk = FeedRow(id: 70_001, rank: 1_024, title: ItemTitle(cutting: "Milk"))
    private let rye = FeedRow(
        id: 70_002, rank: 2_048, title: ItemTitle(utf8: Array("Rye bread".utf8).span, completeness: .cut))

    @Test func `it is the exclusive or of mixed checks, which zlib and a few lines of Python compute`() {
        #expect(RowsCheck([milk, rye], more: 3).value == 0xEC9F_F213)
        #expect(RowsCheck([], more: 0).value == 0x2144_DF1C)
    }

    @Test func `it does not depend on the order, and on everything else`() {
        let check = RowsCheck([milk, rye], more: 3)
        #expect(check == RowsCheck([rye, milk], more: 3))
        #expect(check != RowsCheck([milk, rye], more: 4))
        #expect(check != RowsCheck([milk], more: 3))
        var changed = milk
        changed.rank += 1
        #expect(check != RowsCheck([changed, rye], more: 3))
        changed = milk
        changed.title = ItemTitle(cutting: "Milk.")
        #expect(check != RowsCheck([changed, rye], more: 3))
    }

    @Test func `two rows that have exchanged titles or ranks are others`() {
        let eggs = FeedRow(id: 70_003, rank: 3_072, title: ItemTitle(cutting: "Eggs"))
        let check = RowsCheck([milk, eggs], more: 0)
        var (first, second) = (milk, eggs)
        swap(&first.title, &second.title)
        #expect(check != RowsCheck([first, second], more: 0))
        (first, second) = (milk, eggs)
        swap(&first.rank, &second.rank)
        #expect(check != RowsCheck([first, second], more: 0))
    }

    @Test func `rows are compared only where both sides can know them, and healed once a minute`() {
        let known = FeedProjection.rows([milk], more: 0)
        let right = RowsCheck([milk], more: 0).value
        func agreement(
            _ reported: UInt32?, _ projection: FeedProjection, isComplete: Bool = true, sinceRepair: Double? = nil
        ) -> RowsAgreement {
            RowsAgreement(
                reported: reported, projection: projection, isComplete: isComplete, sinceRepair: sinceRepair)
        }
        #expect(agreement(right, known) == .agreed)
        #expect(agreement(right ^ 1, known) == .repair)
        #expect(agreement(nil, known) == .agreed)
        #expect(agreement(right ^ 1, known, isComplete: false) == .agreed)
        #expect(agreement(right ^ 1, .nothing) == .agreed)
        #expect(agreement(right ^ 1, .rows([milk], more: 0, stale: [milk.id])) == .agreed)
        #expect(agreement(right ^ 1, known, sinceRepair: 59.9) == .repairedLately)
        #expect(agreement(right ^ 1, known, sinceRepair: 60) == .repair)
        #expect(agreement(right ^ 1, known, sinceRepair: -5) == .repair)
    }
}
