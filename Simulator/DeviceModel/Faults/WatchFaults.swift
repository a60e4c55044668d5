import Watch
import WatchLink

/// The charge of the battery.
public enum Supply: Sendable, Equatable {
    /// Enough for everything.
    case sufficient
    /// Almost none: the voltage is just above the limit at which the processor is reset.
    ///
    /// The haptic driver is not started, because its actuator takes more current than everything else together and
    /// would pull the voltage below that limit; a warning is recorded instead. Every flash operation takes the time that
    /// the chip's datasheet gives for the lowest supply. Panel, touch, radio and taps work as usual.
    case low
}

/// The duration of flash operations, of the two that a datasheet gives.
public enum FlashPace: Sendable, Equatable {
    /// The typical one.
    case typical
    /// The longest: of a chip at the end of its life, cold, at the lowest supply.
    case maximum
}

/// The faults of a watch, its radio link and its phone.
public struct WatchFaults: Sendable, Equatable {
    /// Whether phone and watch can reach each other at all.
    public enum Link: Sendable, Equatable {
        /// They can.
        case open
        /// They cannot: a channel is closed, and none is opened.
        case cut
        /// They cannot until this time on the watch's clock.
        case cutUntil(Instant)
    }

    /// The share of packets that are lost, of either way with its answer, 0 to 1. A lost one closes its connection event and is
    /// sent again in the next, so a loss costs time and no data; at 1 the link dies after the supervision timeout.
    public var loss: Double
    /// The longest additional delay of a datagram; delays are evenly distributed.
    public var jitter: Microseconds
    /// Whether the two can reach each other.
    public var link = Link.open
    /// The additional time of every transaction of the phone's database, and so the delay of its answers.
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

    /// Whether no fault is active.
    public var isNone: Bool { self == WatchFaults() }

    /// A notice for each active fault.
    package var words: [String] { Fault.allCases.compactMap { $0.declaration.notice(self) } }

    var percentLost: Int { Int((loss * 100).rounded()) }

    /// The duration of flash operations; a low supply makes it the maximum.
    var flashPace: FlashPace {
        switch supply {
        case .sufficient: flash
        case .low: .maximum
        }
    }
}

/// A change of the faults.
public enum FaultChange: Sendable, Equatable {
    /// `fault loss PERCENT`.
    case loss(percent: Int)
    /// `fault cut`: until `fault open`.
    case cut
    /// `fault cut 5s`: for this length of time.
    case cutFor(Microseconds)
    /// `fault open`: the two can reach each other again.
    case open
    /// `fault jitter MILLISECONDS`.
    case jitter(Microseconds)
    /// `fault phone MILLISECONDS`.
    case phone(Microseconds)
    /// `fault flash typical|maximum`.
    case flash(FlashPace)
    /// `fault battery charged|low`.
    case battery(Supply)
    /// `fault none`: ends every fault.
    case none
}

extension WatchFaults {
    /// Makes `change`, at `now` on the watch's clock.
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
