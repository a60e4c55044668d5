import DeviceModel
import Watch
import WatchLink

package struct WatchLabel: Equatable, Sendable {
    package var name: String
    /// The name of its device profile.
    package var profile: String
    /// The name of the handler that runs when the wearer taps a row.
    package var handler: String

    package init(name: String, profile: String, handler: String) {
        self.name = name
        self.profile = profile
        self.handler = handler
    }
}

/// The contents of the side panel.
struct WatchStatus: Equatable {
    /// The last haptic pattern, and whether it is playing.
    enum Haptic: Equatable {
        case none
        case quiet(HapticPattern, count: Int)
        case playing(HapticPattern, count: Int)
    }

    /// What the user can change on a simulated watch: its clock and its faults.
    struct Simulation: Equatable {
        var clock = ClockState()
        var faults = WatchFaults()

        var pace: String { clock.words ?? "speed 1x" }

        /// Notices about faults, and about the speed if it is not normal.
        var words: [String] { [clock.words].compactMap(\.self) + faults.words }
    }

    /// The reason why the watch cannot reach the phone.
    enum Absence: Equatable {
        /// A fault has cut the link, so that starting a phone would not help.
        case cut
        /// The watch's clock is paused, so it does not look for a phone.
        case paused
        case noPhone
    }

    var label: WatchLabel
    var description = ScreenDescription()
    var lastTap: TapHistory?
    var haptic = Haptic.none
    /// Nil if the watch is not simulated.
    var simulation: Simulation?
    var isRecording = false
    /// Nil if the watch reports no battery.
    var battery: BatteryState?
    /// A remark about the last click or key. Nil if there is none.
    var remark: String?
}

extension WatchStatus {
    /// - Parameter patternsOver: the number of haptic patterns that have ended.
    init(
        label: WatchLabel, snapshot: WatchSnapshot, patternsOver: Int, simulation: Simulation? = nil,
        isRecording: Bool = false, battery: BatteryState? = nil, remark: String? = nil
    ) {
        self.init(label: label)
        self.battery = battery
        self.simulation = simulation
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
        case .down:
            if let simulation, simulation.faults.link != .open {
                .cut
            } else if let simulation, simulation.clock.isPaused {
                .paused
            } else {
                .noPhone
            }
        }
    }

    var batteryWords: [String] { battery.notices }

    var recordingWords: [String] { isRecording ? ["recording, r ends it"] : [] }
}

extension BatteryState? {
    /// A notice about the battery. None if it is full and not on a charger.
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
    /// The time in milliseconds with three significant digits, or in seconds if it is long: `0.4`, `14.2`, `310`, `12 s`.
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
