import WatchLink

/// What the flash chip takes.
public struct FlashCost: Sendable, Equatable {
    /// A length that a datasheet gives twice.
    public struct Length: Sendable, Equatable {
        /// What is typical.
        public var typical: Microseconds
        /// What it may take at most: of a chip at the end of its life, cold, at the lowest supply.
        public var maximum: Microseconds

        /// Both lengths.
        public init(typical: Microseconds, maximum: Microseconds) {
            self.typical = typical
            self.maximum = maximum
        }
    }

    /// Which of the two lengths every operation takes.
    public enum Pace: Sendable, Equatable {
        /// The typical one.
        case typical
        /// The longest: a fault to be tried, not a profile.
        case maximum
    }

    /// Programming bytes within one page.
    public var pageProgram: Length
    /// Erasing one sector.
    public var sectorErase: Length

    /// A chip of these lengths.
    public init(pageProgram: Length, sectorErase: Length) {
        self.pageProgram = pageProgram
        self.sectorErase = sectorErase
    }
}

extension FlashCost.Length {
    /// The length at a pace.
    public func at(_ pace: FlashCost.Pace) -> Microseconds {
        switch pace {
        case .typical: typical
        case .maximum: maximum
        }
    }
}
