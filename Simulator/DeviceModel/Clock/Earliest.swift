import WatchLink

/// The earlier of two times, of which either may be missing.
@inlinable package func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one else { return other }
    guard let other else { return one }
    return min(one, other)
}
