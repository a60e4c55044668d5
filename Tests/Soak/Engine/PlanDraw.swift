import WatchLink

struct PlanDraw {
    struct Rhythm {
        let events: Range<Int>
        /// The percentage of events that are faults, in a plan with faults.
        let faultShare: Int
        /// Ranges for the pause between two events, in milliseconds. Each range is equally likely.
        let pauses: [Range<Int>]
    }

    private var random: SplitMix64

    /// - Parameter stream: constants that mix the seed. Each kind of draw has its own constants, so that two kinds draw
    ///   different numbers from the same seed.
    init(seed: UInt64, stream: (factor: UInt64, offset: UInt64)) {
        random = SplitMix64(seed: seed &* stream.factor &+ stream.offset)
    }

    mutating func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    mutating func number(in range: Range<Int>) -> Int { range.lowerBound + number(range.count) }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(values.count)] }

    mutating func killPoint(writes: Int) -> KillPoint { number(4) == 0 ? .now : .write(after: number(writes)) }

    /// Draws the faults of a plan. One plan in eight has no faults. Every other plan gets 1 to `most` faults. Each
    /// fault is listed 1 to `weight` times, so that some faults dominate the plan.
    mutating func faults(_ kinds: [Fault], most: Int, weight: Int = 1) -> [Fault] {
        guard number(8) > 0 else { return [] }
        return (0..<1 + number(most)).flatMap { _ in
            let kind = pick(kinds)
            return [Fault](repeating: kind, count: weight > 1 ? 1 + number(weight) : 1)
        }
    }

    /// Draws the events of a plan, with times from `start` on. After each event, `sequel` may add a second event, with
    /// a pause between the two events.
    mutating func events<S: Scenario>(
        of scenario: S.Type, _ rhythm: Rhythm, from start: Int, _ faults: [Fault],
        deed: (inout PlanDraw) -> S.Event, fault: (Fault, inout PlanDraw) -> S.Event,
        sequel: (S.Event, inout PlanDraw) -> (pause: Int, what: S.Event)? = { _, _ in nil }
    ) -> [(at: Int, what: S.Event)] {
        var events: [(at: Int, what: S.Event)] = []
        var time = start
        for _ in 0..<number(in: rhythm.events) {
            let pauses = pick(rhythm.pauses)
            time += number(in: pauses)
            let isDeed = faults.isEmpty || number(100) >= rhythm.faultShare
            let what = isDeed ? deed(&self) : fault(pick(faults), &self)
            events.append((time, what))
            guard let next = sequel(what, &self) else { continue }
            time += next.pause
            events.append((time, next.what))
        }
        return events
    }
}
