import WatchLink

/// What the run loop is to do after a step.
public enum NextStep: Sendable, Equatable, BitwiseCopyable {
    /// There is more to do: call `step` again at once.
    case again
    /// There is nothing to do until something happens or the given time comes.
    case idle(until: Instant?)
}
