import TapLatency
import Testing
import Watch

@Suite struct TraceTests {
    @Test func `A trace has every track, in the order of time`() throws {
        let trace = try trace(ShippingHandler(), taps: 2)
        #expect(trace.handler == "shipping")
        #expect(Set(trace.spans.map(\.track)) == Set(TapTrace.Track.allCases))
        #expect(trace.spans.map(\.begin) == trace.spans.map(\.begin).sorted())
        #expect(Set(trace.spans.map(\.tap)) == [1, 2])
        let stages = trace.spans.filter { $0.track == .processor && $0.tap == 1 }.map(\.name)
        #expect(stages.prefix(4) == ["list model", "strike-through", "row removal", "message to the phone"])
    }

    @Test func `A tap's marks begin at its touch`() throws {
        let trace = try trace(LegacyHandler(), taps: 1)
        let marks = trace.spans.filter { $0.track == .tap }
        #expect(Set(marks.map(\.begin)).count == 1)
        let names = LatencyMark.allCases.map { $0 == .settled ? "settled, without the wait" : $0.rawValue }
        #expect(Set(marks.map(\.name)) == Set(names))
    }
}
