import FirmwareWatch
import Watch

/// A column of the device model's table: instructions of the parts of a tap on a list of some length.
struct StageColumn: Equatable {
    /// Parts outside of stages, in the table's order.
    var parts: [(name: String, count: Int)]
    /// Stages in the order in which they ran.
    var stages: [(name: String, count: Int)]

    static func == (one: StageColumn, other: StageColumn) -> Bool { one.counts == other.counts }

    /// Every count by its name.
    var counts: [String: Int] {
        Dictionary((parts + stages).map { ($0.name, $0.count) }) { first, _ in first }
    }

    /// Something that happened at a tick.
    private struct Moment {
        enum Event: Equatable {
            case began(String)
            case ended(String)
            case handled
        }

        var event: Event
        var ticks: UInt32
    }

    /// The column that a tap gives.
    init(_ timed: TimedTap) throws {
        let reports = timed.tap.reports
        let moments = StageColumn.moments(reports)
        guard let began = moments.first?.ticks, let handled = moments.last(where: { $0.event == .handled })?.ticks,
            let shown = reports.lazy.compactMap(StageColumn.screenTicks).first
        else { throw HarnessFailure("the tap reports no stage, no mark or no change of the screen") }
        let run = try LineRun(in: reports)
        let full = try LineRun(in: timed.removal.reports)
        func count(_ start: UInt32, _ end: UInt32) -> Double { MachineTime.instructions(ticks: end &- start) }
        // What the board does instead of a DMA engine and a bus is in none of these: its timer stands meanwhile.
        let line = count(full.first, full.last) / Double(full.lines - 1)
        let flush = count(handled, run.first) - line
        let pairs = zip(moments, moments.dropFirst())
        let lengths = pairs.map { (from: $0.event, to: $1.event, count: count($0.ticks, $1.ticks)) }
        stages = lengths.compactMap { length in
            guard case .began(let name) = length.from, length.to == .ended(name) else { return nil }
            return (name, StageColumn.rounded(length.count))
        }
        let between = lengths.first { if case .ended = $0.from { true } else { false } }?.count ?? 0
        // All lines are drawn before the first of them is sent, and sent in several runs.
        let drawn = (count(timed.removal.ticks, full.first) - flush - line) / Double(timed.removedLines)
        let values = [
            ("touch", count(timed.tap.ticks, began)), ("between", between), ("flush", flush), ("line", line),
            ("meanwhile", count(run.last, run.awaited)), ("shown", count(run.awaited, shown)), ("drawnLine", drawn),
        ]
        parts = values.map { ($0.0, StageColumn.rounded($0.1)) }
    }

    /// The columns that the text of a table holds.
    static func columns(in text: String) -> [StageColumn] {
        text.split(separator: "InstructionTable(").dropFirst().map { table in
            let end = table.firstRange(of: "])")?.lowerBound ?? table.endIndex
            let counts = table[..<end].matches(of: #/"?([A-Za-z][A-Za-z -]*)"?: (\d+)/#).map {
                (name: String($0.1), count: Int($0.2) ?? 0)
            }
            return StageColumn(parts: counts, stages: [])
        }
    }

    private init(parts: [(name: String, count: Int)], stages: [(name: String, count: Int)]) {
        (self.parts, self.stages) = (parts, stages)
    }

    private static func rounded(_ value: Double) -> Int { Int(value.rounded(.toNearestOrEven)) }

    private static func screenTicks(_ report: FirmwareReport) -> UInt32? {
        guard case .screenChanged(_, let ticks) = report else { return nil }
        return ticks
    }

    /// Where stages begin and end, and where the handler ends, in the order of time.
    private static func moments(_ reports: [FirmwareReport]) -> [Moment] {
        let moments = reports.compactMap { report -> Moment? in
            switch report {
            case .stageBegan(let name, _, _, let ticks): Moment(event: .began(name), ticks: ticks)
            case .stageEnded(let name, _, _, let ticks): Moment(event: .ended(name), ticks: ticks)
            case .mark(.handled, _, _, let ticks): Moment(event: .handled, ticks: ticks)
            case .mark, .haptic, .screenChanged, .journalFailed, .idle, .described, .memory, .ready, .pairing, .lines:
                nil
            }
        }
        return moments.sorted { $0.ticks < $1.ticks }
    }
}
