import DeviceModel
import Watch
import WatchLink

/// Something that a part of the watch or the phone has done.
struct LoggedEvent: Equatable {
    /// When, since the watch started.
    var time: Instant
    /// Which part did it: the tap's handler, the panel, the flash, the radio, the phone or the haptic driver.
    var part: String
    /// What it did.
    var words: String
}

/// What has happened lately, by the traces of the device.
enum EventLog {
    /// The most events that are listed: more than a terminal has rows beside the watch.
    static let capacity = 64

    /// The newest events, oldest first.
    static func events(in snapshot: WatchSnapshot) -> [LoggedEvent] {
        // A tap has eight marks.
        let taps = snapshot.taps.suffix(capacity / TapMark.all.count).flatMap(events(of:))
        let pulses = snapshot.haptics.pulses.map {
            LoggedEvent(time: $0.time, part: "haptic", words: $0.pattern.label)
        }
        // Of the same time the marks come first, and in their own order.
        let all = (taps + pulses).enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        return all.suffix(capacity).map(\.element)
    }

    private static func events(of tap: TapHistory) -> [LoggedEvent] {
        TapMark.all.compactMap { mark in
            tap.time(of: mark).map { time in
                // The mark is reported without the time that the row was kept under the finger.
                let shown = mark == .settled ? time + WatchLimits.struckRowHold : time
                return LoggedEvent(time: shown, part: mark.part, words: "tap \(tap.tap.count) \(mark.deed)")
            }
        }
    }
}

extension PanelBlock {
    /// The newest events, at most `lines` of them, at least 1.
    static func log(_ events: [LoggedEvent], lines: Int) -> PanelBlock {
        guard !events.isEmpty else { return PanelBlock(heading: "Events", lines: [StyledText("none yet")]) }
        let shown = events.suffix(max(1, lines)).map { event in
            StyledText([
                .init(text: event.time.seconds.padded(to: 8, .right), style: .plain),
                .init(text: " " + event.part.padded(to: 6), style: .bold),
                .init(text: " " + event.words, style: .plain),
            ])
        }
        return PanelBlock(heading: "Events, in seconds", lines: shown)
    }
}

extension TapMark {
    /// The part that reaches it.
    fileprivate var part: String {
        switch self {
        case .touch, .handled: "tap"
        case .updated, .settled: "panel"
        case .durable: "flash"
        case .sent, .acknowledged: "radio"
        case .committed: "phone"
        }
    }

    /// What that part has done.
    fileprivate var deed: String {
        switch self {
        case .touch: "touched"
        case .handled: "handled"
        case .updated: "struck"
        case .settled: "gone"
        case .durable: "recorded"
        case .sent: "sent"
        case .committed: "stored"
        case .acknowledged: "acknowledged"
        }
    }
}

extension Instant {
    /// Seconds since the start with four digits behind the point, which is a tenth of a millisecond.
    fileprivate var seconds: String {
        let tenths = (Instant.start <= self ? (self - .start).count : 0) / 100
        let rest = String(tenths % 10_000)
        return "\(tenths / 10_000)." + String(repeating: "0", count: 4 - rest.count) + rest
    }
}
