import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

@Suite struct ComplicationPlanTests {
    /// The start of minute 0 of the tests, in local seconds since 1970.
    private static let start: UInt32 = 1_760_000_040
    private static func minute(_ number: UInt32) -> UInt32 { start + number * 60 }

    private func note(_ number: Int64, _ first: UInt32, _ end: UInt32?, _ relevance: UInt8 = 150) -> ComplicationSpan {
        ComplicationNote(
            number: number, text: "Note \(number)", start: Self.minute(first), end: end.map(Self.minute),
            relevance: relevance
        ).span
    }

    private var list: ComplicationSpan {
        ComplicationSpan(
            .list, from: Self.minute(0), to: nil, .items(remaining: 2), text: "Milk",
            relevance: ComplicationEntry.listRelevance)
    }

    private func texts(_ spans: [ComplicationSpan], from now: UInt32 = 0) -> [String] {
        ComplicationPlan(spans, from: Self.minute(now)).steps.map {
            "\(($0.date - Self.start) / 60) \($0.span.text.text)"
        }
    }

    @Test func `a note is shown in the place of the list, which comes back when it ends`() {
        #expect(texts([list, note(1, 10, 20)]) == ["0 Milk", "10 Note 1", "20 Milk"])
    }

    @Test func `of two notes the more relevant one is shown, and the other one before and after it`() {
        #expect(
            texts([list, note(1, 10, 40), note(2, 20, 30, 200)])
                == ["0 Milk", "10 Note 1", "20 Note 2", "30 Note 1", "40 Milk"])
    }

    @Test func `of two that are as relevant the later one is shown, but never in the place of the list`() {
        #expect(texts([note(1, 0, 30), note(2, 10, 20)]) == ["0 Note 1", "10 Note 2", "20 Note 1"])
        #expect(texts([list, note(1, 10, 20, 100)]) == ["0 Milk"])
        #expect(texts([list, note(1, 10, 20, 101)]) == ["0 Milk", "10 Note 1", "20 Milk"])
    }

    @Test func `what is past is gone, and what is shown stays with its own date`() {
        let spans = [list, note(1, 10, 20)]
        #expect(texts(spans, from: 15) == ["10 Note 1", "20 Milk"])
        #expect(texts(spans, from: 25) == ["20 Milk"])
        #expect(texts([note(1, 10, 20)], from: 20) == [])
        #expect(texts([], from: 3) == [])
    }

    @Test func `an entry expires where nothing follows it, and only there`() {
        let timeline = ComplicationTimeline(
            ComplicationPlan([note(1, 0, 10), note(2, 10, 20), note(3, 30, 40)], from: Self.minute(0)).entries)
        #expect(timeline.entries.map(\.expires) == [nil, Self.minute(20), Self.minute(40)])
    }

    @Test func `of what begins in the same minute the more relevant one is shown`() {
        func seconds(_ number: Int64, _ first: UInt32, _ end: UInt32, _ relevance: UInt8) -> ComplicationSpan {
            ComplicationNote(
                number: number, text: "Note \(number)", start: Self.start + first, end: Self.start + end,
                relevance: relevance
            ).span
        }
        #expect(texts([seconds(1, 5, 300, 150), seconds(2, 55, 200, 160)]) == ["0 Note 2", "3 Note 1"])
        #expect(texts([seconds(1, 5, 10, 150)]) == ["0 Note 1"], "a note of seconds is shown for its minute")
    }

    @Test func `of two that are as relevant and begin in the same minute the one that was added later is shown`() {
        let (first, second) = (note(1, 0, 120), note(2, 0, 120))
        #expect(texts([first, second]) == ["0 Note 2"])
        #expect(texts([second, first]) == ["0 Note 2"])
        #expect(texts([note(1, 0, 120), note(2, 0, 30)]) == ["0 Note 2", "30 Note 1"], "the other one comes back")
    }

    @Test func `at the end of a calendar nothing overflows`() {
        let spans = [
            ComplicationNote(number: 1, text: "A", start: .max, end: .max, relevance: 1).span,
            ComplicationNote(number: 2, text: "B", start: .max - 30, end: nil, relevance: 1).span,
        ]
        #expect(ComplicationPlan(spans, from: .max).steps.count <= 2)
    }

    @Test func `at every minute the plan shows what precedes all else`() {
        withSeeds(200, "complication plans") { generator, seed in
            let count = Int64.random(in: 0...12, using: &generator)
            var spans = (0..<count).map { number -> ComplicationSpan in
                let first = UInt32.random(in: 0...180, using: &generator)
                let length = UInt32.random(in: 1...60, using: &generator)
                return note(
                    number, first, generator.once(in: 8) ? nil : first + length,
                    UInt8.random(in: 98...103, using: &generator))
            }
            if generator.once(in: 2) { spans.append(list) }
            let now = UInt32.random(in: 0...200, using: &generator)
            let plan = ComplicationPlan(spans, from: Self.minute(now))
            for (entry, next) in zip(plan.steps, plan.steps.dropFirst()) {
                #expect(next.date >= entry.date + 60, "seed \(seed)")
            }
            for minute in now...260 {
                let time = Self.minute(minute)
                let covering = spans.filter { $0.covers(time) }
                let shown = plan.step(at: time)?.span
                #expect((shown == nil) == covering.isEmpty, "seed \(seed), minute \(minute)")
                guard let shown else { continue }
                #expect(covering.allSatisfy { !$0.precedes(shown) }, "seed \(seed), minute \(minute)")
            }
        }
    }
}
