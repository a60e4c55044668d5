import Foundation
import Testing
import Watch

@testable import TapLatency

@Suite struct TraceTests {
    @Test func `A trace has every track, in the order of time`() throws {
        let trace = try TapTrace(of: ShippingHandler(), under: Conditions(taps: 2))
        #expect(trace.handler == "shipping")
        #expect(Set(trace.spans.map(\.track)) == Set(TapTrace.Track.allCases))
        #expect(trace.spans.map(\.begin) == trace.spans.map(\.begin).sorted())
        #expect(Set(trace.spans.map(\.tap)) == [1, 2])
        let stages = trace.spans.filter { $0.track == .processor && $0.tap == 1 }.map(\.name)
        #expect(stages.prefix(4) == ["list model", "strike-through", "row removal", "message to the phone"])
    }

    @Test func `A tap's marks begin at its touch`() throws {
        let trace = try TapTrace(of: LegacyHandler(), under: Conditions(taps: 1))
        let marks = trace.spans.filter { $0.track == .tap }
        #expect(Set(marks.map(\.begin)).count == 1)
        let names = LatencyMark.allCases.map { $0 == .settled ? "settled, without the wait" : $0.rawValue }
        #expect(Set(marks.map(\.name)) == Set(names))
    }
}

/// The rules of the Trace Event Format for the events that a trace of taps has.
struct ChromeTraceTests {
    private static let trace = TapTrace(
        handler: "legacy", profile: "memory-lcd",
        spans: [
            TapTrace.Span(name: "acknowledged", track: .tap, begin: 10, length: 3_000, tap: 1),
            TapTrace.Span(name: "updated", track: .tap, begin: 10, length: 200, tap: 1),
            TapTrace.Span(name: "list model", track: .processor, begin: 20, length: 50, tap: 1),
            TapTrace.Span(name: "2 lines", track: .panel, begin: 70, length: 168, tap: 1),
            TapTrace.Span(name: "page", track: .flash, begin: 300, length: 700, tap: nil),
        ])

    private func events(_ traces: [TapTrace]) throws -> [[String: Any]] {
        let file = try #require(
            JSONSerialization.jsonObject(with: Data(traces.chromeFile)) as? [String: Any])
        #expect(file["displayTimeUnit"] as? String == "ms")
        return try #require(file["traceEvents"] as? [[String: Any]])
    }

    @Test func `every span is a complete event with its times in microseconds`() throws {
        let complete = try events([Self.trace]).filter { $0["ph"] as? String == "X" }
        #expect(complete.compactMap { $0["name"] as? String } == Self.trace.spans.map(\.name))
        #expect(complete.compactMap { $0["ts"] as? UInt64 } == Self.trace.spans.map(\.begin))
        #expect(complete.compactMap { $0["dur"] as? UInt64 } == Self.trace.spans.map(\.length))
        #expect(complete.compactMap { $0["cat"] as? String } == Self.trace.spans.map(\.track.rawValue))
    }

    @Test func `a span of a tap says which, and others say nothing`() throws {
        let taps = try events([Self.trace]).filter { $0["ph"] as? String == "X" }
            .map { ($0["args"] as? [String: Any])?["tap"] as? Int }
        #expect(taps == [1, 1, 1, 1, nil])
    }

    @Test func `every trace is a process and every component a thread, each with its name`() throws {
        let all = try events([Self.trace, Self.trace])
        let names = all.filter { $0["name"] as? String == "process_name" }
        #expect(names.compactMap { $0["pid"] as? Int } == [1, 2])
        let threads = all.filter { $0["name"] as? String == "thread_name" }
        #expect(threads.count == 2 * TapTrace.Track.allCases.count)
        for event in all where event["ph"] as? String == "X" {
            #expect(
                threads.contains { thread in
                    ["pid", "tid"].allSatisfy { thread[$0] as? Int == event[$0] as? Int }
                })
        }
    }
}
