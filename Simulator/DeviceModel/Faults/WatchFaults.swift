import Watch
import WatchLink

/// What is wrong with a watch, its radio link and its phone.
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

    /// Percent of the connection events in which the two do not hear each other, 0 to 100. The link layer sends again,
    /// so a loss costs time and no data; of 100 the link dies when the supervision timeout is over.
    public var loss = 0
    /// The most by which a datagram is late on top, evenly distributed.
    public var jitter = Microseconds.zero
    /// Whether the two can reach each other.
    public var link = Link.open
    /// How long the phone's database makes the watch wait for what the phone says to a message.
    public var phone = Microseconds.zero
    /// Which of its two lengths every operation of the flash chip takes.
    public var flash = FlashCost.Pace.typical
    /// How much is left in the battery.
    public var supply = Supply.sufficient

    /// Nothing.
    public init() {}

    /// What of it is wrong with the radio link.
    var radioLink: RadioFaults { RadioFaults(loss: Double(loss) / 100, jitter: jitter) }

    /// Whether anything is wrong.
    public var isNone: Bool { self == WatchFaults() }

    /// What is wrong, each in a few words; nothing where nothing is.
    public var words: [String] { Fault.allCases.compactMap { $0.declaration.notice(self) } }
}

/// A change to what is wrong.
public enum FaultChange: Sendable, Equatable {
    /// `fault loss PERCENT`.
    case loss(percent: Int)
    /// `fault cut`: until `fault open`.
    case cut
    /// `fault cut 5s`: for so long.
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
    /// `fault none`: nothing is wrong any more.
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
