import DeviceModel
import Emulator
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
    /// - Throws: which stage does not come to its end; `.image` if the taps lack a part.
    package init(_ image: LabImage, items: Int, taps: Int) throws(TapLatencyError) {
        let conditions = Conditions(
            items: min(items, WatchLimits.items), taps: taps, database: items,
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
    /// - Throws: `.image` if they lack a part.
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

/// Adds up what the parts of taps take, call after call.
struct TapParts {
    enum Part: Hashable {
        case touch, between, flush, line, meanwhile, shown, removal, news, drawnLine, datagram, wake
        case stage(String)
    }

    /// Where a tap is.
    private enum Place {
        /// Before the first tap, or behind the last part of one.
        case apart
        /// From the touch to its first stage.
        case touched
        /// Between the immediate stages, since one has ended.
        case between(ended: CodeCount)
        /// After the last of them, whose picture goes to the panel.
        case updating
        /// After the update, until the row is gone.
        case settling
    }

    /// Where a run of lines is.
    private enum Run {
        case none
        /// Since the run's beginning, or its last line.
        case sending(since: CodeCount)
        case finishing(since: CodeCount)
    }

    private(set) var sums: [Part: (count: CodeCount, times: Int)] = [:]
    /// The stages in the order in which they began first.
    private(set) var stages: [String] = []
    private var place = Place.apart
    private var run = Run.none
    /// All that was spent so far.
    private var spent = CodeCount.zero
    /// When it last waited.
    private var idle = CodeCount.zero
    /// At the last question for the time, which the next mark bears.
    private var now = CodeCount.zero
    private var stageBegan = CodeCount.zero
    /// What has drawn the lines that are sent next, as the board of a watch decides it that is not executed.
    private var drawing = DrawnLines.screen
    /// Datagrams since it last waited.
    private var datagrams = 0

    private mutating func add(_ count: CodeCount, _ times: Int = 1, to part: Part) {
        let sum = sums[part, default: (.zero, 0)]
        sums[part] = (sum.count + count, sum.times + times)
    }

    mutating func enter(_ call: CountedCall) {
        spent = spent + call.count
        switch call.kind {
        case .idle: wait()
        case .now: askTime()
        case .input: drawing.follow(.input)
        case .datagram:
            datagrams += 1
            drawing.follow(.datagram)
        case .mark(let mark, _): reach(mark)
        case .stageBegan(let name): begin(name)
        case .stageEnded(let name): end(name)
        case .beginLines: beginRun()
        case .line: sendLine()
        case .finishLines: finishRun()
        case .other: break
        }
    }

    private mutating func wait() {
        switch drawing {
        case .news: add(spent - idle, datagrams, to: .datagram)
        case .removal: add(spent - idle, to: .wake)
        // If it has drawn, or run a stage, the datagrams' part is not known.
        case .stages, .screen, .before: break
        }
        drawing.follow(.waits)
        (idle, datagrams) = (spent, 0)
    }

    private mutating func askTime() {
        now = spent
        guard case .finishing(let since) = run else { return }
        if isUpdating { add(spent - since, to: .shown) }
        run = .none
        drawing.follow(.sent)
    }

    private mutating func reach(_ mark: TapMark) {
        switch (mark, place) {
        case (.touch, _): place = .touched
        case (.handled, .between(let ended)):
            add(now - ended, to: .between)
            beginUpdate()
        case (.handled, _): beginUpdate()
        case (.updated, _): place = .settling
        case (.settled, _): place = .apart
        case (.durable, _), (.sent, _), (.committed, _), (.acknowledged, _): break
        }
    }

    private mutating func beginUpdate() {
        place = .updating
        drawing.follow(.stage)
    }

    private mutating func begin(_ name: String) {
        switch place {
        case .touched: add(now - idle, to: .touch)
        case .between(let ended): add(now - ended, to: .between)
        case .apart, .updating, .settling: break
        }
        stageBegan = now
        if !stages.contains(name) { stages.append(name) }
    }

    private mutating func end(_ name: String) {
        add(now - stageBegan, to: .stage(name))
        drawing.follow(.stage)
        switch place {
        case .touched, .between: place = .between(ended: now)
        case .apart, .updating, .settling: break
        }
    }

    private mutating func beginRun() {
        run = .sending(since: spent)
        if isUpdating { add(spent - now, to: .flush) }
        switch drawing {
        case .stages, .before: break
        case .removal: if isSettling { add(spent - idle, to: .removal) }
        case .news: add(spent - idle, to: .news)
        case .screen: add(spent - idle, 0, to: .drawnLine)
        }
    }

    private mutating func sendLine() {
        guard case .sending(let since) = run else { return }
        if isUpdating { add(spent - since, to: .line) }
        if drawing == .screen { add(.zero, to: .drawnLine) }
        run = .sending(since: spent)
    }

    private mutating func finishRun() {
        guard case .sending(let since) = run else { return }
        if isUpdating { add(spent - since, to: .meanwhile) }
        run = .finishing(since: spent)
    }

    /// Whether lines that are sent are those of the update, for which the wearer waits.
    private var isUpdating: Bool {
        switch place {
        case .updating: true
        case .apart, .touched, .between, .settling: false
        }
    }

    private var isSettling: Bool {
        switch place {
        case .settling: true
        case .apart, .touched, .between, .updating: false
        }
    }
}
