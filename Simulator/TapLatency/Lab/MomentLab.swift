import DeviceModel
import Emulator
import Watch
import WatchLink

/// Measures launch, arrival and raised wrist on one device.
package struct MomentLab: Sendable {
    private let conditions: Conditions

    /// - Parameter conditions: each is measured as often as there are taps, with at most 127 items, so that one more has room.
    /// - Throws: what is wrong with the conditions.
    package init(_ conditions: Conditions) throws(TapLatencyError) {
        var measured = conditions
        measured.items = min(measured.items, WatchLimits.items - 1)
        measured.database = measured.items
        self.conditions = measured
        try measured.check()
    }

    package func report(progress: (Int, MeasuredMoment) -> Void = { _, _ in }) throws(TapLatencyError) -> MomentReport {
        var moments: [MomentFigures] = []
        for moment in MeasuredMoment.allCases {
            progress(moments.count, moment)
            moments.append(try figures(of: moment))
        }
        return MomentReport(
            profile: conditions.profile.name, items: conditions.items, seed: conditions.seed,
            processor: conditions.processor.time, moments: moments)
    }

    private func figures(of moment: MeasuredMoment) throws(TapLatencyError) -> MomentFigures {
        switch conditions.processor {
        case .counted:
            let handler = ShippingHandler()
            return try figures(
                of: moment, on: TapBench.make(handler, stages: StageSequence(of: handler)?.stages, under: conditions))
        case .executed(let image):
            return try figures(
                of: moment,
                on: TapBench.make(ExecutedHandler(image, named: OwnHandler.shipping.rawValue), under: conditions))
        }
    }

    private func figures<Program: WatchProgram & ~Copyable>(
        of moment: MeasuredMoment, on taps: TapBench<Program>
    ) throws(TapLatencyError) -> MomentFigures {
        let measuring = MomentBench(taps)
        var times: [(time: UInt64, floor: UInt64)] = []
        for number in 0..<conditions.taps {
            guard let time = measuring.measure(moment, number) else { throw .watchFailed }
            times.append(time)
        }
        return MomentFigures(moment, times)
    }
}

/// Has one moment after the other happen on a watch.
struct MomentBench<Program: WatchProgram & ~Copyable> where Program.Surface == SimulatedBoard<SharedFlash> {
    private let taps: TapBench<Program>
    private var bench: ProgramBench<Program> { taps.bench }

    init(_ taps: TapBench<Program>) {
        self.taps = taps
    }

    /// Measures one moment. Returns its time and the time that the panel needs for the lines that it changed; nil if the watch
    /// has not reported it.
    func measure(_ moment: MeasuredMoment, _ number: Int) -> (time: UInt64, floor: UInt64)? {
        show(moment == .arrivalOnList ? .list : .face)
        // What was added before has its update, and the next one is not held up.
        bench.send(.wrist(.raised))
        taps.rest()
        let item = SampleLists.item(UInt32(50_000 + number), .usual)
        switch moment {
        case .launch: return time { bench.tap(x: 70, y: 140) }
        case .arrivalOnFace, .arrivalOnList:
            let time = time { bench.onPhone { $0.add(item) } }
            remove(item)
            return time
        case .raise:
            bench.onPhone { $0.add(item) }
            taps.rest()
            // This one waits for its update.
            remove(item)
            taps.rest()
            return time { bench.send(.wrist(.raised)) }
        }
    }

    private func remove(_ item: PhoneItem) {
        bench.onPhone { $0.remove(item.id) }
    }

    private func show(_ screen: ScreenName) {
        if bench.screen.screen != screen { bench.send(.press(.crown)) }
        taps.rest()
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

/// How long the wearer waits for what is no tap, each beside the time that the panel alone needs for it. Times are microseconds.
package struct MomentReport: Sendable, Encodable, Equatable {
    /// The profile's name.
    package var profile: String
    /// Items on the watch.
    package var items: Int
    package var seed: UInt64
    /// Where the processor's time comes from.
    package var processor: ProcessorTime
    package var moments: [MomentFigures]

    /// The report as JSON: indented, keys in alphabetical order. The same report gives the same bytes.
    package var json: [UInt8] { reportJSON() }
}

/// The figures of one kind of moment.
package struct MomentFigures: Sendable, Encodable, Equatable {
    /// What is waited for.
    package var moment: MeasuredMoment
    /// How often it was measured.
    package var count: Int
    /// The time that half of them stay within.
    package var p50: UInt64
    /// The time that 99 % stay within.
    package var p99: UInt64
    /// Sending the changed lines alone, in the same half.
    package var floor: UInt64
    /// The 99th percentile of each time divided by its own floor.
    package var ratio: Double

    /// - Parameter times: each with its floor, at least one.
    init(_ moment: MeasuredMoment, _ times: [(time: UInt64, floor: UInt64)]) {
        self.moment = moment
        count = times.count
        p50 = MomentFigures.percentile(50, of: times.map(\.time))
        p99 = MomentFigures.percentile(99, of: times.map(\.time))
        floor = MomentFigures.percentile(50, of: times.map(\.floor))
        ratio = MomentFigures.percentile(99, of: times.map { Double($0.time) / Double(max(1, $0.floor)) })
    }

    /// The smallest value that `share` percent of them do not exceed.
    private static func percentile<Value: Comparable>(_ share: Int, of values: [Value]) -> Value {
        let sorted = values.sorted()
        return sorted[max(0, (sorted.count * share + 99) / 100 - 1)]
    }
}

/// What is measured beside taps.
package enum MeasuredMoment: String, Sendable, Encodable, CaseIterable {
    /// From the touch of the face to the list on the panel.
    case launch
    /// From the arrival of an item that was added on the phone to the face that counts it.
    case arrivalOnFace = "arrival on the face"
    /// The same to the list that counts it, or shows it if it has room.
    case arrivalOnList = "arrival on the list"
    /// From the raised wrist to the face with what has waited for it.
    case raise = "raised wrist"
}
