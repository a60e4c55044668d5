import DeviceModel
import DeviceModelTesting
import Foundation
import GRDB
import Testing
import Watch
import WatchLink

@testable import PhoneHost

/// Makes the files of Tests/Frozen: `TAPLINE_FREEZE=3 Tests/unit Frozen --filter FreezeTests` writes Tests/Frozen/3 with the
/// formats of the code at hand. What was frozen of a released version is never written again.
@Suite(
    .enabled(if: FreezingWorld.version != nil, "it writes files, where TAPLINE_FREEZE asks for it"), .serialized
) struct FreezeTests {
    /// One watch and its phone, from the first hello to a power cut, with recordings of four of their links.
    @Test func `freeze a watch and its phone`() async throws {
        let world = FreezingWorld()
        let phone = try await FrozenPhone(dependencies: world.dependencies)
        try await phone.store.add(try drafts(FreezingWorld.groceries))
        try await phone.store.add(try drafts(["Nails", "Paint"]), to: "Hardware store")
        let watch = try FrozenWatch(MemoryFlash(.memoryLCD), handler: ShippingHandler())
        try file("flash/fresh.flash").freeze(watch.flash.contents.contents)
        try await first(watch, phone)
        watch.tap(0)
        let resumed = try again(watch)
        try await resume(resumed, phone)
        let reloading = try FrozenWatch(resumed.flash.contents, handler: LegacyHandler())
        try await reload(reloading, phone)
        let damaged = try await beginEpoch(reloading.flash.contents, phone)
        try await wearOn(try again(damaged), phone)
        try await phone.stop()
    }

    @Test func `freeze a watch with a smaller chip, and its phone`() async throws {
        let phone = try await FrozenPhone(dependencies: FreezingWorld().dependencies)
        try await phone.store.add(try drafts(["Tent", "Stove", "Rope", "Map"]), to: "Trip")
        try await phone.store.activate("Trip")
        let watch = try FrozenWatch(MemoryFlash(.smallPart), handler: ShippingHandler())
        let pair = try await JoinedPair(watch, phone)
        try await pair.run { $0.rows.count == 4 }
        await pair.cut()
        watch.tap(1)
        try freeze("pairs/small-part", watch, phone)
        try await phone.stop()
    }

    @Test func `freeze databases without a watch`() async throws {
        let fresh = try await FrozenPhone(dependencies: FreezingWorld().dependencies)
        try freeze("phone/fresh", fresh)
        try await fresh.stop()

        let killed = try await FrozenPhone(dependencies: FreezingWorld().dependencies)
        try await killed.store.add(try drafts(["Milk", "Eggs"]))
        try killed.mergeLog()
        let items = try await killed.store.add(try drafts(["Tea", "Jam"])).items
        try await killed.store.apply(
            ListEdit(item: items[0].id, action: .check(at: FreezingWorld.start)), origin: .command)
        for (ending, bytes) in try killed.files() { try file("phone/killed.sqlite\(ending)").freeze(bytes) }
        try await killed.stop()
    }

    // MARK: The watch's life

    private func first(_ watch: FrozenWatch<ShippingHandler>, _ phone: FrozenPhone) async throws {
        try freeze("links/first", watch, phone)
        let pair = try await JoinedPair(watch, phone)
        try await pair.run { $0.rows.count == 12 }
        watch.tap(0)
        try await pair.run()
        watch.tap(1)
        try await pair.run()
        await pair.cut()
        try file("links/first.link").freeze(text: watch.port.recording.text)
    }

    /// Eggs were checked off while the phone was away; there, an item was added and another checked off.
    private func resume(_ watch: FrozenWatch<ShippingHandler>, _ phone: FrozenPhone) async throws {
        try await phone.store.add(try drafts(["Tea"]))
        try await phone.edit("Salt") { .check(at: $0) }
        try freeze("links/resume", watch, phone)
        let pair = try await JoinedPair(watch, phone)
        try await pair.run { screen in
            screen.rows.contains { $0.title == "Tea" } && !screen.rows.contains { $0.title == "Salt" }
        }
        await pair.cut()
        try file("links/resume.link").freeze(text: watch.port.recording.text)
    }

    /// The old handler asks for the whole list at every tap.
    private func reload(_ watch: FrozenWatch<LegacyHandler>, _ phone: FrozenPhone) async throws {
        watch.port.waitForAnswers(microseconds: 200_000)
        try freeze("links/reload", watch, phone)
        let pair = try await JoinedPair(watch, phone)
        try await pair.run()
        watch.tap(0)
        try await pair.run()
        await pair.cut()
        try file("links/reload.link").freeze(text: watch.port.recording.text)
    }

    /// A byte of the log decays while a check-off waits: the watch begins an epoch.
    private func beginEpoch(_ flash: MemoryFlash, _ phone: FrozenPhone) async throws -> FrozenWatch<ShippingHandler> {
        let before = try FrozenWatch(flash, handler: ShippingHandler())
        before.tap(0)
        var chip = before.flash.contents
        chip.decay(at: 300, mask: 0x21)
        let watch = try FrozenWatch(chip, handler: ShippingHandler())
        try freeze("links/epoch", watch, phone)
        let pair = try await JoinedPair(watch, phone)
        try await pair.run { $0.rows.count == 7 }
        await pair.cut()
        try file("links/epoch.link").freeze(text: watch.port.recording.text)
        return watch
    }

    /// Two changes of banks, an undo, a second watch, three check-offs that wait, and a power cut in the fourth.
    private func wearOn(_ watch: FrozenWatch<ShippingHandler>, _ phone: FrozenPhone) async throws {
        let pair = try await JoinedPair(watch, phone)
        let open = try await phone.rows()
        for _ in 0..<8 {
            let items = try await phone.store.add(try drafts(FreezingWorld.manyTitles)).items
            await phone.listChanged()
            try await pair.run { $0.rows.count == open.count + items.count }
            let edits = items.map { ListEdit(item: $0.id, action: .remove(at: FreezingWorld.start)) }
            try await phone.store.apply(edits, origin: .phone)
            await phone.listChanged()
            try await pair.run { $0.rows.count == open.count }
        }
        try await phone.edit("Milk") { .uncheck(at: $0) }
        await phone.listChanged()
        try await pair.run { $0.rows.count == open.count + 1 }
        await pair.cut()
        try await meetAndGo(try FrozenWatch(MemoryFlash(.memoryLCD), handler: ShippingHandler(), seed: 12), phone)
        for _ in 0..<3 { watch.tap(1) }
        try await phone.store.add(try drafts(["Lemons"]))
        try await meetAndGo(watch, phone)
        watch.flash.change { $0.failPower(afterOperations: 0, seed: 3) }
        watch.tap(0)
        watch.flash.change { $0.restorePower() }
        try freeze("pairs/kept", watch, phone)
    }

    /// The watch says hello and is gone before it hears the answer: what it lacks stays in its queue.
    private func meetAndGo(_ watch: FrozenWatch<ShippingHandler>, _ phone: FrozenPhone) async throws {
        let pair = try await JoinedPair(watch, phone)
        watch.run()
        await watch.port.waitForArrival()
        await pair.cut()
        await phone.settle()
    }

    // MARK: Writing

    private func file(_ name: String) throws -> FrozenFile {
        FrozenFile(version: try #require(FreezingWorld.version), name: name)
    }

    private func again(_ watch: FrozenWatch<ShippingHandler>) throws -> FrozenWatch<ShippingHandler> {
        try FrozenWatch(watch.flash.contents, handler: ShippingHandler())
    }

    private func freeze(_ name: String, _ watch: FrozenWatch<some TapHandler>, _ phone: FrozenPhone) throws {
        try file("\(name).flash").freeze(watch.flash.contents.contents)
        try freeze(name, phone)
    }

    private func freeze(_ name: String, _ phone: FrozenPhone) throws {
        try phone.mergeLog()
        try file("\(name).sqlite").freeze(try phone.files()[""] ?? [])
    }
}

extension FrozenPhone {
    /// Has SQLite merge the write-ahead log into the file.
    fileprivate func mergeLog() throws {
        let connection = try DatabaseQueue(path: path)
        _ = try connection.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try connection.close()
    }

    /// Changes the item with this title in the active list, as a command does.
    fileprivate func edit(_ title: String, _ action: (Date) -> ListEdit.Action) async throws {
        let item = try #require(try await store.contents().items.first { $0.title == title })
        try await store.apply(ListEdit(item: item.id, action: action(FreezingWorld.start)), origin: .command)
    }
}

private func drafts(_ titles: [String]) throws -> [ItemDraft] {
    try titles.map { ItemDraft(title: try CleanTitle($0)) }
}
