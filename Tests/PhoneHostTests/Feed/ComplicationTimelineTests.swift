import Testing
import WatchLink

@testable import PhoneHost

@Suite struct ComplicationTimelineTests {
    private func entries(_ minutes: ClosedRange<UInt32>, text: String = "Note") -> [ComplicationEntry] {
        minutes.map { ComplicationEntry(date: $0 * 60, content: .text, text: ItemTitle(cutting: "\(text) \($0)")) }
    }

    private func note(_ number: Int64, _ first: UInt32, _ end: UInt32) -> ComplicationNote {
        ComplicationNote(number: number, text: "Note \(number)", start: first * 60, end: end * 60, relevance: 150)
    }

    private func plan(_ notes: [ComplicationNote], from minute: UInt32) -> ComplicationPlan {
        LatestFeed(listName: "Shopping", remaining: 3, next: "Milk", changed: 60, lastTrip: nil, notes: notes)
            .plan(from: minute * 60)
    }

    private func minutes(_ timeline: ComplicationTimeline) -> [UInt32] { timeline.entries.map { $0.date / 60 } }

    @Test func `the last entry that fits expires with what it shows`() {
        var all = entries(1...20)
        for index in all.indices { all[index].expires = all[index].date + 60 }
        let timeline = ComplicationTimeline(all)
        #expect(minutes(timeline) == Array(1...16))
        #expect(timeline.entries.last?.expires == timeline.entries.last.map { $0.date + 60 })
        #expect(timeline.entries.dropLast().allSatisfy { $0.expires == nil })
    }

    @Test func `one that is cut by its bytes expires, too`() throws {
        var all = entries(1...16, text: String(repeating: "x", count: 40))
        for index in all.indices { all[index].expires = all[index].date + 60 }
        let timeline = ComplicationTimeline(all)
        #expect((8...10).contains(timeline.entries.count))
        #expect(timeline.entries.last?.expires == timeline.entries.last.map { $0.date + 60 })
        #expect(try ComplicationFeed(timeline).message().bodySize <= 500)
    }

    @Test func `extending it drops what is past and appends what is later`() {
        var timeline = ComplicationTimeline(entries(1...16))
        timeline.extend(entries(3...40), at: 5 * 60 + 30)
        #expect(minutes(timeline) == Array(5...20))
        timeline.reload(entries(2...3))
        #expect(minutes(timeline) == [2, 3])
        timeline.extend(entries(2...3), at: 100 * 60)
        #expect(minutes(timeline) == [3])
        var empty = ComplicationTimeline()
        empty.extend(entries(0...2), at: 0)
        #expect(minutes(empty) == [0, 1, 2])
    }

    @Test func `it comes back from its message`() throws {
        let timeline = ComplicationTimeline(plan([note(1, 5, 9)], from: 2).entries)
        #expect(try ComplicationTimeline(payload: ComplicationFeed(timeline).message().payload) == timeline)
        #expect(throws: CBORError.self) { try ComplicationTimeline(payload: [0xA1, 0x00]) }
    }

    @Test func `it is unchanged as long as what is left of it is how the plan begins`() {
        let notes = [note(1, 5, 9)]
        let timeline = ComplicationTimeline(plan(notes, from: 2).entries)
        for minute in 2...30 as ClosedRange<UInt32> {
            #expect(timeline.update(to: plan(notes, from: minute), at: minute * 60) == .unchanged)
        }
        // The list has been in its place since minute 9; without the note that is over, since minute 1.
        #expect(timeline.update(to: plan([], from: 20), at: 20 * 60) == .unchanged)
    }

    @Test func `it is reloaded where the plan is another`() {
        let timeline = ComplicationTimeline(plan([note(1, 5, 9)], from: 2).entries)
        let other = plan([note(1, 5, 9), note(2, 7, 20)], from: 6)
        #expect(timeline.update(to: other, at: 360) == .reload(ComplicationTimeline(other.entries)))
        let none = plan([], from: 2)
        #expect(timeline.update(to: none, at: 120) == .reload(ComplicationTimeline(none.entries)))
    }

    @Test func `it is reloaded where it had room for what the plan has more`() {
        let later = plan([note(1, 5, 9)], from: 2)
        let timeline = ComplicationTimeline(plan([], from: 2).entries)
        #expect(timeline.update(to: later, at: 120) == .reload(ComplicationTimeline(later.entries)))
        #expect(ComplicationTimeline().update(to: later, at: 120) == .reload(ComplicationTimeline(later.entries)))
    }

    @Test func `it is extended where there is room for more of the plan`() {
        let notes = (1...20).map { note($0, UInt32($0) * 10, UInt32($0) * 10 + 5) }
        let timeline = ComplicationTimeline(plan(notes, from: 2).entries)
        #expect(timeline.entries.count == 16)
        #expect(timeline.update(to: plan(notes, from: 8), at: 8 * 60) == .unchanged)
        #expect(timeline.nextUpdate(at: plan(notes, from: 8), now: 8 * 60) == 600)
        guard case .extend(let longer) = timeline.update(to: plan(notes, from: 16), at: 16 * 60) else {
            Issue.record("two entries are past, and four more of the plan are known")
            return
        }
        #expect(minutes(longer).first == 15)
        #expect(longer.entries == ComplicationTimeline(plan(notes, from: 16).entries).entries)
        let whole = ComplicationTimeline(plan([notes[0]], from: 8).entries)
        #expect(whole.nextUpdate(at: plan([notes[0]], from: 8), now: 8 * 60) == nil)
    }
}
