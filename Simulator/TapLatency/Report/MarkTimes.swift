import DeviceModel
import Watch
import WatchLink

/// The marks of a tap in a report. Each time counts from the touch interrupt, which the touch controller raises at its next scan
/// after the finger comes down: at most `TouchCost.scanInterval` later, longer at rest.
public enum LatencyMark: String, Sendable, CaseIterable, Codable {
    /// The handler returned.
    case handled
    /// The last changed line of the struck row is on the panel: the wearer has waited for this.
    case updated
    /// The row is gone and the rows below are in place. The time for which the row stays on purpose is not included.
    case settled
    /// The record is in flash.
    case durable
    /// The radio has the message.
    case sent
    /// The phone has it in its store. The watch computes the time as if the radio link were equally fast in both directions.
    case committed
    /// The watch knows that the phone has it.
    case acknowledged

    var mark: TapMark {
        switch self {
        case .handled: .handled
        case .updated: .updated
        case .settled: .settled
        case .durable: .durable
        case .sent: .sent
        case .committed: .committed
        case .acknowledged: .acknowledged
        }
    }
}

/// The distribution of a time over the taps of a measurement, in whole microseconds.
public struct Distribution: Sendable, Codable, Equatable {
    /// Half of the taps take at most this time.
    public let p50: UInt64
    /// 90 % of the taps take at most this time.
    public let p90: UInt64
    /// 99 % of the taps take at most this time.
    public let p99: UInt64
    /// The longest time.
    public let max: UInt64
    /// The number of taps, at least one.
    public let count: Int

    /// An hour, in microseconds. Longer times count as this.
    static let longest: UInt64 = 3_600_000_000
}

extension Distribution {
    /// The distribution of these times, by the nearest rank; nil if there are none.
    public init?(_ times: [Microseconds]) {
        let sorted = times.map { min($0.count, Distribution.longest) }.sorted()
        guard let longest = sorted.last else { return nil }
        func figure(_ percentile: Int) -> UInt64 { sorted[Swift.max(1, (percentile * sorted.count + 50) / 100) - 1] }
        self.init(p50: figure(50), p90: figure(90), p99: figure(99), max: longest, count: times.count)
    }
}

/// The times of taps to each mark, from the touch interrupt. Nil for a mark that no tap has reached.
public struct MarkTimes: Sendable, Codable, Equatable {
    /// The handler returned.
    public var handled: Distribution?
    /// The struck row is on the panel: the wearer has waited for this.
    public var updated: Distribution?
    /// The row is gone. The time for which it stays on purpose is not included.
    public var settled: Distribution?
    /// The record is in flash.
    public var durable: Distribution?
    /// The radio has the message.
    public var sent: Distribution?
    /// The phone has it in its store, as the watch computes it.
    public var committed: Distribution?
    /// The watch knows that the phone has it.
    public var acknowledged: Distribution?

    /// The times to `mark`.
    public subscript(mark: LatencyMark) -> Distribution? {
        get { self[keyPath: MarkTimes.path(to: mark)] }
        set { self[keyPath: MarkTimes.path(to: mark)] = newValue }
    }

    private static func path(to mark: LatencyMark) -> WritableKeyPath<MarkTimes, Distribution?> {
        switch mark {
        case .handled: \.handled
        case .updated: \.updated
        case .settled: \.settled
        case .durable: \.durable
        case .sent: \.sent
        case .committed: \.committed
        case .acknowledged: \.acknowledged
        }
    }
}

extension MarkTimes {
    init(of records: [TapRecord]) {
        self.init()
        for mark in LatencyMark.allCases { self[mark] = Distribution(records.compactMap { $0.time(to: mark) }) }
    }
}

/// Times with the fewest and with the most cycles that the manual allows, if everything else is equal. Waits for the radio link
/// may absorb some of the difference, so the bounds after a wait are wider than on a device.
package struct TimeBounds<Times: Sendable & Codable & Equatable>: Sendable, Codable, Equatable {
    package var fewest: Times
    package var most: Times
}

extension TimeBounds<MarkTimes> {
    /// Nil if no machine code was executed.
    init?(of records: [TapRecord]) {
        guard records.contains(where: { $0.margins.contains { $0 != nil } }) else { return nil }
        self.init(fewest: MarkTimes(), most: MarkTimes())
        for (place, mark) in LatencyMark.allCases.enumerated() {
            let times = records.compactMap { record -> (time: Microseconds, margin: TimeMargin)? in
                guard let time = record.marks[place], let margin = record.margins[place] else { return nil }
                return (time, margin)
            }
            fewest[mark] = Distribution(times.map { $0.time - $0.margin.shorter })
            most[mark] = Distribution(times.map { $0.time + $0.margin.longer })
        }
    }

    package func medians(of mark: LatencyMark) -> ClosedRange<UInt64>? {
        guard let fewest = fewest[mark]?.p50, let most = most[mark]?.p50, fewest <= most else { return nil }
        return fewest...most
    }
}

extension TimeBounds<Distribution> {
    /// The bounds of a stage; nil if the cycles of a run are unknown.
    init?(_ spans: [StageSpan], on processor: Processor) {
        var (shorter, longer): ([Microseconds], [Microseconds]) = ([], [])
        for span in spans {
            guard let time = span.duration, let cycles = span.cycles, let allowed = span.allowedCycles else {
                return nil
            }
            shorter.append(time - processor.time(cycles: max(0, cycles - allowed.lowerBound)))
            longer.append(time + processor.time(cycles: max(0, allowed.upperBound - cycles)))
        }
        guard let fewest = Distribution(shorter), let most = Distribution(longer) else { return nil }
        self.init(fewest: fewest, most: most)
    }

    package var medians: ClosedRange<UInt64> { fewest.p50...max(fewest.p50, most.p50) }
}

/// The times that the touch controller, the panel and the haptic driver add to the marks. The software has little effect on them.
package struct SensedTimes: Sendable, Encodable, Equatable {
    /// From the finger on the panel to the touch interrupt.
    package var interrupt: Distribution?
    /// From the finger until the pixels of the struck row have turned; nil if no tap updated the panel.
    package var light: Distribution?
    /// From the finger until the haptic is strong enough for the wearer to feel it; nil if none was played.
    package var felt: Distribution?

    package var titled: [(title: String, times: Distribution?)] {
        [("finger to interrupt", interrupt), ("touch to light", light), ("touch to felt", felt)]
    }
}

/// What a time was spent on.
public enum TimeKind: String, Sendable, CaseIterable, Encodable, CodingKeyRepresentable {
    /// Executing instructions.
    case processor
    /// Waiting for lines on their way to the panel.
    case panel
    /// Waiting for the flash chip.
    case flash
    /// Writing to the haptic driver.
    case haptic
    /// Waiting while packets were in the air.
    case radio
    /// Waiting while a message waited: for the next connection event, for credits, or behind earlier messages.
    case window
    /// Waiting for the phone, while nothing was on its way.
    case phone

    package var title: String {
        switch self {
        case .processor: "CPU"
        case .panel: "panel"
        case .flash: "flash"
        case .haptic: "haptic"
        case .radio: "radio"
        case .window: "waiting for the window"
        case .phone: "waiting for the phone"
        }
    }
}

/// A time, split into kinds: means over taps, in microseconds.
public struct TimeKinds: Sendable, Encodable, Equatable {
    private var means: [TimeKind: Double]

    init(_ means: [TimeKind: Double]) {
        self.means = Dictionary(uniqueKeysWithValues: TimeKind.allCases.map { ($0, means[$0] ?? 0) })
    }

    /// The sum of all kinds.
    public var total: Double { TimeKind.allCases.reduce(0) { $0 + self[$1] } }

    /// Waiting for the other end of the radio link: the way in both directions, and its own work.
    package var remote: Double { self[.radio] + self[.window] + self[.phone] }

    /// The time of one kind.
    public internal(set) subscript(kind: TimeKind) -> Double {
        get { means[kind] ?? 0 }
        set { means[kind] = newValue }
    }

    /// The kinds that take at least this share of the time, the largest first.
    package func kinds(from share: Double) -> [TimeKind] {
        TimeKind.allCases.filter { total > 0 && self[$0] >= share * total }.sorted { self[$0] > self[$1] }
    }

    /// The kind with the most time, and its share, 0 to 1; nil if no time was spent.
    public var largest: (kind: TimeKind, share: Double)? {
        kinds(from: 0).first.map { ($0, self[$0] / total) }
    }
}

extension TimeKinds {
    init(_ sum: TimeSpent, over count: Int) {
        func mean(_ time: Microseconds) -> Double { Double(time.count) / Double(count) }
        self.init([
            .processor: mean(sum.processor), .panel: mean(sum.panel), .flash: mean(sum.flash),
            .haptic: mean(sum.haptic), .radio: mean(sum.radio), .window: mean(sum.window),
            .phone: max(0, mean(sum.idle) - mean(sum.radio) - mean(sum.window)),
        ])
    }

    /// Writes a number for each kind.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(means)
    }
}
