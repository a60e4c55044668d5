import Watch

/// A stage that is slow on purpose. It sorts 128 numbers 2,000 times, and does not show the result.
public struct SortedForever: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "sorted forever" }

    /// Sorts by insertion. The numbers are the same on each tap.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        var lowest: UInt32 = 0
        for round in 0..<2_000 { lowest &+= sort(seed: UInt32(truncatingIfNeeded: round)) }
        if lowest == 1 { watch.board.play(.failure) }
    }

    @inline(never)
    private static func sort(seed: UInt32) -> UInt32 {
        var numbers = InlineArray<128, UInt32>(repeating: 0)
        var state = seed &* 2_654_435_761 | 1
        for index in 0..<128 {
            state ^= state &<< 13
            state ^= state &>> 17
            state ^= state &<< 5
            numbers[index] = state
        }
        for index in 1..<128 {
            let number = numbers[index]
            var place = index
            while place > 0, numbers[place - 1] > number {
                numbers[place] = numbers[place - 1]
                place -= 1
            }
            numbers[place] = number
        }
        return numbers[0]
    }
}

/// A handler that runs `SortedForever` before the panel is updated, while the wearer waits.
public struct SortingHandler: ComposedTapHandler {
    /// The handler has no state.
    public init() {}

    /// The stages of a quick tap, and the slow stage before the update of the panel.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Immediate(SortedForever.self)
        Deferred(PhoneMessage.self)
    }
}
