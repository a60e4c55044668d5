import DeviceModel
import FoundationEssentials
import Watch
import WatchLink

/// Records what the parts of the watch do during some taps.
///
/// - Parameters:
///   - handler: what a tap does.
///   - profile: the device.
///   - items: items on the watch, 1 to 128.
///   - taps: how many taps, 1 to 100,000; a few are enough to look at.
///   - seed: randomness for the rows that are tapped and the rests.
///   - database: items in the phone's database.
///   - name: what the trace calls the handler; its type's name by default.
/// - Throws: what is wrong with the arguments.
public func trace(
    _ handler: some TapHandler, on profile: DeviceProfile = .memoryLCD, items: Int = 128, taps: Int = 3,
    seed: UInt64 = 1, database: Int = 2_000, name: String? = nil
) throws(TapLatencyError) -> TapTrace {
    let conditions = Conditions(
        profile: profile, items: items, taps: taps, seed: seed, database: database)
    let sequence = StageSequence(of: handler)
    try conditions.check(sequence?.stages)
    let spans =
        if let sequence {
            try TapTrace.spans(sequence, sequence.stages, conditions)
        } else {
            try TapTrace.spans(handler, nil, conditions)
        }
    return TapTrace(handler: name ?? handlerName(handler), profile: profile.name, spans: spans)
}

extension TapTrace {
    fileprivate static func spans<Handler: TapHandler>(
        _ handler: Handler, _ stages: [PlacedStage]?, _ conditions: Conditions
    ) throws(TapLatencyError) -> [Span] {
        let log = ActivityLog()
        let bench = try TapBench.make(handler, stages: stages, under: conditions, activities: log)
        var spans: [Span] = []
        var ends: [(began: Instant, tap: UInt32)] = []
        for _ in 0..<conditions.taps {
            _ = try bench.tap()
            guard let history = bench.bench.watch.output.taps.histories.last else { continue }
            if let touch = history.time(of: .touch) { ends.append((touch, history.tap.count)) }
            spans += markSpans(history) + stageSpans(history)
        }
        // What was before the first touch is of the connection; the rest is of the tap that it follows.
        for activity in log.activities {
            guard let owner = ends.last(where: { $0.began <= activity.began }) else { continue }
            spans.append(
                Span(
                    name: activity.part.work, track: activity.part.track, begin: activity.began.microseconds,
                    length: activity.length.count, tap: owner.tap))
        }
        return spans.sorted { first, second in
            (first.begin, second.length, first.track.rawValue, first.name)
                < (second.begin, first.length, second.track.rawValue, second.name)
        }
    }

    private static func markSpans(_ history: TapHistory) -> [Span] {
        guard let touch = history.time(of: .touch) else { return [] }
        return LatencyMark.allCases.compactMap { mark in
            guard let length = history.sinceTouch(mark.mark) else { return nil }
            // On a line of time it would end too early, if it did not say what it leaves out.
            let name = mark == .settled ? "settled, without the wait" : mark.rawValue
            return Span(
                name: name, track: .tap, begin: touch.microseconds, length: length.count, tap: history.tap.count)
        }
    }

    private static func stageSpans(_ history: TapHistory) -> [Span] {
        history.stages.compactMap { stage in
            guard let length = stage.duration else { return nil }
            return Span(
                name: stage.name + stage.instructionCount.remark, track: .processor, begin: stage.began.microseconds,
                length: length.count,
                tap: history.tap.count)
        }
    }
}

extension BusyPart {
    /// The track that a viewer shows it on.
    fileprivate var track: TapTrace.Track {
        switch self {
        case .panel: .panel
        case .flash: .flash
        case .haptic: .haptic
        case .radio: .radio
        case .window: .window
        case .phone: .phone
        }
    }

    /// What it does when it is busy.
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

/// What the parts of a watch did during some taps, for a viewer of traces.
public struct TapTrace: Sendable, Equatable {
    /// A part of the device, or of what it talks to.
    public enum Track: String, Sendable, CaseIterable {
        /// The stages, on the processor.
        case processor
        /// Lines on their way to the panel.
        case panel
        /// Programs and erases of the flash chip.
        case flash
        /// Packets in the air.
        case radio
        /// Datagrams that wait for the next connection event.
        case window
        /// The haptic driver.
        case haptic
        /// The phone at work.
        case phone
        /// From the touch to each mark of the tap.
        case tap
    }

    /// Something that took time on a track. On `.tap` all spans of a tap begin at the touch; on the other tracks spans
    /// may lie within each other and do not overlap otherwise.
    public struct Span: Sendable, Equatable {
        /// What was done.
        public var name: String
        /// Which part did it.
        public var track: Track
        /// When it began, in microseconds since the watch started.
        public var begin: UInt64
        /// What it took, in microseconds.
        public var length: UInt64
        /// The number of the tap that it belongs to, counted from 1; nil for none.
        public var tap: UInt32?
    }

    /// The handler's name.
    public var handler: String
    /// The profile's name.
    public var profile: String
    /// The spans by their beginning; of spans that begin together the longest comes first.
    public var spans: [Span]
}

/// Traces as a file that Perfetto and Chrome's own viewer open: a JSON object of the Trace Event Format (Google, "Trace
/// Event Format", the sections JSON Object Format, Complete Events and Metadata Events). Every trace is a process of
/// it, every track a thread.
public struct ChromeTrace: Sendable, Equatable {
    /// The traces, one below the other.
    public var traces: [TapTrace]

    /// A file of these traces.
    public init(_ traces: [TapTrace]) {
        self.traces = traces
    }

    /// The file. The same traces give the same bytes.
    public var json: [UInt8] {
        File(
            displayTimeUnit: "ms",
            traceEvents: traces.enumerated().flatMap { ChromeTrace.events(of: $1, process: $0 + 1) }
        ).reportJSON()
    }

    private static func events(of trace: TapTrace, process: Int) -> [Event] {
        var events = [
            Event.naming("process_name", "\(trace.handler) on \(trace.profile)", process, thread: nil)
        ]
        for (index, track) in TapTrace.Track.allCases.enumerated() {
            events.append(.naming("thread_name", track.title, process, thread: index + 1))
            events.append(.sorting(process, thread: index + 1))
        }
        for span in trace.spans {
            guard let index = TapTrace.Track.allCases.firstIndex(of: span.track) else { continue }
            events.append(.complete(span, process, thread: index + 1))
        }
        return events
    }

    private struct File: Encodable, Sendable {
        var displayTimeUnit: String
        var traceEvents: [Event]
    }
}

extension TapTrace.Track {
    /// What the track is called in a viewer.
    fileprivate var title: String {
        switch self {
        case .processor: "processor"
        case .panel: "panel"
        case .flash: "flash chip"
        case .radio: "radio"
        case .window: "waiting for the window"
        case .haptic: "haptic driver"
        case .phone: "phone"
        case .tap: "tap"
        }
    }
}

extension ChromeTrace {
    /// An event of the format, without the fields that its phase does not use.
    private struct Event: Encodable, Sendable {
        /// What an event says beyond the fields that all have.
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

        static func complete(_ span: TapTrace.Span, _ process: Int, thread: Int) -> Event {
            Event(
                ph: "X", name: span.name, cat: span.track.rawValue, pid: process, tid: thread, ts: span.begin,
                dur: span.length, args: span.tap.map { Arguments(tap: $0) })
        }

        static func naming(_ what: String, _ name: String, _ process: Int, thread: Int?) -> Event {
            Event(ph: "M", name: what, pid: process, tid: thread, args: Arguments(name: name))
        }

        /// Threads are shown in the order of their tracks.
        static func sorting(_ process: Int, thread: Int) -> Event {
            Event(ph: "M", name: "thread_sort_index", pid: process, tid: thread, args: Arguments(sort_index: thread))
        }
    }
}
