import FoundationEssentials

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
