import Testing
import WatchLink

@testable import TerminalWatch

@Suite struct RowChangesTests {
    @Test func `a position has changed for 300 ms after another item came to it`() {
        var changes = RowChanges()
        let time = Instant.start + .seconds(1)
        changes.note([1, 2, 3, nil], at: time)
        changes.note([1, 3, nil, nil], at: time + .seconds(1))
        #expect(!changes.hasMoved(at: 0, before: time + .seconds(1)))
        #expect(changes.hasMoved(at: 1, before: time + .seconds(1)))
        #expect(changes.hasMoved(at: 1, before: time + .milliseconds(1_299)))
        #expect(!changes.hasMoved(at: 1, before: time + .milliseconds(1_300)))
        changes.note([1, 3, nil, nil], at: time + .seconds(2))
        #expect(!changes.hasMoved(at: 1, before: time + .seconds(2)), "the same rows again")
    }

    @Test func `a row that comes up where none was has moved nothing away`() {
        var changes = RowChanges()
        changes.note([nil, nil], at: .start)
        changes.note([1, 2], at: .start + .seconds(1))
        #expect(!changes.hasMoved(at: 0, before: .start + .seconds(1)))
        changes.note([2, nil], at: .start + .seconds(2))
        #expect(changes.hasMoved(at: 0, before: .start + .seconds(2)))
        #expect(!changes.hasMoved(at: 1, before: .start + .seconds(2)) && !changes.hasMoved(at: 9, before: .start))
    }
}
