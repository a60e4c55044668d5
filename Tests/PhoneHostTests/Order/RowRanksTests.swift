import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

@Suite struct RowRanksTests {
    @Test func `a row that moves gets the one rank that changes`() {
        #expect(RowRanks.ranks([3_072, 1_024, 2_048]) == [512, 1_024, 2_048])
        #expect(RowRanks.ranks([1_024, nil, 2_048, nil]) == [1_024, 1_536, 2_048, 3_072])
        #expect(RowRanks.ranks([]) == [])
    }

    @Test func `where there is no room all rows get new ranks`() {
        #expect(RowRanks.ranks([1, nil, 2]) == [1_024, 2_048, 3_072])
        #expect(RowRanks.ranks([UInt32.max, nil]) == [1_024, 2_048])
    }

    @Test func `ranks ascend, and those that are in order stay`() {
        withSeeds(200, "ranks") { generator, seed in
            let rows = (0..<Int.random(in: 0...60, using: &generator)).map { _ -> UInt32? in
                generator.once(in: 4)
                    ? nil : .random(in: generator.once(in: 2) ? 0...80 : 0...UInt32.max, using: &generator)
            }
            guard let ranks = RowRanks.ranks(rows) else {
                Issue.record("seed \(seed)")
                return
            }
            #expect(ranks.count == rows.count && zip(ranks, ranks.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
        }
    }

    @Test func `new rows are on the wrong side of the fewest, and behind their equals`() {
        #expect(ItemPlacement.insertions(of: [0, 2, 5], among: [1, 2, 3]) == [0, 2, 3])
        #expect(ItemPlacement.insertions(of: [2.5], among: [3, 1, 2]) == [3])
    }
}
