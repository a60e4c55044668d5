import GRDB
import TestDoubles
import Testing
import WatchLink
import Wormhole

@testable import PhoneHost

@Suite struct RowsAgreementTests {
    let bench: WatchBench

    init() throws {
        bench = try WatchBench()
    }

    private func watchWithList() async throws -> (WatchModel, epoch: UInt32) {
        try await bench.store.add(try drafts("Milk", "Eggs", "Rye"))
        let streams = try await bench.meet(.init())
        let model = try await bench.applied(from: 1)
        return (model, streams.epoch)
    }

    @Test func `a watch with the right rows gets nothing`() async throws {
        let (model, epoch) = try await watchWithList()
        let issued = try await bench.issued
        try await bench.acknowledge(issued, rows: model.check)
        try await bench.meet(.init(knows: epoch, queuedApplied: issued, rows: model.check))
        try await bench.feed()
        #expect(try await bench.issued == issued)
        #expect(bench.notices.isEmpty)
    }

    @Test func `a watch with other rows gets the list again, and the owner is told`() async throws {
        var (model, epoch) = try await watchWithList()
        let issued = try await bench.issued
        model.remove(model.rows[1].id)
        try await bench.meet(.init(knows: epoch, queuedApplied: issued, rows: model.check))
        #expect(bench.notices == [.otherRows])
        model = try await bench.applied(model, from: issued + 1)
        #expect(model.titles == ["Milk", "Eggs", "Rye"] && model.clears == 2)
        #expect("\(WatchNews.Kind.otherRows)" == "has other rows than expected: sending the list again")
    }

    @Test func `an acknowledgement of everything is compared, and one of less is not`() async throws {
        let (model, _) = try await watchWithList()
        let issued = try await bench.issued
        try await bench.acknowledge(issued - 1, rows: 1)
        #expect(bench.notices.isEmpty)
        try await bench.acknowledge(issued, rows: model.check ^ 1)
        #expect(bench.notices == [.otherRows])
        #expect(bench.reported.all.contains(.due(bench.watch)))
        try await bench.feed()
        #expect(try await bench.applied(model, from: issued + 1).clears == 2)
    }

    @Test func `the list is sent again at most once a minute`() async throws {
        let (_, epoch) = try await watchWithList()
        for second in 0..<150 {
            try await bench.meet(.init(knows: epoch, queuedApplied: try await bench.issued, rows: 1))
            #expect(bench.notices.count == 1 + second / 60)
            bench.world.advance(seconds: 1)
        }
        #expect(try await bench.store.read { try Int.fetchOne($0, sql: "SELECT repairs FROM watch") } == 3)
        // Setting the clock back does not delay the next repair.
        bench.world.advance(seconds: -10_000)
        try await bench.meet(.init(knows: epoch, queuedApplied: try await bench.issued, rows: 1))
        #expect(bench.notices.count == 4)
    }

    @Test func `a row that the watch has taken off is not compared before the phone has answered`() async throws {
        var (model, _) = try await watchWithList()
        let issued = try await bench.issued
        let item = model.rows[0].id
        model.remove(item)
        try await bench.check(item, 1, run: 3)
        try await bench.acknowledge(issued, rows: model.check)
        #expect(bench.notices.isEmpty)
        try await bench.feed()
        model = try await bench.applied(model, from: issued + 1)
        try await bench.acknowledge(try await bench.issued, rows: model.check)
        #expect(bench.notices.isEmpty && model.titles == ["Eggs", "Rye"])
    }

    @Test func `a refused check-off of an item behind the window brings nothing, one of a row brings the row`()
        async throws
    {
        var (model, _) = try await watchWithList()
        let issued = try await bench.issued
        // The watch checks an item off, and the phone opens it again. The item is a row of the list, so the watch gets
        // the row back.
        let item = model.rows[0].id
        try await bench.check(item, 1, run: 3)
        let edit = ListEdit(item: ItemIdentifier(rawValue: item), action: .uncheck(at: bench.world.now))
        try await bench.store.apply(edit, origin: .phone)
        model.remove(item)
        try await bench.feed()
        model = try await bench.applied(model, from: issued + 1)
        #expect(model.titles == ["Milk", "Eggs", "Rye"])
        let then = try await bench.issued
        #expect(try await bench.check(99, 2, run: 3) == .rejected(.refused))
        try await bench.feed()
        #expect(try await bench.issued == then)
    }

    @Test func `a list message says which check-offs were applied when it was made`() async throws {
        let (model, _) = try await watchWithList()
        let issued = try await bench.issued
        try await bench.check(model.rows[0].id, 5, run: 3)
        try await bench.feed()
        let payload = try #require(try await bench.queue(from: issued + 1).first)
        let reader = try ListMessageReader(CBORReader(payload.span))
        #expect(reader.message.applied == 5)
    }
}
