import DeviceModel
import Watch
import WatchLink

package struct WatchLabel: Equatable, Sendable {
    package var name: String
    package var profile: String
    package var handler: String

    package init(name: String, profile: String, handler: String) {
        self.name = name
        self.profile = profile
        self.handler = handler
    }
}

struct WatchStatus: Equatable {
    enum Haptic: Equatable {
        case none
        case quiet(HapticPattern, count: Int)
        case playing(HapticPattern, count: Int)
    }

    struct Simulation: Equatable {
        var clock = ClockState()
        var faults = WatchFaults()

        var pace: String { clock.words ?? "speed 1x" }

        var words: [String] { [clock.words].compactMap(\.self) + faults.words }
    }

    /// Why the watch cannot reach the phone.
    enum Absence: Equatable {
        case cut
        case paused
        case noPhone
    }

    var label: WatchLabel
    var description = ScreenDescription()
    var lastTap: TapHistory?
    var haptic = Haptic.none
    var simulation: Simulation?
    var isRecording = false
    var battery: BatteryState?
    /// A message to the user, usually about the last click or key, such as `the row moved`.
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
    /// The time in milliseconds, such as `0.4`, `14.2` or `310`; in whole seconds if it is 10 s or more, such as `12 s`.
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
