/// A touch of a script of which it is not known yet whether a tap began.
struct PendingTouch {
    /// What was meant by it.
    enum Aim {
        /// A row that has to be checked off: its number, and what was seen to be in the way, nil for nothing.
        case row(Int, obstacle: String?)
        /// Anything, or nothing.
        case anything
    }

    let aim: Aim
    let place: ScriptPlace
    let input: InputNumber

    /// The error for the first of these touches that had to be a tap and was none, by what the watch has begun; nil where
    /// there is none, or where the watch has not handled all of them.
    static func miss(among touches: [PendingTouch], in snapshot: WatchSnapshot) -> ScriptError? {
        guard let last = touches.last, last.input <= snapshot.handled else { return nil }
        let begun = snapshot.output.begunTaps
        return missed(among: touches, begun).first { $0.error != nil }?.error
    }

    /// The touches that began no tap, in their order. Where the watch says only of several inputs together how many taps they
    /// have begun, those that had something in the way come first, then those that may miss, then the latest.
    private static func missed(among touches: [PendingTouch], _ begun: BegunTaps) -> [PendingTouch] {
        var missed: [PendingTouch] = []
        var rest = touches[...]
        while let first = rest.first {
            let (inputs, taps) = begun.inputs(with: first.input)
            let together = rest.prefix { inputs.contains($0.input) }
            rest = rest.dropFirst(together.count)
            let candidates = Array(together.enumerated()).sorted {
                ($0.element.suspicion, $0.offset) > ($1.element.suspicion, $1.offset)
            }
            let misses = candidates.prefix(max(0, together.count - taps)).sorted { $0.offset < $1.offset }
            missed += misses.map(\.element)
        }
        return missed
    }

    /// How likely it is the one of several that missed.
    private var suspicion: Int {
        switch aim {
        case .row(_, obstacle: .some): 2
        case .anything: 1
        case .row(_, obstacle: nil): 0
        }
    }

    private var error: ScriptError? {
        switch aim {
        case .row(let row, let obstacle):
            ScriptError(
                .tapHitNothing(row: row, found: obstacle ?? "a row on which the watch began no tap"), at: place)
        case .anything: nil
        }
    }
}
