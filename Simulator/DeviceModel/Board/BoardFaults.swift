import Synchronization

/// How much is left in the battery, as far as a board feels it.
public enum Supply: Sendable, Equatable {
    /// Enough for everything.
    case sufficient
    /// Nearly nothing: the voltage is just above that at which the processor is reset.
    ///
    /// The haptic driver is not started, because its actuator takes more than everything else together and would pull the voltage
    /// below that limit; instead a warning is recorded. Every operation of the flash chip takes its longest, which is
    /// what its datasheet gives for the lowest supply. Panel, touch and radio work as ever, and so does a tap.
    case low
}

/// What is wrong with a board, to be changed from any thread while it runs.
public final class BoardFaults: Sendable {
    private struct State {
        var pace = FlashCost.Pace.typical
        var supply = Supply.sufficient
    }

    private let state = Mutex(State())

    /// Nothing.
    public init() {}

    /// Which of its two lengths every operation of the flash chip takes from now on, while the supply is sufficient.
    public var flashPace: FlashCost.Pace {
        get { state.withLock { $0.pace } }
        set { state.withLock { $0.pace = newValue } }
    }

    /// How much is left in the battery from now on.
    public var supply: Supply {
        get { state.withLock { $0.supply } }
        set { state.withLock { $0.supply = newValue } }
    }

    /// The pace of the flash chip, with what the supply has to say to it.
    var presentFlashPace: FlashCost.Pace {
        state.withLock { state in
            switch state.supply {
            case .sufficient: state.pace
            case .low: .maximum
            }
        }
    }
}
