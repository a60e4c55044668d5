import BenchmarkFigures
import Foundation
import Histogram

/// What was measured.
struct Report: Encodable {
    /// The figures of a way, in microseconds.
    struct Row: Encodable {
        let way: Way
        /// Round trips that were timed.
        let count: UInt64
        let p50: Double
        let p99: Double
        /// The median over that of the raw way in the same turn: in the middle of the turns, the least and the most.
        let ratio: Ratio
    }

    struct Ratio: Encodable {
        let median: Double
        let least: Double
        let most: Double
    }

    var turns = 0
    let rows: [Row]

    /// The report of every way's turns; the raw way comes first.
    init(_ ways: [(Way, [RoundTrips])]) {
        let raw = ways[0].1.map(\.median)
        rows = ways.map { way, turns in
            var all = turns[0].times
            for turn in turns.dropFirst() { all.add(turn.times) }
            let ratios = Spread(zip(turns, raw).map { $0.median / $1 })
            return Row(
                way: way, count: all.totalCount, p50: Double(all.valueAtPercentile(50)) / 1_000,
                p99: Double(all.valueAtPercentile(99)) / 1_000,
                ratio: Ratio(median: ratios.median, least: ratios.least, most: ratios.most))
        }
    }

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// A table.
    var text: String {
        let heading =
            "round trip of 20 bytes, us".padded + "      p50      p99   p50 / raw, median of \(turns) (least to most)"
        let lines = rows.map { row in
            let ratio = Spread([row.ratio.least, row.ratio.median, row.ratio.most])
            return "  \(row.way.title)".padded + String(format: " %8.1f %8.1f   ", row.p50, row.p99)
                + ratio.text(digits: 2)
        }
        return ([heading] + lines).joined(separator: "\n")
    }
}

extension String {
    /// At the beginning of a row.
    fileprivate var padded: String { padding(toLength: 42, withPad: " ", startingAt: 0) }
}
