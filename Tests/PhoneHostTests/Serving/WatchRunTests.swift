import Foundation
import GRDB
import TestDoubles
import Testing
import WatchLink

@testable import PhoneHost
@testable import Wormhole

/// Tests of restarts, and of restored copies of the watch's flash or the phone's database. Each check-off is applied
/// once, and the phone reports a check-off that is lost.
@Suite struct WatchRunTests {
    let bench: WatchBench

    init() throws {
        bench = try WatchBench()
    }

    private func items(_ titles: String...) async throws -> [UInt32] { try await bench.add(titles) }

    private func open() async throws -> [String] { try await bench.store.contents().open.map(\.title) }

    // MARK: the watch's runs

    @Test func `an old check-off that comes again does not undo what the owner did since`() async throws {
        let items = try await items("Milk", "Eggs")
        let streams = try await bench.meet(.init(run: 3))
        var model = try await bench.applied(from: 1)
        let given = try await bench.issued
        try await bench.check(items[0], 1, run: 3)
        let item = ItemIdentifier(rawValue: items[0])
        try await bench.store.apply(ListEdit(item: item, action: .uncheck(at: bench.world.now)), origin: .command)
        // The watch with the older flash does not know that the check-off was applied. It has no row, and sends the
        // check-off again.
        model.remove(items[0])
        try await bench.meet(.init(run: 4, knows: streams.epoch, queuedApplied: given, issued: 1))
        #expect(try await bench.check(items[0], 1, run: 4, origin: 3) == .applied)
        #expect(try await open() == ["Milk", "Eggs"])
        #expect(try await bench.store.historyOfOldItems().map(\.event) == [.checked, .unchecked])
        try await bench.feed()
        #expect(try await bench.applied(model, from: given + 1).titles == ["Milk", "Eggs"], "the row comes back")
    }

    @Test func `a check-off whose name is in the history has no effect, whatever is remembered of its run`()
        async throws
    {
        let items = try await items("Milk")
        try await bench.meet(.init(run: 3))
        try await bench.check(items[0], 7, run: 3)
        let item = ItemIdentifier(rawValue: items[0])
        try await bench.store.apply(ListEdit(item: item, action: .uncheck(at: bench.world.now)), origin: .command)
        try await bench.store.write { try $0.execute(sql: "UPDATE peer SET peerEpoch = 0, queuedApplied = 0") }
        #expect(try await bench.check(items[0], 7, run: 3) == .applied)
        #expect(try await open() == ["Milk"])
    }

    @Test func `two watches with one identity both work, and the owner is told`() async throws {
        let items = try await items("1", "2", "3", "4")
        let streams = try await bench.meet(.init(run: 3))
        let given = try await bench.issued
        try await bench.acknowledge(given)
        // Both watches have the same flash: three messages are acknowledged, and each watch gives its next tap the
        // number 4.
        for (index, run): (Int, UInt32) in [(0, 3), (1, 4), (2, 3), (3, 4)] {
            try await bench.meet(
                .init(run: run, knows: streams.epoch, queuedApplied: given, floor: 3, issued: 4 + UInt32(index) / 2))
            #expect(try await bench.check(items[index], 4 + UInt32(index) / 2, run: run) == .applied)
            #expect(bench.notices.contains(.sharesIdentity) == (index >= 2))
        }
        #expect(try await open().isEmpty)
        #expect(try await bench.store.historyOfOldItems().count == 4)
        #expect("\(WatchNews.Kind.sharesIdentity)".contains("two watches with the same identity"))
    }

    @Test func `the newest 1,024 former runs are remembered`() async throws {
        try await bench.meet(.init(run: 1))
        try await bench.store.write { [watch = bench.watch] db in
            for run: UInt32 in 2...1_030 {
                try RunTable.remember(db, StreamRun(epoch: run, queued: run), of: watch)
            }
        }
        let (count, newest, oldest) = try await bench.store.read { [watch = bench.watch.column] db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM formerRun"),
                try RunTable.former(db, of: PeerIdentity(column: watch), 1_030),
                try RunTable.former(db, of: PeerIdentity(column: watch), 2)
            )
        }
        #expect(count == 1_024 && newest?.queued == 1_030 && oldest == nil)
    }

    // MARK: the phone's runs

    @Test func `each opening for serving has an epoch of its own, and a watch continues after what it has`()
        async throws
    {
        _ = try await items("Milk")
        let first = try await bench.meet(.init(run: 3))
        try await bench.acknowledge(1)
        try await bench.restart()
        _ = try await items("Eggs")
        let second = try await bench.meet(.init(run: 3, knows: first.epoch, queuedApplied: 1))
        #expect(second.epoch != first.epoch)
        #expect(second.positions.queuedAcknowledged == 1, "the floor is what the watch has")
        #expect(second.positions.queuedIssued == 2)
        #expect(try await bench.applied(from: 2).clears == 0, "only what is new")
        #expect(bench.notices.isEmpty)
        try await bench.restart()
        let third = try await bench.meet(.init(run: 3, knows: second.epoch, queuedApplied: 2))
        #expect(third.epoch != second.epoch && third.positions.queuedIssued == 2 && bench.notices.isEmpty)
    }

    @Test func `a phone that is started often keeps the last epoch that the watch was told`() async throws {
        let first = try await bench.meet(.init(run: 3))
        for _ in 0..<100 { try await bench.restart() }
        let then = try await bench.meet(.init(run: 3, knows: first.epoch, queuedApplied: 1))
        #expect(then.positions.queuedIssued == 1 && bench.notices.isEmpty)
    }

    @Test func `an older copy of the database gives the watch everything again, and says what is lost`() async throws {
        let items = try await items("Milk", "Eggs")
        let streams = try await bench.meet(.init(run: 3))
        var model = try await bench.applied(from: 1)
        let copy = try await bench.snapshot()
        let later = try await bench.meet(.init(run: 3, knows: streams.epoch, queuedApplied: 1))
        try await bench.check(items[0], 1, run: 3)
        try await bench.check(items[1], 2, run: 3)
        try await bench.feed()
        model = try await bench.applied(model, from: 2)
        #expect(model.titles.isEmpty)
        let given = try await bench.issued
        try await bench.acknowledge(given)
        try await bench.restart(with: copy)
        let after = try await bench.meet(
            .init(run: 3, knows: later.epoch, queuedApplied: given, floor: 2, issued: 2, rows: model.check))
        #expect(after.lost == 2)
        #expect(after.epoch != later.epoch)
        model = try await bench.applied(model, from: 1)
        #expect(model.titles == ["Milk", "Eggs"] && model.clears == 2, "both sides have the same rows")
        #expect(try await open() == model.titles)
        #expect(bench.notices == [.startedOver(.unknownEpoch)])
        try await bench.acknowledge(try await bench.issued, rows: model.check)
        #expect(bench.notices == [.startedOver(.unknownEpoch), .lost(2)])
        // The phone reports the loss only once.
        let again = try await bench.meet(
            .init(run: 3, knows: after.epoch, queuedApplied: try await bench.issued, floor: 2, issued: 2))
        #expect(again.lost == 0)
        #expect(bench.notices.count == 2)
    }

    /// The watch's first message has the number 1. Then the flash is restored to a copy from before that message, so
    /// the watch's second message also has the number 1. The copy of the database has only the first message. The watch
    /// knows that the phone has applied the second message.
    ///
    /// The parameter `knowsRun` tells whether the copy of the database knows that the watch began a new run after its
    /// flash was restored.
    @Test(arguments: [true, false]) func `an older copy of the database lacks a message whose number was used before`(
        knowsRun: Bool
    ) async throws {
        let items = try await items("Milk", "Eggs")
        let streams = try await bench.meet(.init(run: 3))
        try await bench.acknowledge(1)
        try await bench.check(items[0], 1, run: 3)
        let before = try await bench.snapshot()
        let known = try await bench.meet(.init(run: 4, knows: streams.epoch, queuedApplied: 1))
        let copy = knowsRun ? try await bench.snapshot() : before
        try await bench.meet(.init(run: 4, knows: known.epoch, queuedApplied: try await bench.issued))
        try await bench.check(items[1], 1, run: 4)
        try await bench.restart(with: copy)
        let words = WatchBench.Words(run: 4, knows: 99, floor: 1, floorOrigin: 4, issued: 1)
        #expect(try await bench.meet(words).lost == 1)
        // The phone counts the loss again until the watch has answered.
        #expect(try await bench.meet(words).lost == 1)
        try await bench.acknowledge(0)
        #expect(bench.notices.last == .lost(1))
        #expect(try await bench.meet(words).lost == 0)
        // The phone does not count the loss in the watch's later runs, either.
        let later = WatchBench.Words(run: 5, knows: 99, floor: 1, floorOrigin: 4, issued: 1)
        #expect(try await bench.meet(later).lost == 0)
    }

    @Test func `the run of the last acknowledged message is remembered, however often the watch starts`()
        async throws
    {
        let items = try await items("Milk")
        try await bench.meet(.init(run: 3))
        try await bench.check(items[0], 1, run: 3)
        try await bench.meet(.init(run: 4, floor: 1, floorOrigin: 3, issued: 1))
        try await bench.store.write { [watch = bench.watch] db in
            for run: UInt32 in 5...1_040 { try RunTable.remember(db, StreamRun(epoch: run), of: watch) }
        }
        #expect(try await bench.meet(.init(run: 1_041, floor: 1, floorOrigin: 3, issued: 1)).lost == 0)
    }

    @Test func `an older copy of the database has lost what came after the numbers began again`() async throws {
        let items = try await items("Milk", "Eggs")
        let streams = try await bench.meet(.init(run: 3, floor: 1 << 31, issued: 1 << 31))
        try await bench.acknowledge(1)
        try await bench.restart(with: try await bench.snapshot())
        let known = try await bench.meet(.init(run: 4, knows: streams.epoch, queuedApplied: 1))
        #expect(known.lost == 0, "the numbers begin again")
        let copy = try await bench.snapshot()
        try await bench.check(items[0], 1, run: 4)
        try await bench.restart(with: copy)
        let after = try await bench.meet(.init(run: 4, knows: known.epoch, queuedApplied: 1, floor: 1, issued: 1))
        #expect(after.lost == 1)
    }

    @Test func `an older copy of the database from before the numbers began again says what is lost`() async throws {
        let items = try await items("Milk", "Eggs", "Rye")
        let streams = try await bench.meet(.init(run: 3, floor: 1 << 31 - 3, issued: 1 << 31 - 3))
        try await bench.check(items[0], 1 << 31 - 2, run: 3)
        try await bench.acknowledge(1)
        let copy = try await bench.snapshot()
        try await bench.restart(with: copy)
        let known = try await bench.meet(
            .init(run: 3, knows: streams.epoch, queuedApplied: 1, floor: 1 << 31 - 2, issued: 1 << 31 - 2))
        try await bench.check(items[1], 1 << 31 - 1, run: 3)
        try await bench.check(items[2], 1 << 31, run: 3)
        try await bench.restart(with: copy)
        let after = try await bench.meet(.init(run: 4, knows: known.epoch, queuedApplied: 1))
        #expect(known.lost == 0 && after.lost == 2)
    }

    @Test func `an older copy of the database says that something unknown may be lost`() async throws {
        let streams = try await bench.meet(.init(run: 3, floor: 1 << 31 + 4, issued: 1 << 31 + 4))
        try await bench.acknowledge(1)
        let copy = try await bench.snapshot()
        try await bench.restart(with: copy)
        let known = try await bench.meet(
            .init(run: 3, knows: streams.epoch, queuedApplied: 1, floor: 1 << 31 + 4, issued: 1 << 31 + 4))
        try await bench.restart(with: copy)
        let after = try await bench.meet(.init(run: 4, knows: known.epoch, queuedApplied: 1))
        #expect(known.lost == 0 && after.lost == 1)
    }

    @Test func `a watch of another phone is told that messages are lost only once it stays`() async throws {
        try await bench.meet(.init(run: 3, knows: 99, queuedApplied: 4, floor: 20, issued: 22))
        // The watch leaves, because messages wait for its own phone. Later, with nothing waiting, it begins anew.
        try await bench.meet(.init(run: 4))
        try await bench.acknowledge(1)
        #expect(bench.notices.isEmpty)
    }

    @Test(arguments: [1, 2]) func `a watch that was forgotten, and once more, has lost nothing`(times: Int) async throws
    {
        let items = try await items("Milk")
        let streams = try await bench.meet(.init(run: 3))
        try await bench.check(items[0], 1, run: 3)
        var after = streams
        for _ in 0..<times {
            try await bench.forget()
            after = try await bench.meet(
                .init(run: 3, knows: streams.epoch, queuedApplied: 1, floor: 1, floorOrigin: 3, issued: 1))
            #expect(after.lost == 0)
        }
        try await bench.acknowledge(1)
        #expect(bench.notices.isEmpty)
        // In the watch's next run, the phone knows again what it had forgotten.
        let next = try await bench.meet(
            .init(run: 4, knows: after.epoch, queuedApplied: 1, floor: 1, floorOrigin: 3, issued: 1))
        #expect(next.lost == 0)
    }

    /// If `isBefore`, the phone forgets the watch before the watch's message numbers begin again, otherwise afterwards.
    @Test(arguments: [true, false])
    func `an older copy of the database says what is lost of a watch that was forgotten`(
        beforeNumbersBegin isBefore: Bool
    ) async throws {
        let half: UInt32 = 1 << 31
        let items = try await items("Milk")
        var streams = try await bench.meet(.init(run: 3, floor: half, floorOrigin: 3, issued: half))
        try await bench.acknowledge(1)
        if isBefore {
            try await bench.forget()
            streams = try await bench.meet(
                .init(run: 3, knows: streams.epoch, queuedApplied: 1, floor: half, floorOrigin: 3, issued: half))
            try await bench.acknowledge(1)
            #expect(streams.lost == 0)
            streams = try await bench.meet(.init(run: 4, knows: streams.epoch, queuedApplied: 1))
        } else {
            streams = try await bench.meet(.init(run: 4, knows: streams.epoch, queuedApplied: 1))
            try await bench.forget()
            streams = try await bench.meet(.init(run: 4, knows: streams.epoch, queuedApplied: 1))
        }
        #expect(streams.lost == 0)
        try await bench.acknowledge(1)
        let copy = try await bench.snapshot()
        try await bench.check(items[0], 1, run: 4)
        try await bench.restart(with: copy)
        let words = WatchBench.Words(
            run: 4, knows: streams.epoch, queuedApplied: 1, floor: 1, floorOrigin: 4, issued: 1)
        #expect(try await bench.meet(words).lost == 1)
        try await bench.acknowledge(1)
        #expect(bench.notices == [.lost(1)])
    }

    @Test func `an older copy of the database says that a forgotten watch has begun its numbers again since`()
        async throws
    {
        let half: UInt32 = 1 << 31
        let items = try await items("Milk")
        let first = try await bench.meet(.init(run: 3, floor: half, floorOrigin: 3, issued: half))
        try await bench.acknowledge(1)
        try await bench.forget()
        let copy = try await bench.snapshot()
        let known = try await bench.meet(
            .init(run: 3, knows: first.epoch, queuedApplied: 1, floor: half, floorOrigin: 3, issued: half + 1))
        try await bench.check(items[0], half + 1, run: 3)
        try await bench.restart(with: copy)
        #expect(try await bench.meet(.init(run: 4, knows: known.epoch, queuedApplied: 1)).lost == 1)
        #expect(bench.notices == [.startedOver(.unknownEpoch)])
    }

    @Test func `a watch that is forgotten while its numbers begin again has lost nothing`() async throws {
        let half: UInt32 = 1 << 31
        let streams = try await bench.meet(.init(run: 3, floor: half, floorOrigin: 3, issued: half))
        try await bench.acknowledge(1)
        let before = bench.notices
        try await bench.forget()
        #expect(try await bench.meet(.init(run: 4, knows: streams.epoch, queuedApplied: 1)).lost == 0)
        #expect(bench.notices == before)
    }

    @Test(arguments: [
        (nil as UInt32?, 0 as UInt32, FeedResumption.StartOver.forgetfulWatch), (77, 1, .unknownEpoch),
        (51, 9, .restoredPhone), (51, 0, .restoredWatch),
    ])
    func `a watch that cannot continue gets everything, and the owner is told why`(
        knows: UInt32?, applied: UInt32, reason: FeedResumption.StartOver
    ) async throws {
        _ = try await items("Milk")
        #expect(try await bench.meet(.init(run: 3)).epoch == 51)
        try await bench.acknowledge(1)
        let streams = try await bench.meet(.init(run: 3, knows: knows, queuedApplied: applied))
        #expect(streams.epoch == 52 && streams.positions.queuedIssued == 1)
        #expect(bench.notices == [.startedOver(reason)])
        #expect(try await bench.applied(from: 1).clears == 1)
        #expect(!"\(WatchNews.Kind.startedOver(reason))".contains("\n"))
    }

    @Test(arguments: [0, 1, 2], [0, 1, 2])
    func `a program's message keeps its fate if the phone starts over between messages of the list`(
        before: Int, after: Int
    ) async throws {
        func change(times: Int) async throws {
            for _ in 0..<times {
                _ = try await items("Milk")
                try await bench.feed()
            }
        }
        try await bench.meet(.init(run: 3))
        try await bench.acknowledge(try await bench.issued)
        try await change(times: before)
        let issued = try bench.messages.append(
            OutboundMessage(name: "mine", payload: [1]), to: bench.watch, paying: nil)
        var tracker = DeliveryTracker()
        let copy = MessageCopy(number: issued.number)
        tracker.enterQueued(copy, at: QueuePlace(peer: bench.watch, sequence: issued.sequence, name: "mine"))
        try await change(times: after)

        let streams = try await bench.meet(.init(run: 3, knows: nil))
        tracker.resumed(bench.watch, streams.positions, renumbered: streams.renumbered)
        #expect(copy.fate == .queued)
        let queue = try bench.messages.queue(to: bench.watch, from: 1, most: 100)
        let place = try #require(queue.firstIndex { $0.content.message?.name == "mine" })
        tracker.acknowledged(Acknowledgement(queued: queue[place].sequence - 1, latest: 0), by: bench.watch)
        #expect(copy.fate == .queued)
        tracker.acknowledged(Acknowledgement(queued: queue[place].sequence, latest: 0), by: bench.watch)
        #expect(copy.fate == .applied)
    }

    @Test func `numbers that are half used up start again`() async throws {
        let streams = try await bench.meet(.init(run: 3))
        try await bench.store.write {
            try $0.execute(
                sql: """
                    UPDATE peer SET issued = 2147483648, acknowledged = 2147483647;
                    UPDATE message SET sequence = 2147483648
                    """)
        }
        let after = try await bench.meet(.init(run: 3, knows: streams.epoch, queuedApplied: 2_147_483_648))
        #expect(after.positions.queuedIssued == 1)
        #expect(bench.notices == [.startedOver(.numbersUsedUp)])
        try await bench.store.write {
            try $0.execute(sql: "UPDATE sqlite_sequence SET seq = 4294967295 WHERE name = 'value'")
        }
        try await bench.restart()
        let anew = try await bench.meet(.init(run: 3, knows: after.epoch, queuedApplied: 1))
        // The three values are the title, the time line, and the withdrawn past items.
        #expect(anew.positions.latestIssued == 3)
    }
}
