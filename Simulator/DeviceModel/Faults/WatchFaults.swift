import Watch
import WatchLink

/// The charge of the battery.
public enum Supply: String, Sendable, Codable, CaseIterable {
    case sufficient = "charged"
    /// Almost empty: the voltage is just above the limit at which the processor resets.
    ///
    /// The board does not start the haptic driver: the actuator takes more current than everything else together and would pull
    /// the voltage below the limit. Every flash operation takes the datasheet's time for the lowest
    /// supply. Panel, touch, radio and taps work as usual.
    case low
}

/// Which duration of the datasheet a flash operation takes.
public enum FlashPace: String, Sendable, Codable, CaseIterable {
    case typical
    /// The longest: for a chip at the end of its life, cold, at the lowest supply.
    case maximum
}

/// The faults of a watch, its radio link and its phone.
public struct WatchFaults: Sendable, Equatable {
    /// Whether phone and watch can reach each other.
    public enum Link: Sendable, Equatable {
        case open
        /// Their channel is closed, and neither can open one.
        case cut
        case cutUntil(Instant)
    }

    /// The share of lost packets, each counted with its answer, 0 to 1. A lost packet closes its connection event and is sent
    /// again in the next, so a loss costs time but no data. At 1 the link dies after the supervision timeout.
    public var loss: Double
    /// The longest additional delay of a datagram; delays are evenly distributed.
    public var jitter: Microseconds
    /// Whether phone and watch can reach each other.
    public var link = Link.open
    /// The additional time of every transaction of the phone's database, which also delays its answers.
    public var phone: Microseconds
    /// The duration of flash operations while the supply is sufficient: typical or maximum.
    public var flash: FlashPace
    /// The charge of the battery.
    public var supply: Supply

    /// An open link with these faults; none by default.
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

    package var words: [String] { Fault.allCases.compactMap { $0.declaration.notice(self) } }

    var percentLost: Int { Int((loss * 100).rounded()) }

    /// `.maximum` with a low supply.
    var flashPace: FlashPace {
        switch supply {
        case .sufficient: flash
        case .low: .maximum
        }
    }
}

/// A change of the faults.
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
    /// `now` is on the watch's clock.
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

/// The faults of a running watch. Any thread may change them. The board and its `LinkedRadio` read them at every operation.
public final class FaultSwitches: Sendable {
    private let state = ObservedValue(WatchFaults())

    /// Switches without an active fault.
    public init() {}

    /// The active faults.
    public internal(set) var faults: WatchFaults {
        get { state.value }
        set { state.changeSilently { $0 = newValue } }
    }

    /// Makes `change` at `now` on the watch's clock.
    public func make(_ change: FaultChange, at now: Instant) {
        state.change { $0.make(change, at: now) }
    }

    func set(_ faults: WatchFaults) { state.change { $0 = faults } }

    /// Calls `observer` after every change, on the thread that made the change.
    package func observe(_ observer: @escaping @Sendable () -> Void) { state.observe(observer) }

    /// Opens the link if its timed cut has ended by `now`.
    func reopen(at now: Instant) {
        state.changeSilently { faults in
            if case .cutUntil(let end) = faults.link, end <= now { faults.link = .open }
        }
    }
}
