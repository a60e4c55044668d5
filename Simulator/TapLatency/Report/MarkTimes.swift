import DeviceModel
import Watch
import WatchLink

/// A point that a tap reaches. Reports give the time from the touch interrupt to this point.
///
/// The touch interrupt is the touch controller's interrupt that reports the finger's lift. It comes at the controller's next
/// scan: at most `TouchCost.scanInterval` after the lift, or later if the controller was at rest.
public enum LatencyMark: String, Sendable, CaseIterable, Codable {
    /// The handler's `runImmediate` has returned.
    case handled
    /// The panel shows the effects of the immediate stages, such as the tapped row struck through. The wearer waits until then.
    case updated
    /// The panel no longer shows the row, and the rows below have moved up. Before that, the watch holds the row in place on
    /// purpose. The time to this mark excludes the hold.
    case settled
    /// The tap is recorded in flash.
    case durable
    /// The watch has passed the message to its radio.
    case sent
    /// The phone has stored the tap. The watch calculates this time from the acknowledgement, and assumes that the radio link
    /// takes equally long in both directions.
    case committed
    /// The watch has received the phone's acknowledgement.
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
    /// About 90 % of the taps take at most this time.
    public let p90: UInt64
    /// About 99 % of the taps take at most this time.
    public let p99: UInt64
    /// The longest time of any tap.
    public let max: UInt64
    /// The number of times in the distribution, at least one.
    public let count: Int

    /// An hour, in microseconds. A longer time counts as an hour.
    static let longest: UInt64 = 3_600_000_000
}

extension Distribution {
    /// Makes the distribution of `times`. Each percentile is one of these times, without interpolation. Nil if `times` is
    /// empty.
    public init?(_ times: [Microseconds]) {
        let sorted = times.map { min($0.count, Distribution.longest) }.sorted()
        guard let longest = sorted.last else { return nil }
        func figure(_ percentile: Int) -> UInt64 { sorted[Swift.max(1, (percentile * sorted.count + 50) / 100) - 1] }
        self.init(p50: figure(50), p90: figure(90), p99: figure(99), max: longest, count: times.count)
    }
}

/// The times of taps from the touch interrupt to each mark. Nil for a mark that no tap reached.
public struct MarkTimes: Sendable, Codable, Equatable {
    /// From the touch interrupt until the handler's `runImmediate` has returned.
    public var handled: Distribution?
    /// From the touch interrupt until the panel shows the effects of the immediate stages, such as the tapped row struck
    /// through. The wearer waits that long.
    public var updated: Distribution?
    /// From the touch interrupt until the panel no longer shows the row. Excludes the time for which the watch holds the row in
    /// place on purpose.
    public var settled: Distribution?
    /// From the touch interrupt until the tap is recorded in flash.
    public var durable: Distribution?
    /// From the touch interrupt until the watch has passed the message to its radio.
    public var sent: Distribution?
    /// From the touch interrupt until the phone has stored the tap. The watch calculates this time (see
    /// `LatencyMark.committed`).
    public var committed: Distribution?
    /// From the touch interrupt until the watch has received the phone's acknowledgement.
    public var acknowledged: Distribution?

    /// The times from the touch interrupt to `mark`. Nil if no tap reached it.
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

/// Times in the best case and in the worst case. In the best case, each executed instruction takes the fewest cycles that the
/// processor manual allows. In the worst case, each takes the most cycles. All waits are the same in both cases.
package struct TimeBounds<Times: Sendable & Codable & Equatable>: Sendable, Codable, Equatable {
    package var fewest: Times
    package var most: Times
}

extension TimeBounds<MarkTimes> {
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
    /// Makes the bounds of a stage's time from `spans`, the runs of the stage. Nil if there are no runs, or if the cycles of a
    /// run are unknown.
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

/// Times of taps, from the moment at which the finger comes down. They include the delays of the touch controller, the panel
/// and the haptic motor. The marks exclude these delays.
package struct SensedTimes: Sendable, Encodable, Equatable {
    /// From when the finger comes down to the touch interrupt.
    package var interrupt: Distribution?
    /// From when the finger comes down until the pixels of the update have changed visibly. Nil if no tap updated the panel.
    package var light: Distribution?
    /// From when the finger comes down until the haptic pattern is strong enough to feel. Nil if no tap played a pattern.
    package var felt: Distribution?

    package var titled: [(title: String, times: Distribution?)] {
        [("finger to interrupt", interrupt), ("touch to light", light), ("touch to felt", felt)]
    }
}

/// A kind of work or wait. A measured time is the sum of such parts.
public enum TimeKind: String, Sendable, CaseIterable, Encodable, CodingKeyRepresentable {
    /// The processor executes instructions.
    case processor
    /// The processor waits while the bus sends lines to the panel.
    case panel
    /// The processor waits for the flash chip.
    case flash
    /// The processor writes to the haptic driver.
    case haptic
    /// The watch waits while packets are on air.
    case radio
    /// The watch waits. A message is queued for the next connection event or for credits, and no packet is on air.
    case window
    /// The watch waits for the phone, while no message is on its way.
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

/// A measured time, split by kind. Each part is a mean over the taps, in microseconds.
public struct TimeKinds: Sendable, Encodable, Equatable {
    private var means: [TimeKind: Double]

    init(_ means: [TimeKind: Double]) {
        self.means = Dictionary(uniqueKeysWithValues: TimeKind.allCases.map { ($0, means[$0] ?? 0) })
    }

    /// The sum of the times of all kinds, in microseconds.
    public var total: Double { TimeKind.allCases.reduce(0) { $0 + self[$1] } }

    /// The time for which the watch waits for the phone's work and for messages in both directions, in microseconds.
    package var remote: Double { self[.radio] + self[.window] + self[.phone] }

    /// The mean time of one kind, in microseconds.
    public internal(set) subscript(kind: TimeKind) -> Double {
        get { means[kind] ?? 0 }
        set { means[kind] = newValue }
    }

    /// Returns the kinds that take at least `share` (0 to 1) of the total time, the largest first. Empty if the total is 0.
    package func kinds(from share: Double) -> [TimeKind] {
        TimeKind.allCases.filter { total > 0 && self[$0] >= share * total }.sorted { self[$0] > self[$1] }
    }

    /// The kind with the most time, and its share from 0 to 1. Nil if the total is 0.
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

    /// Encodes an object with one number for each kind: the mean time in microseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(means)
    }
}
