import BenchmarkFigures
import Foundation
import Glibc

/// A table of what was measured.
struct Figures {
    let title: String
    private(set) var rows: [(name: String, text: String)] = []

    init(_ title: String) { self.title = title }

    mutating func add(_ name: String, _ text: String) { rows.append((name, text)) }

    /// A figure of every turn: the median, and the least and the most.
    mutating func add(_ name: String, _ values: [Double], digits: Int = 0, _ unit: String) {
        add(name, Spread(values).text(digits: digits) + " " + unit)
    }

    var text: String {
        ([title] + rows.map { "  " + $0.name.padding(toLength: 62, withPad: " ", startingAt: 0) + $0.text })
            .joined(separator: "\n")
    }
}

/// Nanoseconds of the clock that goes on steadily.
func steadyNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
