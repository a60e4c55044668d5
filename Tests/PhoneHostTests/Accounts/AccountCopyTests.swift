import CalDAV
import Foundation
import TestDoubles
import Testing

@testable import PhoneHost

/// Tests of a phone whose database was restored from a copy, after its list on the server had changed.
struct AccountCopyTests {
    private let server = InMemoryCalendarServer()

    private func comeTogether(_ ann: SyncedPhone, _ bob: SyncedPhone) async throws {
        for phone in [ann, bob, ann, bob] { try await phone.sync() }
        #expect(try await ann.sync().requests == 1, "nothing is left to do")
    }

    /// Returns two synced phones with milk on their list. In the copy of Ann's database, the milk is not sent yet.
    private func phonesWithMilk() async throws -> (ann: SyncedPhone, bob: SyncedPhone, copy: String) {
        var ann = try await SyncedPhone(server)
        let bob = try await SyncedPhone(server, seed: 2)
        try await ann.sync()
        try await ann.add("Milk")
        let copy = try ann.copy()
        for phone in [ann, bob] { try await phone.sync() }
        return (ann, bob, copy)
    }

    @Test func `What the owner does on the copy before it syncs counts over what the row was before`() async throws {
        var ann = try await SyncedPhone(server)
        let bob = try await SyncedPhone(server, seed: 2)
        try await ann.sync()
        try await ann.add("Milk", "Eggs", "Bread")
        try await ann.check("Bread")
        let copy = try ann.copy()
        try await ann.sync()
        try ann.putBack(copy)
        try await ann.rename("Milk", to: "Soy milk")
        try await ann.check("Eggs")
        try await ann.uncheck("Bread")
        try await comeTogether(ann, bob)
        #expect(try await bob.titles == ["Bread", "Eggs ✓", "Soy milk"])
        #expect(server.items.count == 3)
    }

    @Test func `What the server has of an item that the copy has not sent counts, else the copy's amount and note`()
        async throws
    {
        var (ann, bob, copy) = try await phonesWithMilk()
        let item = try await ann.rows[0].id
        let (mine, theirs) = (ItemDetail(amount: "1 l", note: "fresh"), ItemDetail(amount: "2 l"))
        try await bob.store.apply(
            ListEdit(item: try await bob.rows[0].id, action: .describe(theirs, at: bob.steps.now)), origin: .command)
        try await bob.sync()
        try ann.putBack(copy)
        try await ann.store.apply(ListEdit(item: item, action: .describe(mine, at: ann.steps.now)), origin: .command)
        try await comeTogether(ann, bob)
        for phone in [ann, bob] {
            #expect(try await phone.rows.map(\.detail) == [ItemDetail(amount: "2 l", note: "fresh")])
        }
    }

    @Test(arguments: 1...4)
    func `An item whose path was changed until the server took it belongs to its row`(
        changes: Int
    ) async throws {
        var ann = try await SyncedPhone(server)
        try await ann.sync()
        try await ann.add("Milk")
        let copy = try ann.copy()
        for _ in 0..<changes { server.fail(.status(409), .put) }
        for _ in 0..<2 { try await ann.sync() }
        #expect(server.items.keys.first?.contains("-2") == true)
        try ann.putBack(copy)
        try await ann.rename("Milk", to: "Soy milk")
        try await ann.sync()
        #expect(try await ann.titles == ["Soy milk"] && server.items.count == 1)
    }

    @Test func `Of two check-offs of an item that the copy has not sent the earlier one counts`() async throws {
        var (ann, bob, copy) = try await phonesWithMilk()
        bob.steps.advance(seconds: 1_000)
        try await bob.check("Milk")
        try await bob.sync()
        try ann.putBack(copy)
        try await ann.check("Milk")
        let time = try await ann.rows[0].state.checkedAt
        try await comeTogether(ann, bob)
        #expect(try await ann.rows[0].state.checkedAt == time)
        let object = try CalendarObject(try #require(server.items.first).value.text)
        #expect(
            object.state.completedAt.map { Int64($0.timeIntervalSince1970) }
                == time.map { Int64($0.timeIntervalSince1970) })
    }
}
