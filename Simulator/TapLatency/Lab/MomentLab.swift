import DeviceModel
import Emulator
import Watch
import WatchLink

/// Measures on one device how long the wearer waits after opening the list, after the phone adds an item, and after raising the
/// wrist.
package struct MomentLab: Sendable {
    private let conditions: Conditions

    /// - Parameter conditions: `taps` is the number of measurements of each wait. The watch begins with at most 127 items,
    ///   so that the new item fits.
    package init(_ conditions: Conditions) throws(TapLatencyError) {
        var measured = conditions
        measured.items = min(measured.items, WatchLimits.items - 1)
        measured.database = measured.items
        self.conditions = measured
        try measured.check()
    }

    package func report(progress: (Int, MeasuredMoment) -> Void = { _, _ in }) throws(TapLatencyError) -> MomentReport {
        var moments: [MomentFigures] = []
        for moment in MeasuredMoment.allCases where !(moment.needsWrist && conditions.processor.time == .executed) {
            progress(moments.count, moment)
            moments.append(try conditions.bench(of: .shipping).figures(of: moment))
        }
        return MomentReport(
            profile: conditions.profile.name, items: conditions.items, seed: conditions.seed,
            processor: conditions.processor.time, moments: moments)
    }
}

extension TapBench where Program: ~Copyable {
    func figures(of moment: MeasuredMoment) throws(TapLatencyError) -> MomentFigures {
        var times: [(time: UInt64, floor: UInt64)] = []
        for number in 0..<conditions.taps {
            guard let time = measure(moment, number) else { throw .watchFailed }
            times.append(time)
        }
        return MomentFigures(moment, times)
    }

    /// Measures one wait, in microseconds. `floor` is the time to send only the changed lines to the panel. Returns nil if the
    /// watch does not report the wait.
    private func measure(_ moment: MeasuredMoment, _ number: Int) -> (time: UInt64, floor: UInt64)? {
        show(moment == .arrivalOnList ? .list : .face)
        // Lets the face show the previous item's change now. Otherwise that change would delay the measured one.
        bench.send(.wrist(.raised))
        rest()
        let item = SampleLists.item(UInt32(50_000 + number), .usual)
        switch moment {
        case .launch: return time { bench.tap(x: 70, y: 140) }
        case .arrivalOnFace, .arrivalOnList:
            let time = time { bench.onPhone { $0.add(item) } }
            remove(item)
            return time
        case .raise:
            bench.onPhone { $0.add(item) }
            rest()
            // The watch shows the removal of the item only when the wrist is raised.
            remove(item)
            rest()
            return time { bench.send(.wrist(.raised)) }
        }
    }

    private func remove(_ item: PhoneItem) {
        bench.onPhone { $0.remove(item.id) }
    }

    private func show(_ screen: ScreenName) {
        if bench.screen.screen != screen { bench.send(.press(.crown)) }
        rest()
    }

    private func time(of action: () -> Void) -> (time: UInt64, floor: UInt64)? {
        let moments = bench.snapshot.output.moments.count
        let lines = bench.work.panelLines
        action()
        guard bench.run(until: { $0.output.moments.count > moments }),
            let record = bench.snapshot.output.moments.records.last
        else { return nil }
        let floor = bench.profile.panel.time(lines: bench.work.panelLines - lines)
        return (record.length.count, floor.count)
    }
}

/// How long the wearer waits for the list, for a new item, and after raising the wrist. Times are in microseconds.
package struct MomentReport: Sendable, Encodable, Equatable {
    package var profile: String
    package var items: Int
    package var seed: UInt64
    package var processor: ProcessorTime
    package var moments: [MomentFigures]

    package var json: [UInt8] { reportJSON() }
}

package struct MomentFigures: Sendable, Encodable, Equatable {
    package var moment: MeasuredMoment
    package var count: Int
    package var p50: UInt64
    package var p99: UInt64
    /// The median of the time to send only the changed lines to the panel.
    package var floor: UInt64
    /// The 99th percentile of the waits' ratios. The ratio of a wait is its length, divided by the time to send only the lines
    /// that changed in it.
    package var ratio: Double

    init(_ moment: MeasuredMoment, _ times: [(time: UInt64, floor: UInt64)]) {
        self.moment = moment
        count = times.count
        p50 = MomentFigures.percentile(50, of: times.map(\.time))
        p99 = MomentFigures.percentile(99, of: times.map(\.time))
        floor = MomentFigures.percentile(50, of: times.map(\.floor))
        ratio = MomentFigures.percentile(99, of: times.map { Double($0.time) / Double(max(1, $0.floor)) })
    }

    private static func percentile<Value: Comparable>(_ share: Int, of values: [Value]) -> Value {
        let sorted = values.sorted()
        return sorted[max(0, (sorted.count * share + 99) / 100 - 1)]
    }
}

package enum MeasuredMoment: String, Sendable, Encodable, CaseIterable {
    /// From the touch on the face until the panel shows the list.
    case launch
    /// From the arrival of the phone's message about a new item until the face shows the new count.
    case arrivalOnFace = "arrival on the face"
    /// From the arrival of the phone's message about a new item until the list shows the new count or row.
    case arrivalOnList = "arrival on the list"
    /// From the moment at which the wearer raises the wrist until the face shows a change that it has held back.
    case raise = "raised wrist"

    /// Whether the measurement needs the wrist sensor. The board that the emulator executes has none.
    fileprivate var needsWrist: Bool {
        switch self {
        case .launch, .arrivalOnList: false
        case .arrivalOnFace, .raise: true
        }
    }
}
