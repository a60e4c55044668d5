/// A load that a pin switches on and off, and the time for which it was on.
package struct SwitchedLoad: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        case off
        case on(since: UInt64)
    }

    package private(set) var state = State.off
    /// How many cycles the load was on, up to the last time that it was switched off.
    private var finished: UInt64 = 0

    package func cyclesOn(at cycle: UInt64) -> UInt64 {
        switch state {
        case .off: finished
        case .on(let start): finished + cycle - start
        }
    }

    /// Switches the load. Returns false if it was already in that state.
    mutating func set(on: Bool, at cycle: UInt64) -> Bool {
        switch (state, on) {
        case (.off, false), (.on, true): return false
        case (.off, true): state = .on(since: cycle)
        case (.on(let start), false):
            finished += cycle - start
            state = .off
        }
        return true
    }
}

package struct Motor: Sendable {
    package enum Edge: Equatable, Sendable {
        case started(at: UInt64)
        case stopped(at: UInt64)
    }

    package private(set) var load = SwitchedLoad()
    private var edges: [Edge] = []

    package mutating func takeEdges() -> [Edge] {
        defer { edges = [] }
        return edges
    }

    mutating func set(on: Bool, at cycle: UInt64) {
        if load.set(on: on, at: cycle) { edges.append(on ? .started(at: cycle) : .stopped(at: cycle)) }
    }
}

/// The PineTime's backlight. Its three lines add 1, 2 and 4 to the level.
package struct Backlight: Sendable {
    package private(set) var lines = [SwitchedLoad](repeating: SwitchedLoad(), count: 3)

    /// The present level, from 0 to 7. If firmware dims with fast pulses, compute the mean level from `cyclesOn` of each line.
    package var level: Int { lines.indices.reduce(0) { lines[$1].state == .off ? $0 : $0 + 1 << $1 } }

    mutating func set(_ outputs: PinOutputs, at cycle: UInt64) {
        for (line, pin) in BoardPin.backlight.enumerated() { _ = lines[line].set(on: outputs.isLow(pin), at: cycle) }
    }
}

/// A lithium-polymer cell and its charger.
package struct Battery: Equatable, Sendable {
    package private(set) var percent = 100
    package var charger = Charger.unplugged

    /// The discharge curve: pairs of percent and millivolts, with straight lines between them. Assumed: InfiniTime's curve fits
    /// the PineTime's cell, and the charger does not raise the voltage.
    private static let curve = [(0, 3_500), (3, 3_616), (22, 3_723), (48, 3_776), (79, 3_979), (100, 4_180)]

    package var millivolts: Int {
        let next = max(1, Battery.curve.firstIndex { percent <= $0.0 } ?? 0)
        let (low, high) = (Battery.curve[next - 1], Battery.curve[next])
        return low.1 + (high.1 - low.1) * (percent - low.0) / (high.0 - low.0)
    }

    mutating func set(percent: Int) throws(EmulatorError) {
        guard (0...100).contains(percent) else { throw .charge(percent) }
        self.percent = percent
    }
}

/// A crown with two contacts in quadrature. In one period, which is one detent, each contact closes and opens once. If the
/// crown turns towards later rows of a list, contact A is a quarter of a period ahead of B. Otherwise B is ahead.
///
/// Assumed: a turning crown takes 8 ms for a period.
struct Crown: Sendable {
    private enum Motion: Equatable {
        case still
        /// The crown still has to turn this number of quarter periods, backwards if negative. It turns the next quarter at
        /// cycle `next`.
        case turning(quarters: Int, next: UInt64)
    }

    private static let quarter = UInt64.milliseconds(2)
    private var motion = Motion.still
    private var phase = 0

    /// True for each contact that is open. The pin of an open contact is high.
    var contacts: (a: Bool, b: Bool) { (phase == 0 || phase == 3, phase < 2) }

    var due: UInt64 {
        switch motion {
        case .still: .max
        case .turning(_, let next): next
        }
    }

    mutating func turn(detents: Int, at cycle: UInt64) {
        var quarters = min(max(detents, -1_000), 1_000) * 4
        var next = cycle + Crown.quarter
        if case .turning(let earlier, let due) = motion { (quarters, next) = (quarters + earlier, due) }
        motion = quarters == 0 ? .still : .turning(quarters: quarters, next: next)
    }

    mutating func advance(to cycle: UInt64) {
        while case .turning(let quarters, let next) = motion, next <= cycle {
            let step = quarters.signum()
            phase = (phase + step) & 3
            motion = quarters == step ? .still : .turning(quarters: quarters - step, next: next + Crown.quarter)
        }
    }
}
