import Foundation
import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

@Suite(.timeLimit(.minutes(60))) struct RandomFaceTests {
    private final class Day {
        private let bench: WatchBench
        private var generator: SplitMix64
        private let seed: UInt64
        /// The average number of minutes between the owner's actions.
        private let pace: Int
        /// The cases of `act()` that may happen on this day. Some days leave the list alone, and some have only short
        /// notes.
        private let kinds: Range<Int>
        private var nextUpdate: UInt32?
        private(set) var shown: [String: Int] = [:]

        init(seed: UInt64) throws {
            bench = try WatchBench()
            generator = SplitMix64(seed: seed)
            pace = [4, 12, 30].randomElement(using: &generator) ?? 12
            kinds = [0..<8, 4..<8, 4..<6].randomElement(using: &generator) ?? 0..<8
            self.seed = seed
        }

        private var world: SteppedDependencies { bench.world }
        private var store: PhoneStore { bench.store }
        private var now: UInt32 { world.dependencies.localSeconds(world.now) }

        func live() async throws {
            try await bench.meet(WatchBench.Words())
            try await store.add(try drafts("Milk", "Eggs"))
            try await round()
            for _ in 0..<1_440 {
                world.advance(seconds: 60)
                if try await act() { try await round() }
                // A host updates the face at this time, too.
                if let look = nextUpdate, look <= now { try await round() }
                try await check()
            }
        }

        private func round() async throws { nextUpdate = try await store.feed([bench.watch]).nextUpdate }

        /// Does something in some minutes, chosen at random. Returns whether a host would notice it.
        private func act() async throws -> Bool {
            guard generator.once(in: pace) else { return false }
            switch Int.random(in: kinds, using: &generator) {
            case 0: try await store.add(try drafts("Item \(UInt8.random(in: 0...99, using: &generator))"))
            case 1, 2, 3:
                guard let item = try await store.contents().open.randomElement(using: &generator) else { return false }
                try await store.apply(ListEdit(item: item.id, action: .check(at: world.now)), origin: .command)
            case 4, 5, 6: try await addNote()
            case _:
                // The clock moves by up to eight hours, forward or back, and not only by whole minutes.
                let hours = Double.random(in: -8...8, using: &generator)
                world.advance(seconds: (hours * 3_600).rounded())
            }
            return true
        }

        private func addNote() async throws {
            let isSoon = kinds.count == 2 || generator.once(in: 2)
            let start = world.now.addingTimeInterval(
                Double.random(in: isSoon ? -60...600 : -600...14_400, using: &generator))
            let length = Double.random(in: isSoon ? 30...300 : 30...7_200, using: &generator)
            let relevance: UInt8 = [5, 50, 90, 100, 101, 150, 200, 255].randomElement(using: &generator) ?? 150
            let draft = try NoteDraft(
                "N\(UInt8.random(in: 0...99, using: &generator))", start: start,
                end: generator.once(in: 20) ? nil : max(start, world.now).addingTimeInterval(length),
                relevance: relevance, push: generator.once(in: 2) ? .wanted : .never)
            if try await store.face().notes.count == NoteTable.most { _ = try await store.removeNotes(nil) }
            _ = try await store.add(draft)
        }

        private struct Moment {
            var entries: [ComplicationEntry]
            var open: Int
            var notes: [FaceNote]
            var trip: Date?
        }

        private func look() async throws -> Moment {
            let now = world.now
            return try await store.read { db in
                let list = try ListRecord.find(db, name: nil)
                let payload = try LatestStore.published(db, .complication) ?? []
                return Moment(
                    entries: try ComplicationTimeline(payload: payload).entries,
                    open: try FeedStore.PresentList(db).window.rows.count,
                    notes: try NoteTable.present(db, at: now),
                    trip: try History.lastCheckOff(db, of: list, now: now))
            }
        }

        /// Expects a time line that a watch accepts, and from which the watch shows the most relevant thing.
        private func check() async throws {
            let here = Comment("seed \(seed), \(world.now)")
            let moment = try await look()
            #expect(moment.entries.count <= 16, here)
            for (entry, next) in zip(moment.entries, moment.entries.dropFirst()) {
                #expect(next.date >= entry.date + 60, here)
            }
            // The watch shows its own list, unless the current entry is more relevant than the list.
            let current = moment.entries.last { $0.date <= now }.flatMap { $0.isCurrent(at: now) ? $0 : nil }
            let notes = moment.notes.filter(isShown)
            let most = notes.map(\.relevance).max() ?? 0
            let best = notes.filter { $0.relevance == most }.map(\.text)
            if moment.open > 0, (current?.relevance ?? 0) <= ComplicationEntry.listRelevance {
                #expect(most <= 100, here)
                shown["list", default: 0] += 1
            } else if let current {
                let text = current.text.text
                #expect(!text.isEmpty, here)
                // The entry of a trip has a relevance of up to 30, and may take the place of a less relevant note.
                // Without a trip, there is no such entry.
                if most > 30 || moment.trip == nil { #expect(best.contains(text), here) }
                if moment.open > 0 { #expect(most > 100, here) }
                shown[best.contains(text) ? "note" : "trip", default: 0] += 1
            } else {
                #expect(moment.trip == nil && notes.isEmpty, here)
                shown["date", default: 0] += 1
            }
        }

        /// Whether a note is shown in this minute. A note begins with the minute of its start, lasts at least one
        /// minute, and ends before the minute of its end.
        private func isShown(_ note: FaceNote) -> Bool {
            func minute(_ date: Date) -> UInt32 { world.dependencies.localSeconds(date) / 60 }
            let begin = minute(note.from)
            return begin <= now / 60 && note.until.map { max(minute($0), begin + 1) > now / 60 } ?? true
        }
    }

    @Test func `at every minute of random days the face shows what matters most`() async throws {
        let first = Seed.printed(for: "random faces")
        var shown: [String: Int] = [:]
        for seed in (0..<UInt64(Seed.given == nil ? TestLevel.rounds(2, nightly: 6) : 1)).map({ first &+ $0 }) {
            let day = try Day(seed: seed)
            try await day.live()
            shown.merge(day.shown, uniquingKeysWith: +)
        }
        guard Seed.given == nil else { return }
        #expect(shown["list", default: 0] > 0 && shown["note", default: 0] > 0, "\(shown)")
    }
}
