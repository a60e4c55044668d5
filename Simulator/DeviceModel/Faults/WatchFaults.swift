import Watch
import WatchLink

/// The faults of a watch, its radio link and its phone.
public struct WatchFaults: Sendable, Equatable {
    /// Whether phone and watch can reach each other at all.
    public enum Link: Sendable, Equatable {
        /// They can.
        case open
        /// They cannot: a channel is closed, and none is opened.
        case cut
        /// They cannot until this time of the watch's.
        case cutUntil(Instant)
    }

    /// The percentage of lost connection events, 0 to 100. The link layer sends again, so a loss costs time and no
    /// data; at 100 the link dies after the supervision timeout.
    public var loss = 0
    /// The longest additional delay of a datagram; delays are evenly distributed.
    public var jitter = Microseconds.zero
    /// Whether the two can reach each other.
    public var link = Link.open
    /// The additional delay of the phone's answers.
    public var phone = Microseconds.zero
    /// The duration of flash operations: typical or maximum.
    public var flash = FlashCost.Pace.typical
    /// The charge of the battery.
    public var supply = Supply.sufficient

    /// No faults.
    public init() {}

    /// The faults of the radio link.
    var radioLink: RadioFaults { RadioFaults(loss: Double(loss) / 100, jitter: jitter) }

    /// Whether no fault is active.
    public var isNone: Bool { self == WatchFaults() }

    /// A notice for each active fault.
    public var words: [String] { Fault.allCases.compactMap { $0.declaration.notice(self) } }
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
    case flash(FlashCost.Pace)
    /// `fault battery charged|low`.
    case battery(Supply)
    /// `fault none`: ends every fault.
    case none
}

extension WatchFaults {
    /// Makes `change`, at `now` on the watch's clock.
    public mutating func make(_ change: FaultChange, at now: Instant) {
        switch change {
        case .loss(let percent): loss = percent
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
