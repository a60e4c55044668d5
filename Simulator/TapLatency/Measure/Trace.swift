import DeviceModel
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
