import DeviceModel
import MachineWatch
import Watch

/// A column of the table of counts: the means of taps whose machine code was executed.
package struct CountColumn: Sendable, Equatable {
    package let table: CountTable
    /// The stages' names in the order in which they ran first.
    private let order: [String]

    /// A part's name as the table has it, and what it takes.
    package typealias Row = (part: String, count: CodeCount)

    /// The stages in the order in which they ran first.
    package var stages: [Row] { order.compactMap { name in table.stages[name].map { (name, $0) } } }

    /// What is around the stages, in the order of the table.
    package var parts: [Row] {
        [
            ("touch", table.touch), ("between", table.between), ("flush", table.flush), ("line", table.line),
            ("meanwhile", table.meanwhile), ("shown", table.shown), ("removal", table.removal), ("news", table.news),
            ("drawnLine", table.drawnLine), ("datagram", table.datagram), ("wake", table.wake),
        ]
    }

    /// All of them, those around the stages first.
    package var rows: [Row] { parts + stages }

    /// Counts taps on the shipping handler of an image.
    ///
    /// - Parameters:
    ///   - items: items on the phone; the watch has the first 128 of them.
    ///   - taps: how many taps, 1 to 100,000.
    /// - Throws: which stage does not come to its end; `.image` where the taps lack a part.
    package init(_ image: LabImage, items: Int, taps: Int) throws(TapLatencyError) {
        let conditions = Conditions(
            profile: .memoryLCD, items: min(items, WatchLimits.items), taps: taps, seed: 1, database: items,
            processor: .executed(image))
        try conditions.check(nil)
        let handler = try ExecutedHandler(image, named: OwnHandler.shipping.rawValue)
        let bench = try TapBench.make(handler, under: conditions, recording: .calls([]))
        for _ in 0..<taps { _ = try bench.tap() }
        // To the face, and back to the list.
        for _ in 0..<4 {
            _ = bench.bench.watch.send(.press(.crown))
            bench.rest()
        }
        try self.init(bench.recordedCalls)
    }

    /// Counts the parts of the taps that a program's calls report.
    ///
    /// - Throws: `.image` where they lack a part.
    package init(_ calls: [CountedCall]) throws(TapLatencyError) {
        var parts = TapParts()
        for call in calls { parts.enter(call) }
        func mean(_ part: TapParts.Part, _ name: String) throws(TapLatencyError) -> CodeCount {
            guard let sum = parts.sums[part], sum.times > 0 else {
                throw .image("no tap that was executed has the part '\(name)'")
            }
            return sum.count / sum.times
        }
        order = parts.stages
        var counts: [String: CodeCount] = [:]
        for name in parts.stages { counts[name] = try mean(.stage(name), name) }
        let (flush, datagram) = (try mean(.flush, "flush"), try mean(.datagram, "datagram"))
        // Drawing is counted from the end of a wait to the first line: what is charged by itself goes off.
        table = CountTable(
            touch: try mean(.touch, "touch"), between: try mean(.between, "between"),
            flush: flush, line: try mean(.line, "line"),
            meanwhile: try mean(.meanwhile, "meanwhile"), shown: try mean(.shown, "shown"),
            removal: try mean(.removal, "removal") - flush, news: try mean(.news, "news") - flush - datagram,
            drawnLine: try mean(.drawnLine, "drawn line"), datagram: datagram,
            wake: try mean(.wake, "wake"), stages: counts)
    }
}
