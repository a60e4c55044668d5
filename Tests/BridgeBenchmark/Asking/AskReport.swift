import BenchmarkFigures
import Foundation
import Histogram

/// What was measured.
struct AskReport: Encodable {
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

    /// What was measured on some cores.
    struct Table: Encodable {
        let cores: Cores
        let rows: [Row]
    }

    let turns: Int
    let tables: [Table]

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// A table for each choice of cores.
    var text: String {
        tables.map { table in
            let columns = "      p50      p99   p50 / raw, median of \(turns) turns (least to most)"
            return (["20 bytes and their answer, us, \(table.cores.title)".padded + columns] + table.rows.map(\.text))
                .joined(separator: "\n")
        }.joined(separator: "\n")
    }
}

extension AskReport.Table {
    /// The table of every way's turns; the raw way comes first.
    init(_ cores: Cores, _ ways: [(Way, [RoundTrips])]) {
        let raw = ways[0].1.map(\.median)
        self.cores = cores
        rows = ways.map { way, turns in
            var all = turns[0].times
            for turn in turns.dropFirst() { all.add(turn.times) }
            let ratios = Spread(zip(turns, raw).map { $0.median / $1 })
            return AskReport.Row(
                way: way, count: all.totalCount, p50: Double(all.valueAtPercentile(50)) / 1_000,
                p99: Double(all.valueAtPercentile(99)) / 1_000,
                ratio: AskReport.Ratio(median: ratios.median, least: ratios.least, most: ratios.most))
        }
    }
}

extension AskReport.Row {
    fileprivate var text: String {
        "  \(way.title)".padded + String(format: " %8.1f %8.1f   ", p50, p99)
            + Spread([ratio.least, ratio.median, ratio.most]).text(digits: 2)
    }
}

extension String {
    /// At the beginning of a row.
    fileprivate var padded: String { padding(toLength: 58, withPad: " ", startingAt: 0) }
}
