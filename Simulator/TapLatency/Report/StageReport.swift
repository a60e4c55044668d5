/// Where a stage is placed in a handler.
public enum StagePlacement: String, Sendable, Codable {
    /// In the handler itself: the panel is updated after it.
    case immediate
    /// After the panel is updated.
    case deferred
}

/// One stage of a handler, as it was measured.
public struct StageReport: Sendable, Codable, Equatable {
    /// The stage's own name.
    public var name: String
    /// Whether the wearer waits for it.
    public var placement: StagePlacement
    /// What it took, over the taps.
    public var time: Distribution
    /// What the mean tap spent in it, split into kinds.
    public var mean: TimeKinds
}
