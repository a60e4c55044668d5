import WatchLink

extension Session {
    /// The frame that is due, nil where the next action is another.
    mutating func dueFrame(at now: Instant) -> ControlFrame? {
        guard case .transmit(let request) = next(at: now) else { return nil }
        return frame(for: request)
    }
}
