import Synchronization

/// What is wrong with a board, to be changed from any thread while it runs.
public final class BoardFaults: Sendable {
    private let pace = Mutex(FlashCost.Pace.typical)
    private let condition = Mutex(BatteryCondition.charged)

    /// Nothing.
    public init() {}

    /// Which of its two lengths every operation of the flash chip takes from now on.
    public var flashPace: FlashCost.Pace {
        get { pace.withLock { $0 } }
        set { pace.withLock { $0 = newValue } }
    }

    /// How the battery is from now on.
    public var battery: BatteryCondition {
        get { condition.withLock { $0 } }
        set { condition.withLock { $0 = newValue } }
    }
}
