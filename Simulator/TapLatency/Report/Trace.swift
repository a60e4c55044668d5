import DeviceModel
import Watch
import WatchLink

/// What the parts of a watch did during some taps, for a viewer of traces.
package struct TapTrace: Sendable, Equatable {
    package enum Track: String, Sendable, CaseIterable {
        /// The stages, on the processor.
        case processor
        case panel, flash
        /// Packets in the air.
        case radio
        /// Datagrams that wait for the next connection event.
        case window
        case haptic, phone
        /// From the touch to each mark of the tap.
        case tap

        /// In a viewer.
        fileprivate var title: String {
            switch self {
            case .processor, .panel, .radio, .phone, .tap: rawValue
            case .flash: "flash chip"
            case .window: "waiting for the window"
            case .haptic: "haptic driver"
            }
        }
    }

    /// In microseconds since the watch started. On `.tap` all spans of a tap begin at the touch. On other tracks spans may be
    /// nested, and do not overlap otherwise.
    package struct Span: Sendable, Equatable {
        var name: String
        var track: Track
        var begin: UInt64
        var length: UInt64
        /// From 1; nil if it belongs to no tap.
        var tap: UInt32?
    }

    package var handler: String
    package var profile: String
    /// By their beginning; of spans that begin together the longest comes first.
    package var spans: [Span]
}

extension TapTrace {
    /// Records up to three taps of a handler.
    package init(of handler: some TapHandler, under given: Conditions) throws(TapLatencyError) {
        var conditions = given
        conditions.taps = min(given.taps, 3)
        conditions.processor = .counted
        let sequence = StageSequence(of: handler)
        try conditions.check()
        let spans =
            if let sequence {
                try TapTrace.spans(sequence, sequence.stages, conditions)
            } else {
                try TapTrace.spans(handler, nil, conditions)
            }
        self.init(handler: handlerName(handler), profile: conditions.profile.name, spans: spans)
    }

    private static func spans<Handler: TapHandler>(
        _ handler: Handler, _ stages: [PlacedStage]?, _ conditions: Conditions
    ) throws(TapLatencyError) -> [Span] {
        let log = ActivityLog()
        let bench = try TapBench.make(handler, stages: stages, under: conditions, activities: log)
        var spans: [Span] = []
        var touches: [(began: Instant, tap: UInt32)] = []
        for _ in 0..<conditions.taps {
            _ = try bench.tap()
            guard let history = bench.bench.watch.output.taps.histories.last, let touch = history.time(of: .touch)
            else { continue }
            touches.append((touch, history.tap.count))
            spans += LatencyMark.allCases.compactMap { mark in
                // The span ends early, and has to say why.
                let name = mark == .settled ? "settled, without the wait" : mark.rawValue
                return history.sinceTouch(mark.mark).map {
                    Span(name: name, track: .tap, begin: touch.microseconds, length: $0.count, tap: history.tap.count)
                }
            }
            spans += history.stages.compactMap { stage in
                stage.duration.map {
                    Span(
                        name: stage.name + stage.instructionCount.remark, track: .processor,
                        begin: stage.began.microseconds, length: $0.count, tap: history.tap.count)
                }
            }
        }
        // What was before the first touch belongs to the connection, the rest to the tap before it.
        for activity in log.activities {
            guard let owner = touches.last(where: { $0.began <= activity.began }),
                let track = Track(rawValue: activity.part.rawValue)
            else { continue }
            spans.append(
                Span(
                    name: activity.part.work, track: track, begin: activity.began.microseconds,
                    length: activity.length.count, tap: owner.tap))
        }
        return spans.sorted { first, second in
            (first.begin, second.length, first.track.rawValue, first.name)
                < (second.begin, first.length, second.track.rawValue, second.name)
        }
    }
}

extension BusyPart {
    fileprivate var work: String {
        switch self {
        case .panel: "lines"
        case .flash: "page or sector"
        case .haptic: "start"
        case .radio: "packets in the air"
        case .window: "datagrams wait for the next event"
        case .phone: "transaction"
        }
    }
}

// MARK: The file

extension [TapTrace] {
    /// A file for Perfetto and Chrome: a JSON object of the Trace Event Format (Google, "Trace Event Format", the sections JSON
    /// Object Format, Complete Events and Metadata Events). Each trace is a process, each track a thread.
    package var chromeFile: [UInt8] {
        let events = enumerated().flatMap { index, trace in
            let process = index + 1
            let threads = zip(1..., TapTrace.Track.allCases)
            return [
                Event(
                    ph: "M", name: "process_name", pid: process,
                    args: .init(name: "\(trace.handler) on \(trace.profile)"))
            ]
                + threads.flatMap { thread, track in
                    [
                        Event(ph: "M", name: "thread_name", pid: process, tid: thread, args: .init(name: track.title)),
                        Event(
                            ph: "M", name: "thread_sort_index", pid: process, tid: thread,
                            args: .init(sort_index: thread)),
                    ]
                }
                + trace.spans.map { span in
                    Event(
                        ph: "X", name: span.name, cat: span.track.rawValue, pid: process,
                        tid: threads.first { $1 == span.track }?.0, ts: span.begin, dur: span.length,
                        args: span.tap.map { .init(tap: $0) })
                }
        }
        return EventFile(displayTimeUnit: "ms", traceEvents: events).reportJSON()
    }
}

private struct EventFile: Encodable, Sendable {
    var displayTimeUnit: String
    var traceEvents: [Event]
}

/// Without the fields that its phase does not use.
private struct Event: Encodable, Sendable {
    struct Arguments: Encodable, Sendable {
        var name: String?
        var sort_index: Int?
        var tap: UInt32?
    }

    /// `X` for a complete event, `M` for metadata.
    var ph: String
    var name: String
    var cat: String?
    var pid: Int
    var tid: Int?
    /// Microseconds.
    var ts: UInt64?
    /// Microseconds.
    var dur: UInt64?
    var args: Arguments?
}
