import Glibc

/// Times on an axis on which each step is ten times the one before, from one whole power of ten to another.
struct LogAxis: Equatable, Sendable {
    /// The time at the left end, in microseconds.
    let lowest: Double
    /// The time at the right end.
    let highest: Double

    /// An axis that has all of these times on it, as far as they are above 0; of none it is one from 0.1 ms to 10 s.
    init(covering times: [UInt64]) {
        let positive = times.filter { $0 > 0 }.map { Double($0) }
        guard let least = positive.min(), let most = positive.max() else {
            lowest = 100
            highest = 10_000_000
            return
        }
        var low = 1.0
        while low * 10 <= least { low *= 10 }
        var high = low * 10
        while high < most { high *= 10 }
        lowest = low
        highest = high
    }

    /// Where a time is: 0 at the left end, 1 at the right; times beyond an end are at the end.
    func position(_ time: Double) -> Double {
        guard time > lowest else { return 0 }
        return min(1, log10(time / lowest) / log10(highest / lowest))
    }

    /// The powers of ten on it, left to right: at most ten, so that their names have room.
    var ticks: [Double] {
        var powers: [Double] = []
        var power = lowest
        while power <= highest {
            powers.append(power)
            power *= 10
        }
        let stride = (powers.count + 9) / 10
        return powers.enumerated().filter { $0.offset.isMultiple(of: stride) }.map(\.element)
    }
}
