import Foundation
import TestSupport
import Testing

@testable import PhoneHost

@Suite struct PhoneListTests {
    private let milk = ItemIdentifier(rawValue: 1)
    private let eggs = ItemIdentifier(rawValue: 2)
    private let store: GatedStore
    private let list: PhoneList
    private let world = SteppedDependencies()

    init() async throws {
        let contents = ListContents(
            name: "Shopping",
            items: [
                StoredItem(
                    id: ItemIdentifier(rawValue: 1), rank: 1, title: "Milk", state: .open, addedAt: .distantPast),
                StoredItem(
                    id: ItemIdentifier(rawValue: 2), rank: 2, title: "Eggs", state: .open, addedAt: .distantPast),
            ])
        store = GatedStore(contents)
        list = try await PhoneList(store, dependencies: world.dependencies)
    }

    @Test func `a check-off shows at once, while the store is still held up`() async {
        list.check(milk)
        #expect(list.snapshot.contents.open.map(\.title) == ["Eggs"])
        #expect(list.snapshot.waiting == 1)
        #expect(store.stored.open.map(\.title) == ["Milk", "Eggs"], "the store has not followed yet")
        store.decide(.pass)
        await list.settled()
        #expect(store.stored.open.map(\.title) == ["Eggs"])
        #expect(list.snapshot == ListSnapshot(contents: store.stored))
    }

    @Test func `what the store refuses goes back, and the view says so`() async {
        list.check(milk)
        list.check(eggs)
        #expect(list.snapshot.contents.open.isEmpty)
        store.decide(.refuse(.diskFull(path: "/p")))
        store.decide(.pass)
        await list.settled()
        let edit = ListEdit(item: milk, action: .check(at: world.now))
        #expect(list.snapshot.contents.open.map(\.title) == ["Milk"])
        #expect(list.snapshot.notice == .notStored(edit, .diskFull(path: "/p")))
        #expect(list.snapshot.waiting == 0)
        list.check(milk)
        #expect(list.snapshot.notice == .none, "a new change takes the notice away")
        store.decide(.pass)
        await list.settled()
        #expect(list.snapshot.contents.open.isEmpty)
    }

    @Test func `changes are stored in the order in which they were made`() async {
        list.check(milk)
        list.uncheck(milk)
        list.remove(milk)
        #expect(list.snapshot.contents.items.map(\.title) == ["Eggs"])
        for _ in 0..<3 { store.decide(.pass) }
        await list.settled()
        #expect(store.stored.items.map(\.title) == ["Eggs"])
    }

    @Test func `reading again keeps what is not stored yet on top`() async {
        store.change { $0.items[1].title = "Brown eggs" }
        list.check(milk)
        list.refresh()
        store.decide(.pass)
        await list.settled()
        #expect(list.snapshot.contents.open.map(\.title) == ["Brown eggs"])
    }

    @Test func `an observer begins with the present and sees every change`() async {
        var snapshots = list.snapshots().makeAsyncIterator()
        #expect(await snapshots.next()?.contents.open.count == 2)
        list.check(milk)
        #expect(await snapshots.next()?.contents.open.count == 1)
        store.decide(.refuse(.locked(path: "/p")))
        let back = await snapshots.next()
        #expect(back?.contents.open.count == 2)
        #expect(back?.notice != ListNotice.none)
    }

    @Test func `an observer that comes later begins with the present too`() async {
        list.check(milk)
        #expect(await list.snapshots().first { _ in true }?.contents.open.count == 1)
        store.decide(.pass)
        await list.settled()
        #expect(await list.snapshots().first { _ in true } == list.snapshot)
    }

    @Test func `several observers each see the newest`() async {
        var first = list.snapshots().makeAsyncIterator()
        var second = list.snapshots().makeAsyncIterator()
        list.check(milk)
        list.check(eggs)
        #expect(await first.next()?.contents.open.isEmpty == true)
        #expect(await second.next()?.contents.open.isEmpty == true)
        store.decide(.pass)
        store.decide(.pass)
        await list.settled()
    }

    @Test func `a view over a database follows it`() async throws {
        let directory = TemporaryDirectory()
        let store = try PhoneStore(path: directory.file("phone.sqlite"), dependencies: world.dependencies)
        let items = try await store.add(try drafts("Milk", "Eggs")).items
        let list = try await PhoneList(ActiveList(store), dependencies: world.dependencies)
        list.check(items[0].id)
        #expect(list.snapshot.contents.open.map(\.title) == ["Eggs"])
        await list.settled()
        #expect(try await store.contents() == list.snapshot.contents)
        #expect(try await store.historyOfOldItems().map(\.origin) == [.phone])
        try await store.add(try drafts("Rye"))
        list.refresh()
        await list.settled()
        #expect(list.snapshot.contents.open.map(\.title) == ["Eggs", "Rye"])
    }
}
