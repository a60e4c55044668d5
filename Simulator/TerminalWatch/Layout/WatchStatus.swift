import DeviceModel
import Watch
import WatchLink

/// What is written on a watch's case.
package struct WatchLabel: Equatable, Sendable {
    /// The watch's name.
    package var name: String
    /// The device whose times it takes.
    package var profile: String
    /// What a tap on a row does.
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
        /// None has been played yet.
        case none
        /// The last one is over.
        case quiet(HapticPattern, count: Int)
        /// One is being played.
        case playing(HapticPattern, count: Int)
    }

    /// The controls of the simulation.
    enum Control: Equatable {
        /// The watch has none: it is not simulated.
        case none
        case some(ClockState, WatchFaults)

        /// How fast the time goes, or that it stands still; nil where nobody can change that.
        var pace: String? {
            switch self {
            case .none: nil
            case .some(let clock, _): clock.words ?? "speed 1x"
            }
        }

        /// Whether the watch's time stands still.
        var isPaused: Bool {
            switch self {
            case .none: false
            case .some(let clock, _): clock.isPaused
            }
        }

        /// Whether a fault has cut the link to the phone.
        var linkFault: WatchFaults.Link {
            switch self {
            case .none: .open
            case .some(_, let faults): faults.link
            }
        }

        /// A notice for each deviation from a watch at normal speed without faults.
        var words: [String] {
            switch self {
            case .none: []
            case .some(let clock, let faults): (clock.words.map { [$0] } ?? []) + faults.words
            }
        }
    }

    /// Whether the panel is recorded.
    enum Recording: Equatable {
        case off
        case on

        /// A notice of it.
        var words: [String] {
            switch self {
            case .off: []
            case .on: ["recording, r ends it"]
            }
        }
    }

    /// Why the phone cannot be reached, where it cannot.
    enum Absence: Equatable {
        /// A fault has cut the link: a phone would not help.
        case cut
        /// The watch's time stands still: it looks for none.
        case paused
        /// There is none.
        case noPhone
    }

    /// What is written on the case.
    var label: WatchLabel
    var link = ScreenDescription.Link.down
    /// Items that are not checked, on the watch and beyond what it holds.
    var remaining = 0
    /// Items of the list that the watch does not hold.
    var more = 0
    /// The watch's messages that the phone has not acknowledged.
    var waiting = 0
    var synchronization = ScreenDescription.Synchronization.pending
    /// The last tap on a row.
    var lastTap: TapHistory?
    var haptic = Haptic.none
    var control = Control.none
    var recording = Recording.off
    /// What the gauge of the battery says; nil for a watch without one.
    var battery: BatteryState?
    /// What the wearer has to know beyond the state of the link, nil for nothing.
    var notice: String?
    /// What is to be said about the last click or key, nil for nothing.
    var remark: String?
    /// What has happened lately, oldest first.
    var events: [LoggedEvent] = []
}

extension WatchStatus {
    /// The status in a snapshot.
    ///
    /// - Parameter patternsOver: the number of haptic patterns that have ended.
    init(
        label: WatchLabel, snapshot: WatchSnapshot, patternsOver: Int, control: Control = .none,
        recording: Recording = .off, battery: BatteryState? = nil, remark: String? = nil
    ) {
        self.init(label: label)
        self.battery = battery
        self.control = control
        self.recording = recording
        self.remark = remark
        notice = snapshot.description.noticeLine
        link = snapshot.description.link
        remaining = Int(snapshot.description.remaining)
        more = Int(snapshot.description.more)
        waiting = Int(snapshot.description.waitingMessages)
        synchronization = snapshot.description.synchronization
        lastTap = snapshot.taps.last
        events = EventLog.events(in: snapshot)
        let log = snapshot.haptics
        if let last = log.pulses.last {
            haptic =
                log.count > patternsOver
                ? .playing(last.pattern, count: log.count) : .quiet(last.pattern, count: log.count)
        }
    }
}

extension WatchStatus {
    /// Why the phone cannot be reached; nil where it can.
    var absence: Absence? {
        switch link {
        case .reachable, .connecting: nil
        case .down: control.linkFault != .open ? .cut : control.isPaused ? .paused : .noPhone
        }
    }

    /// A notice of the battery, unless it is full and on no charger.
    var batteryWords: [String] { battery.notices }
}

extension BatteryState? {
    /// A notice of the battery, unless it is full and on no charger.
    var notices: [String] { [self].compactMap(\.self).filter { $0 != .full }.map(\.words) }
}

extension TapMark {
    /// What it is called beside the watch.
    var title: String {
        switch self {
        case .settled: "gone"
        case .touch, .handled, .updated, .durable, .sent, .committed, .acknowledged: label
        }
    }
}

extension Microseconds {
    /// The length in milliseconds with three significant digits: `0.4`, `14.2`, `310`, `12 s`.
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
