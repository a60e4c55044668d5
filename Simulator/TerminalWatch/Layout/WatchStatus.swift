import DeviceModel
import Watch
import WatchLink

/// The contents of the side panel.
public struct WatchStatus: Equatable, Sendable {
    /// Whether a haptic pattern is being played.
    public enum Haptic: Equatable, Sendable {
        /// None has been played yet.
        case none
        /// The last one is over.
        case quiet(HapticPattern, count: Int)
        /// One is being played.
        case playing(HapticPattern, count: Int)
    }

    /// The controls of the simulation.
    public enum Control: Equatable, Sendable {
        /// The watch has none: it is not simulated.
        case none
        /// The state of its clock, and its faults.
        case some(ClockState, WatchFaults)

        /// A notice for each deviation from a watch at normal speed without faults.
        var words: [String] {
            switch self {
            case .none: []
            case .some(let clock, let faults): (clock.words.map { [$0] } ?? []) + faults.words
            }
        }
    }

    /// The watch's name.
    public var name: String
    /// Whether the phone can be reached.
    public var link: ScreenDescription.Link
    /// Items that are not checked, on the watch and beyond what it holds.
    public var remaining: Int
    /// Items of the list that the watch does not hold.
    public var more: Int
    /// The watch's messages that the phone has not acknowledged.
    public var waiting: Int
    /// Whether the phone has everything.
    public var synchronization: ScreenDescription.Synchronization
    /// The last tap on a row.
    public var lastTap: TapHistory?
    /// The haptic driver.
    public var haptic: Haptic
    /// The controls of the simulation, and their state.
    public var control: Control

    /// The status of a watch that has just been switched on.
    public init(name: String) {
        self.name = name
        link = .down
        remaining = 0
        more = 0
        waiting = 0
        synchronization = .pending
        haptic = .none
        control = .none
    }

    /// The status in a snapshot.
    ///
    /// - Parameters:
    ///   - name: the watch's name.
    ///   - snapshot: the watch.
    ///   - patternsOver: the number of haptic patterns that have ended.
    ///   - control: the controls of the simulation, and their state.
    public init(name: String, snapshot: WatchSnapshot, patternsOver: Int, control: Control = .none) {
        self.init(name: name)
        self.control = control
        link = snapshot.description.link
        remaining = Int(snapshot.description.remaining)
        more = Int(snapshot.description.more)
        waiting = Int(snapshot.description.waitingMessages)
        synchronization = snapshot.description.synchronization
        lastTap = snapshot.taps.last
        let log = snapshot.haptics
        if let last = log.pulses.last {
            haptic =
                log.count > patternsOver
                ? .playing(last.pattern, count: log.count) : .quiet(last.pattern, count: log.count)
        }
    }
}

extension TapMark {
    /// All marks, in the order in which they usually come.
    static let all: [TapMark] = [
        .touch, .handled, .updated, .settled, .durable, .sent, .committed, .acknowledged,
    ]
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
