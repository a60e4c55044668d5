import Testing
import WatchLink

@testable import Watch

struct ComplicationStateTests {
    private let memory = PartMemory()
    private let noon = LocalTime(seconds: 43_200)

    private func timeline(_ entries: [ComplicationEntry] = []) -> Timeline {
        var arena = memory.arena
        var timeline = Timeline(arena: &arena)
        for entry in entries { timeline.extend(with: entry) }
        return timeline
    }

    private func words(_ content: ComplicationContent) -> String {
        switch content {
        case .placeholder: "placeholder"
        case .items(let remaining, let all, let next): "\(remaining) of \(all), \(String(copying: next))"
        case .text(let text): String(copying: text)
        case .lastTrip(let seconds): "\(seconds) s ago"
        case .date(let time): "date \(time.seconds)"
        }
    }

    private func String(copying title: ItemTitle) -> String {
        Swift.String(decoding: (0..<title.count).map { title[$0] }, as: UTF8.self)
    }

    @Test func `without items the clock decides`() {
        let state = ComplicationState()
        #expect(words(state.content(at: nil, timeline(), lastCheckOff: nil)) == "placeholder")
        #expect(words(state.content(at: noon, timeline(), lastCheckOff: nil)) == "date 43200")
        #expect(words(state.content(at: noon, timeline(), lastCheckOff: LocalTime(seconds: 43_000))) == "200 s ago")
        #expect(words(state.content(at: noon, timeline(), lastCheckOff: LocalTime(seconds: 50_000))) == "0 s ago")
        let text = timeline([ComplicationEntry(date: 1, content: .text, text: Canvas.title("Market"))])
        #expect(words(state.content(at: noon, text, lastCheckOff: noon)) == "Market")
    }

    @Test func `while items remain they come first, also before the clock is set`() {
        var state = ComplicationState()
        state.update(remaining: 3, next: Canvas.title("Milk"))
        #expect(words(state.content(at: nil, timeline(), lastCheckOff: noon)) == "3 of 3, Milk")
        state.update(remaining: 2, next: nil)
        #expect(words(state.content(at: nil, timeline(), lastCheckOff: nil)) == "placeholder")
    }

    @Test func `the ring is full at the most items since the list was empty`() {
        var state = ComplicationState()
        state.update(remaining: 9, next: Canvas.title("Milk"))
        state.update(remaining: 4, next: Canvas.title("Milk"))
        #expect(words(state.content(at: nil, timeline(), lastCheckOff: nil)) == "4 of 9, Milk")
        state.update(remaining: 0, next: nil)
        state.update(remaining: 2, next: Canvas.title("Bread"))
        #expect(words(state.content(at: nil, timeline(), lastCheckOff: nil)) == "2 of 2, Bread")
    }

    @Test func `an entry of the time line is shown as it was sent`() {
        var state = ComplicationState()
        state.update(remaining: 5, next: Canvas.title("Milk"))
        let items = ComplicationEntry(date: 1, content: .items(remaining: 3), text: Canvas.title("Tea"))
        #expect(words(state.content(of: items)) == "3 of 5, Tea")
        #expect(words(state.content(of: ComplicationEntry(date: 1, content: .text, text: Canvas.title("Hi")))) == "Hi")
    }
}

struct TimelineTests {
    private let memory = PartMemory()

    private func timeline(_ dates: [UInt32]) -> Timeline {
        var arena = memory.arena
        var timeline = Timeline(arena: &arena)
        for date in dates {
            timeline.extend(with: ComplicationEntry(date: date, content: .text, text: Canvas.title("At \(date)")))
        }
        return timeline
    }

    private func time(_ seconds: UInt32) -> LocalTime { LocalTime(seconds: seconds) }

    @Test func `entries out of order and beyond the sixteenth are dropped`() {
        let disordered = timeline([10, 30, 20, 30, 40])
        #expect((0..<disordered.count).map { disordered[$0].date } == [10, 30, 40])
        #expect(timeline(Array(1...20)).count == 16)
    }

    @Test func `the current entry is the last that is not later`() {
        let timeline = timeline([10, 20, 30])
        #expect(timeline.index(at: time(9)) == nil)
        #expect(timeline.index(at: time(10)) == 0)
        #expect(timeline.index(at: time(29)) == 1)
        #expect(timeline.index(at: time(.max)) == 2)
    }

    @Test func `time travel stops at the first and the last entry`() {
        let timeline = timeline([10, 20, 30])
        #expect(timeline.entry(1, stepsFrom: time(20))?.date == 30)
        #expect(timeline.entry(7, stepsFrom: time(20))?.date == 30)
        #expect(timeline.entry(-7, stepsFrom: time(20))?.date == 10)
        #expect(timeline.entry(0, stepsFrom: time(20)) == nil)
        #expect(timeline.entry(1, stepsFrom: time(30)) == nil)
        #expect(timeline.entry(1, stepsFrom: time(0))?.date == 10)
    }

    @Test func `the crown turns as far as there are entries`() {
        let timeline = timeline([10, 20, 30])
        #expect(timeline.travelRange(from: time(20)) == (-1, 1))
        #expect(timeline.travelRange(from: time(0)) == (0, 3))
        #expect(timeline.travelRange(from: time(99)) == (-2, 0))
    }
}
