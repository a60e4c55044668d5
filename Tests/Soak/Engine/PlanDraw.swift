import WatchLink

struct PlanDraw {
    struct Rhythm {
        let events: Range<Int>
        /// The percentage of faults in a plan that has any.
        let faultShare: Int
        /// Equally likely ranges for the pause between two events, in milliseconds.
        let pauses: [Range<Int>]
    }

    private var random: SplitMix64

    /// - Parameter stream: the numbers of each are far from those of the others, and from those of neighbouring seeds.
    init(seed: UInt64, stream: (factor: UInt64, offset: UInt64)) {
        random = SplitMix64(seed: seed &* stream.factor &+ stream.offset)
    }

    mutating func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    mutating func number(in range: Range<Int>) -> Int { range.lowerBound + number(range.count) }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(values.count)] }

    /// Draws when a program is killed: at once in one case of four, otherwise at a write.
    mutating func killPoint(writes: Int) -> KillPoint { number(4) == 0 ? .now : .write(after: number(writes)) }

    /// The faults of a plan, so that some plans have much of one: none in one plan of eight. A kind may come up to `weight` times.
    mutating func faults(_ kinds: [Fault], most: Int, weight: Int = 1) -> [Fault] {
        guard number(8) > 0 else { return [] }
        return (0..<1 + number(most)).flatMap { _ in
            let kind = pick(kinds)
            return [Fault](repeating: kind, count: weight > 1 ? 1 + number(weight) : 1)
        }
    }

    /// The events of a plan from `start` on. A `sequel` often follows an event, after a pause.
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
