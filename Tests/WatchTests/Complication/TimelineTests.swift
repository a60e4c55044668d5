import Testing
import WatchLink

@testable import Watch

@Suite struct TimelineTests {
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
