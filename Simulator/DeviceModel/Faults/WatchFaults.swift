import Watch
import WatchLink

/// The state of the battery: charged or almost empty.
public enum Supply: String, Sendable, Codable, CaseIterable {
    case sufficient = "charged"
    /// The battery is almost empty. Its voltage is just above the limit at which the processor resets.
    ///
    /// The board plays no haptic patterns, because the actuator takes more current than everything else together, and would
    /// pull the voltage below that limit. Each flash operation takes the time of `FlashPace.maximum`. Panel, touch, radio and
    /// taps work as usual.
    case low
}

/// Which of the datasheet's durations a flash operation takes.
public enum FlashPace: String, Sendable, Codable, CaseIterable {
    case typical
    /// The maximum duration. The datasheet gives it for a cold chip at the end of its life, at the lowest supply voltage.
    case maximum
}

/// The active faults of a watch, its radio link and its phone.
public struct WatchFaults: Sendable, Equatable {
    /// The state of the link between the phone and the watch: open or cut.
    public enum Link: Sendable, Equatable {
        case open
        /// The channel is closed, and neither side can open a new channel.
        case cut
        /// Like `cut`, but only until this time on the watch's clock.
        case cutUntil(Instant)
    }

    /// The probability, 0 to 1, that a packet or its answer is lost. A lost packet ends the connection event, and is sent again
    /// in the next event. Losses cost time but no data. At 1, the link ends after the supervision timeout.
    public var loss: Double
    /// The maximum additional delay of a datagram. The delays are random, with a uniform distribution from 0 to this value.
    public var jitter: Microseconds
    /// The state of the link between the phone and the watch: open or cut.
    public var link = Link.open
    /// How much longer each transaction in the phone's database takes, which delays the phone's answers.
    public var phone: Microseconds
    /// The duration of flash operations while the supply is sufficient. While the supply is low, flash operations take the
    /// maximum duration.
    public var flash: FlashPace
    /// The state of the battery: charged or almost empty.
    public var supply: Supply

    /// Creates faults with an open link. By default, no fault is active.
    public init(
        loss: Double = 0, jitter: Microseconds = .zero, phone: Microseconds = .zero,
        flash: FlashPace = .typical, supply: Supply = .sufficient
    ) {
        self.loss = loss
        self.jitter = jitter
        self.phone = phone
        self.flash = flash
        self.supply = supply
    }

    package var isNone: Bool { self == WatchFaults() }

    package var words: [String] { Fault.all.compactMap { $0.notice(self) } }

    var percentLost: Int { Int((loss * 100).rounded()) }

    package var flashPace: FlashPace {
        switch supply {
        case .sufficient: flash
        case .low: .maximum
        }
    }
}

/// A change of the active faults.
public enum FaultChange: Sendable, Equatable {
    case loss(percent: Int)
    case cut
    case cutFor(Microseconds)
    case open
    case jitter(Microseconds)
    case phone(Microseconds)
    case flash(FlashPace)
    case battery(Supply)
    case none
}

extension WatchFaults {
    /// Applies a change. A timed cut begins at `now`, a time on the watch's clock.
    package mutating func make(_ change: FaultChange, at now: Instant) {
        switch change {
        case .loss(let percent): loss = Double(percent) / 100
        case .cut: link = .cut
        case .cutFor(let length): link = .cutUntil(now + length)
        case .open: link = .open
        case .jitter(let length): jitter = length
        case .phone(let length): phone = length
        case .flash(let pace): flash = pace
        case .battery(let supply): self.supply = supply
        case .none: self = WatchFaults()
        }
    }
}

/// The active faults of a running watch. Any thread may change them. The board, its radio and a simulated phone read them at
/// every operation.
public final class FaultSwitches: Sendable {
    private let state = ObservedValue(WatchFaults())

    /// Creates switches without an active fault.
    public init() {}

    /// The active faults.
    public internal(set) var faults: WatchFaults {
        get { state.value }
        set { state.changeSilently { $0 = newValue } }
    }

    /// Applies a change. A timed cut begins at `now`, a time on the watch's clock.
    public func make(_ change: FaultChange, at now: Instant) {
        state.change { $0.make(change, at: now) }
    }

    func set(_ faults: WatchFaults) { state.change { $0 = faults } }

    package func observe(_ observer: @escaping @Sendable () -> Void) { state.observe(observer) }

    /// Opens the link if its timed cut is over.
    func reopen(at now: Instant) {
        state.changeSilently { faults in
            if case .cutUntil(let end) = faults.link, end <= now { faults.link = .open }
        }
    }
}
