import Synchronization
import WatchLink

/// What a board was charged, one charge after the other: what a trace is drawn from.
public final class ChargeLog: Sendable {
    /// A length of time that went to one part.
    public struct Charge: Sendable, Equatable {
        /// The part.
        public var part: BoardPart
        /// When it began.
        public var began: Instant
        /// How long it was.
        public var length: Microseconds
    }

    private let entries = Mutex<[Charge]>([])

    /// No charges.
    public init() {}

    /// The charges, in the order of time. One that follows another of the same part at once is added to it.
    public var charges: [Charge] { entries.withLock { $0 } }

    func enter(_ path: WritableKeyPath<TimeSpent, Microseconds>, from began: Instant, _ length: Microseconds) {
        guard let part = BoardPart.allCases.first(where: { $0.path == path }) else { return }
        entries.withLock { entries in
            if let last = entries.last, last.part == part, last.began + last.length == began {
                entries[entries.count - 1].length = last.length + length
            } else {
                entries.append(Charge(part: part, began: began, length: length))
            }
        }
    }
}

/// A part of a board that takes time.
public enum BoardPart: String, Sendable, CaseIterable {
    /// The processor.
    case processor
    /// The panel.
    case panel
    /// The flash chip.
    case flash
    /// The haptic driver.
    case haptic

    fileprivate var path: WritableKeyPath<TimeSpent, Microseconds> {
        switch self {
        case .processor: \.processor
        case .panel: \.panel
        case .flash: \.flash
        case .haptic: \.haptic
        }
    }
}
