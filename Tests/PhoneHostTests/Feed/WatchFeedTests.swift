import TestDoubles
import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

@Suite struct WatchFeedTests {
    private func row(_ id: UInt32, _ rank: UInt32, _ title: String = "item") -> FeedRow {
        FeedRow(id: id, rank: rank, title: ItemTitle(cutting: title))
    }

    @Test func `a new watch is given everything from a clear on`() {
        let window = FeedWindow(rows: [row(1, 1), row(2, 2)], total: 9)
        let batches = WatchFeed.batches(from: .nothing, to: window, largestBody: 500)
        #expect(batches.count == 1)
        #expect(batches[0].changes.first == .clear)
        #expect(batches[0].changes.count == 3)
        #expect(batches[0].more == 7)
    }

    @Test func `a new watch of an empty list is given a clear`() {
        let batches = WatchFeed.batches(from: .nothing, to: FeedWindow(rows: [], total: 0), largestBody: 500)
        #expect(batches == [FeedBatch(changes: [.clear], more: 0)])
    }

    @Test func `a watch that has everything is sent nothing`() {
        let rows = [row(1, 1), row(2, 2)]
        let window = FeedWindow(rows: rows, total: 2)
        #expect(WatchFeed.batches(from: .rows(rows, more: 0), to: window, largestBody: 500).isEmpty)
    }

    @Test func `a check-off takes one row and tops up another`() {
        let rows = (1...129).map { row($0, $0) }
        let batches = WatchFeed.batches(
            from: .rows(Array(rows[..<128]), more: 9_872),
            to: FeedWindow(rows: Array(rows[1...]), total: 9_999), largestBody: 500)
        #expect(
            batches == [
                FeedBatch(
                    changes: [.remove(id: 1), .put(id: 129, rank: 129, title: rows[128].title)], more: 9_871)
            ])
    }

    @Test func `only the number of further items is a message without changes`() {
        let rows = (1...128).map { row($0, $0) }
        let batches = WatchFeed.batches(
            from: .rows(rows, more: 1), to: FeedWindow(rows: rows, total: 130), largestBody: 500)
        #expect(batches == [FeedBatch(changes: [], more: 2)])
    }

    @Test func `a reload begins with a clear and ends with the token`() {
        let rows = (1...128).map { row($0, $0, "a rather long title of a thing \($0)") }
        let batches = WatchFeed.batches(
            from: .rows(rows, more: 0), to: FeedWindow(rows: rows, total: 128), largestBody: 500, reloadToken: 7)
        #expect(batches.count > 1)
        #expect(batches[0].changes[0] == .clear)
        #expect(batches.map(\.reloadToken) == Array(repeating: nil, count: batches.count - 1) + [7])
    }

    @Test func `of a reload of everything the last batch has the token, and only those of the window are given`() {
        let rows = (1...300).map { row($0, $0) }
        let batches = WatchFeed.batches(
            from: .rows(Array(rows[..<128]), more: 172), to: FeedWindow(rows: Array(rows[..<128]), total: 300),
            largestBody: 500, reloadToken: 7, beyond: Array(rows[128...]))
        let given = batches.prefix { $0.rows == .given }
        let beyond = batches.dropFirst(given.count)
        #expect(given.flatMap(\.changes).count == 129 && beyond.flatMap(\.changes).count == 172)
        #expect(beyond.allSatisfy { $0.rows == .beyond && $0.more == 172 })
        #expect(batches.map(\.reloadToken) == Array(repeating: nil, count: batches.count - 1) + [7])
    }

    @Test func `no batch is without a change, even for a watch that takes next to nothing`() {
        let window = FeedWindow(rows: (1...3).map { row($0, $0) }, total: 3)
        let batches = WatchFeed.batches(from: .nothing, to: window, largestBody: 1)
        #expect(batches.map(\.changes.count) == [1, 1, 1, 1])
    }

    @Test func `rows in a database that no version writes count as none`() throws {
        let whole = try #require(FeedProjection.rows([row(1, 1), row(2, 2)], more: 3).bytes)
        for count in 0..<whole.count where FeedProjection(bytes: Array(whole.prefix(count))) != .nothing {
            // A prefix that can be read is the complete encoding of fewer rows.
            #expect(FeedProjection(bytes: Array(whole.prefix(count))).bytes == Array(whole.prefix(count)))
        }
        #expect(FeedProjection(bytes: [UInt8](repeating: 0, count: 30)) == .nothing)
    }

    @Test(arguments: [11, 12, 13, 14, 15, 16] as [UInt64])
    func `whatever is edited, the batches give the watch what it is to have`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var list: [FeedRow] = []
        var watch = WatchModel()
        var projection = FeedProjection.nothing
        var nextID: UInt32 = 1
        for step in 0..<300 {
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                edit(&list, &nextID, &generator)
            }
            if Int.random(in: 0..<50, using: &generator) == 0 { projection = .nothing }
            let largestBody = Int.random(in: 98...600, using: &generator)
            let window = FeedWindow(rows: Array(list.prefix(128)), total: UInt32(list.count))
            for batch in WatchFeed.batches(from: projection, to: window, largestBody: largestBody) {
                let message = try batch.message()
                #expect(message.bodySize <= largestBody, "seed \(seed), step \(step)")
                try watch.apply(payload: message.payload)
                #expect(Int(watch.more) + watch.rows.count == list.count, "seed \(seed), step \(step)")
            }
            #expect(watch.rows == window.rows, "seed \(seed), step \(step)")
            #expect(watch.mostRows <= 128, "seed \(seed), step \(step)")
            projection = .rows(
                watch.rows, more: watch.more, stale: Set(watch.rows.map(\.id).filter { $0.isMultiple(of: 7) }))
            #expect(FeedProjection(bytes: try #require(projection.bytes)) == projection, "seed \(seed), step \(step)")
        }
        #expect(list.count > 128, "the list is to outgrow the watch")
    }

    private func edit(_ list: inout [FeedRow], _ nextID: inout UInt32, _ generator: inout SplitMix64) {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0 where !list.isEmpty: list.remove(at: Int.random(in: 0..<list.count, using: &generator))
        case 1 where !list.isEmpty:
            list[Int.random(in: 0..<list.count, using: &generator)].title = title(&generator)
        case 2 where !list.isEmpty:
            list[Int.random(in: 0..<list.count, using: &generator)].rank = UInt32.random(
                in: 0...5_000, using: &generator)
        default:
            let rank = UInt32.random(in: 0...5_000, using: &generator)
            list.append(FeedRow(id: nextID, rank: rank, title: title(&generator)))
            nextID += 1
        }
        list.sort { ($0.rank, $0.id) < ($1.rank, $1.id) }
    }

    private func title(_ generator: inout SplitMix64) -> ItemTitle {
        let length = Int.random(in: 1...60, using: &generator)
        return ItemTitle(cutting: String(repeating: Bool.random(using: &generator) ? "a" : "ä", count: length))
    }
}
