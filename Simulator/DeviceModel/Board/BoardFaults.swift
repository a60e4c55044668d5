import Synchronization

/// The charge of the battery.
public enum Supply: Sendable, Equatable {
    /// Enough for everything.
    case sufficient
    /// Almost none: the voltage is just above that at which the processor is reset.
    ///
    /// The haptic driver is not started, because its actuator takes more current than everything else together and
    /// would pull the voltage below that limit; a warning is recorded instead. Every flash operation takes the time that
    /// the chip's datasheet gives for the lowest supply. Panel, touch, radio and taps work as usual.
    case low
}

/// The faults of a board. Any thread may change them while the board runs.
public final class BoardFaults: Sendable {
    private struct State {
        var pace = FlashCost.Pace.typical
        var supply = Supply.sufficient
    }

    private let state = Mutex(State())

    /// No faults.
    public init() {}

    /// The duration of flash operations while the supply is sufficient: typical or maximum.
    public var flashPace: FlashCost.Pace {
        get { state.withLock { $0.pace } }
        set { state.withLock { $0.pace = newValue } }
    }

    /// The charge of the battery.
    public var supply: Supply {
        get { state.withLock { $0.supply } }
        set { state.withLock { $0.supply = newValue } }
    }

    /// The present duration of flash operations: a low supply makes it the maximum.
    var presentFlashPace: FlashCost.Pace {
        state.withLock { state in
            switch state.supply {
            case .sufficient: state.pace
            case .low: .maximum
            }
        }
    }
}
