import DeviceModel
import Watch
import WatchLink

package struct WatchLabel: Equatable, Sendable {
    package var name: String
    /// The profile of its device.
    package var profile: String
    /// The handler of a tap on a row.
    package var handler: String

    package init(name: String, profile: String, handler: String) {
        self.name = name
        self.profile = profile
        self.handler = handler
    }
}

/// The contents of the side panel.
struct WatchStatus: Equatable {
    /// Whether a haptic pattern is being played.
    enum Haptic: Equatable {
        case none
        case quiet(HapticPattern, count: Int)
        case playing(HapticPattern, count: Int)
    }

    enum Control: Equatable {
        /// The watch has no such control.
        case none
        case some(ClockState, WatchFaults)

        /// Nil if the time cannot be changed.
        var pace: String? {
            switch self {
            case .none: nil
            case .some(let clock, _): clock.words ?? "speed 1x"
            }
        }

        var isPaused: Bool {
            switch self {
            case .none: false
            case .some(let clock, _): clock.isPaused
            }
        }

        var linkFault: WatchFaults.Link {
            switch self {
            case .none: .open
            case .some(_, let faults): faults.link
            }
        }

        /// Notices for faults, and for a speed other than normal.
        var words: [String] {
            switch self {
            case .none: []
            case .some(let clock, let faults): (clock.words.map { [$0] } ?? []) + faults.words
            }
        }
    }

    /// Why the phone is out of reach.
    enum Absence: Equatable {
        /// A fault has cut the link, so a phone would not help.
        case cut
        /// The watch's time is paused, so it does not look for a phone.
        case paused
        case noPhone
    }

    var label: WatchLabel
    var description = ScreenDescription()
    var lastTap: TapHistory?
    var haptic = Haptic.none
    var control = Control.none
    var isRecording = false
    /// Nil for a watch without a gauge.
    var battery: BatteryState?
    /// A remark on the last click or key; nil for none.
    var remark: String?
}

extension WatchStatus {
    /// - Parameter patternsOver: the number of haptic patterns that have ended.
    init(
        label: WatchLabel, snapshot: WatchSnapshot, patternsOver: Int, control: Control = .none,
        isRecording: Bool = false, battery: BatteryState? = nil, remark: String? = nil
    ) {
        self.init(label: label)
        self.battery = battery
        self.control = control
        self.isRecording = isRecording
        self.remark = remark
        description = snapshot.description
        lastTap = snapshot.taps.last
        let log = snapshot.haptics
        if let last = log.pulses.last {
            haptic =
                log.count > patternsOver
                ? .playing(last.pattern, count: log.count) : .quiet(last.pattern, count: log.count)
        }
    }
}

extension WatchStatus {
    var absence: Absence? {
        switch description.link {
        case .reachable, .connecting: nil
        case .down: control.linkFault != .open ? .cut : control.isPaused ? .paused : .noPhone
        }
    }

    var batteryWords: [String] { battery.notices }

    var recordingWords: [String] { isRecording ? ["recording, r ends it"] : [] }
}

extension BatteryState? {
    /// A notice, unless the battery is full and without a charger.
    var notices: [String] { [self].compactMap(\.self).filter { $0 != .full }.map(\.words) }
}

extension TapMark {
    var title: String {
        switch self {
        case .settled: "gone"
        case .touch, .handled, .updated, .durable, .sent, .committed, .acknowledged: label
        }
    }
}

extension Microseconds {
    /// Three significant digits: `0.4`, `14.2`, `310`, `12 s`.
    var milliseconds: String {
        switch count {
        case ..<99_950:
            let tenths = (count + 50) / 100
            return "\(tenths / 10).\(tenths % 10)"
        case ..<9_999_500: return String((count + 500) / 1_000)
        default: return "\(count / 1_000_000) s"
        }
    }
}
