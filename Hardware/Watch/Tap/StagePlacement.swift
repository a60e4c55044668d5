/// Where a stage is placed in its handler.
public enum StagePlacement: UInt8, Sendable, BitwiseCopyable {
    /// In the handler itself: the panel is updated after it.
    case immediate = 0
    /// After the panel is updated.
    case deferred = 1
}

/// A stage of a handler, as whoever takes the handler apart sees it.
public struct ListedStage: Sendable, BitwiseCopyable {
    /// `TapStage.name`.
    public var name: StaticString
    /// Where the handler has it.
    public var placement: StagePlacement

    /// A stage called `name`.
    public init(_ name: StaticString, _ placement: StagePlacement) {
        self.name = name
        self.placement = placement
    }
}
