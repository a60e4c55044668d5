import DeviceModel
import Emulator
import Watch

/// The mean instructions and cycles of each part and stage of a tap, for a list of one length. The emulator counts them
/// while it executes taps.
package struct CountColumn: Sendable, Equatable {
    package private(set) var table: CountTable
    private let order: [String]

    package typealias Row = (part: String, count: CodeCount)

    package var stages: [Row] { order.compactMap { name in table.stages[name].map { (name, $0) } } }

    package var rows: [Row] { TapPart.allCases.map { ($0.rawValue, table[$0]) } + stages }

    /// - Parameter items: the number of items on the phone. The watch stores the first 128 of them.
    /// - Throws: `.image` if a part of a tap (`TapPart`) never ran.
    package init(_ image: LabImage, items: Int, taps: Int) throws(TapLatencyError) {
        let conditions = Conditions(
            items: min(items, WatchLimits.items), taps: taps, database: items,
            processor: .executed(image))
        try conditions.check()
        let handler = try ExecutedHandler(image, named: OwnHandler.shipping.rawValue)
        let bench = try TapBench.make(handler, under: conditions, recordsEvents: true)
        for _ in 0..<taps { _ = try bench.tap() }
        // The crown opens the face, and then the list again.
        for _ in 0..<4 {
            _ = bench.bench.watch.send(.press(.crown))
            bench.rest()
        }
        try self.init(bench.recordedEvents)
    }

    package init(_ events: [CountedEvent]) throws(TapLatencyError) {
        var parts = TapParts()
        for event in events { parts.enter(event) }
        func mean(_ sum: TapParts.Sum?, _ name: String) throws(TapLatencyError) -> CodeCount {
            guard let sum, sum.times > 0 else { throw .image("no tap that was executed has the part '\(name)'") }
            return sum.count / sum.times
        }
        var means: [TapPart: CodeCount] = [:]
        for part in TapPart.allCases { means[part] = try mean(parts.sums[part], part.rawValue) }
        order = parts.stages
        var counts: [String: CodeCount] = [:]
        for name in parts.stages { counts[name] = try mean(parts.stageSums[name], name) }
        table = CountTable(parts: means, stages: counts)
        // These counts go from the end of a wait to the first line. They include other parts, which the board charges
        // separately.
        table.parts[.removal] = table[.removal] - table[.flush]
        table.parts[.news] = table[.news] - table[.flush] - table[.datagram]
    }
}

/// Sums the instructions and cycles of each part of a tap. A part is the code between two events of the image's trace.
struct TapParts {
    typealias Sum = (count: CodeCount, times: Int)

    private enum Place {
        case outside
        /// The tap's touch has happened, and the handler's first stage has not begun.
        case touched
        case between(ended: CodeCount)
        case updating
        /// The panel shows the row struck through, and the row is not removed yet.
        case settling
    }

    private enum Run {
        case none
        case sending(since: CodeCount)
        case finishing(since: CodeCount)
    }

    private(set) var sums: [TapPart: Sum] = [:]
    private(set) var stageSums: [String: Sum] = [:]
    private(set) var stages: [String] = []
    private var place = Place.outside
    private var run = Run.none
    private var spent = CodeCount.zero
    private var idle = CodeCount.zero
    /// The value of `spent` when the current step of the watch's main loop began.
    private var woken = CodeCount.zero
    private var stageBegan = CodeCount.zero
    private var handled = CodeCount.zero
    /// Why the watch draws the next lines, for example because of a stage or an input. It changes by the same rules as on the
    /// simulated board.
    private var drawing = DrawnLines.screen
    private var datagrams = 0

    private mutating func add(_ count: CodeCount, _ times: Int = 1, to part: TapPart) {
        let sum = sums[part, default: (.zero, 0)]
        sums[part] = (sum.count + count, sum.times + times)
    }

    mutating func enter(_ event: CountedEvent) {
        spent = spent + event.count
        switch event.event {
        case nil: wait()
        case .input: drawing.follow(.input)
        case .datagram:
            datagrams += 1
            drawing.follow(.datagram)
        case .mark(let mark, _, _): reach(mark)
        case .stageBegan(let name, _): begin(name)
        case .stageEnded(let name, _): end(name)
        case .beginLines: beginRun()
        case .line: sendLine()
        case .finishLines: finishRun()
        case .stepping: woken = spent
        case .shownLines, .screenChanged, .moment, .journalFailed, .messageWork, .haptic, .started, .stepped,
            .described, .handler, .name, .named:
            break
        }
    }

    private mutating func wait() {
        switch drawing {
        case .news: add(spent - idle, datagrams, to: .datagram)
        case .removal: add(spent - idle, to: .wake)
        // If a stage or an input also drew, the code for the datagrams alone is unknown.
        case .stages, .screen, .before: break
        }
        drawing.follow(.waits)
        (idle, datagrams) = (spent, 0)
    }

    private mutating func reach(_ mark: TapMark) {
        switch (mark, place) {
        case (.touch, _): place = .touched
        case (.handled, .between(let ended)):
            add(spent - ended, to: .between)
            beginUpdate()
        case (.handled, _): beginUpdate()
        case (.updated, _):
            if case .finishing(let since) = run { add(spent - since, to: .shown) }
            place = .settling
        case (.settled, _): place = .outside
        case (.durable, _), (.sent, _), (.committed, _), (.acknowledged, _): break
        }
    }

    private mutating func beginUpdate() {
        place = .updating
        handled = spent
        drawing.follow(.stage)
    }

    private mutating func begin(_ name: String) {
        switch place {
        case .touched: add(spent - woken, to: .touch)
        case .between(let ended): add(spent - ended, to: .between)
        case .outside, .updating, .settling: break
        }
        stageBegan = spent
        if !stages.contains(name) { stages.append(name) }
    }

    private mutating func end(_ name: String) {
        let sum = stageSums[name, default: (.zero, 0)]
        stageSums[name] = (sum.count + spent - stageBegan, sum.times + 1)
        drawing.follow(.stage)
        switch place {
        case .touched, .between: place = .between(ended: spent)
        case .outside, .updating, .settling: break
        }
    }

    private mutating func beginRun() {
        run = .sending(since: spent)
        if isUpdating { add(spent - handled, to: .flush) }
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
        drawing.follow(.sent)
    }

    /// Whether lines that are sent now belong to the update of the tapped row.
    private var isUpdating: Bool {
        if case .updating = place { true } else { false }
    }

    private var isSettling: Bool {
        if case .settling = place { true } else { false }
    }
}
