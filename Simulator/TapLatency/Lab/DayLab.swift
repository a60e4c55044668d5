import DeviceModel
import Emulator
import Watch
import WatchLink

/// Measures what a described day takes from the battery of one device.
package struct DayLab: Sendable {
    private let conditions: Conditions
    private let day: DescribedDay

    /// - Throws: what is wrong with the conditions or the day.
    package init(_ conditions: Conditions = Conditions(), _ day: DescribedDay = .usual) throws(TapLatencyError) {
        self.conditions = conditions
        self.day = day
        try conditions.check()
        try day.check()
    }

    /// Measures the day of each handler; `progress` is called before each with how many are done.
    package func report(
        of handlers: [OwnHandler], progress: (Int, OwnHandler) -> Void = { _, _ in }
    ) throws(TapLatencyError) -> DayReport {
        var uses: [DayUse] = []
        for handler in handlers {
            progress(uses.count, handler)
            uses.append(try use(of: handler))
        }
        return DayReport(
            profile: conditions.profile.name, items: conditions.items, database: conditions.listLength,
            seed: conditions.seed, processor: conditions.processor.time, day: day,
            batteryMilliampereHours: conditions.profile.energy.batteryMilliampereHours, handlers: uses,
            assumptions: DayAssumptions.sentences(conditions.processor.time)
                + conditions.profile.assumptions)
    }

    private func use(of handler: OwnHandler) throws(TapLatencyError) -> DayUse {
        switch (conditions.processor, handler) {
        case (.counted, .shipping): try counted(ShippingHandler(), handler)
        case (.counted, .legacy): try counted(LegacyHandler(), handler)
        case (.executed(let image), _):
            try use(handler, on: TapBench.make(ExecutedHandler(image, named: handler.rawValue), under: conditions))
        }
    }

    private func counted(_ code: some TapHandler, _ handler: OwnHandler) throws(TapLatencyError) -> DayUse {
        try use(handler, on: TapBench.make(code, stages: StageSequence(of: code)?.stages, under: conditions))
    }

    private func use<Program: WatchProgram & ~Copyable>(
        _ handler: OwnHandler, on taps: TapBench<Program>
    ) throws(TapLatencyError) -> DayUse {
        let bench = DayBench(taps)
        let idle = bench.idleHour()
        var happenings: [DayHappening: PartCharges] = [:]
        for happening in DayHappening.allCases {
            happenings[happening] = try bench.charge(of: happening, beyond: idle)
        }
        return DayUse(
            handler: handler.rawValue, idleHour: idle, happenings, on: day,
            battery: conditions.profile.energy.batteryMilliampereHours)
    }
}

/// Measures what the happenings of a day take, one after the other on one watch, and what rest takes in between.
///
/// The face draws itself anew every minute: rest and each kind of happening are measured for whole minutes, so that what rest
/// takes in the same time can be taken off.
struct DayBench<Program: WatchProgram & ~Copyable> where Program.Surface == SimulatedBoard<SharedFlash> {
    /// How often a happening is measured.
    static var repetitions: Int { 16 }
    /// For how long rest is measured.
    static var restMinutes: UInt32 { 16 }

    private let taps: TapBench<Program>
    private var bench: ProgramBench<Program> { taps.bench }

    /// A watch that shows its face, at rest, and has done what a start leaves to be done.
    init(_ taps: TapBench<Program>) {
        self.taps = taps
        bench.run(for: .seconds(60))
        if bench.screen.screen == .list { bench.send(.press(.crown)) }
        bench.run(for: .seconds(60))
    }

    /// What rest takes in an hour.
    func idleHour() -> PartCharges {
        measured { bench.run(for: .seconds(60 * Self.restMinutes)) }.times(60 / Double(Self.restMinutes))
    }

    /// What one of a kind takes beyond rest.
    func charge(of happening: DayHappening, beyond idleHour: PartCharges) throws(TapLatencyError) -> PartCharges {
        var sum = PartCharges()
        for number in 0..<Self.repetitions {
            var handled = Handled.nothing
            let use = measured { handled = happen(happening, number) }
            sum = sum.merged(with: use) { $0 + $1 }
            guard bench.snapshot.phase == .running, bench.screen.screen == .face else { throw .watchFailed }
            switch handled {
            case .nothing: break
            case .row(let position):
                // The list keeps its length, and what that takes is not the tap's.
                taps.replace(position, told: true)
                bench.run(for: DescribedDay.apart)
            }
        }
        let rest = idleHour.times(Double(DescribedDay.apart.count) / 3_600_000_000)
        var beyond = sum.times(1 / Double(Self.repetitions)).merged(with: rest) { $0 - $1 }
        // What flows all the time does so in both, but for what is rounded.
        beyond[.sleep] = 0
        return beyond
    }

    /// What a happening leaves to be put right.
    private enum Handled {
        case nothing
        /// The row at this position is gone.
        case row(Int)
    }

    /// Has something happen at another phase of the connection's events and the touch scan each time, and runs until the connection
    /// is at rest.
    private func happen(_ happening: DayHappening, _ number: Int) -> Handled {
        let end = bench.clock.now + DescribedDay.apart
        bench.run(for: Microseconds(.random(in: 0..<2_000_000, using: &taps.random)))
        let handled = act(happening, number)
        bench.run(for: end - bench.clock.now)
        return handled
    }

    private func act(_ happening: DayHappening, _ number: Int) -> Handled {
        switch happening {
        case .look:
            bench.send(.press(.crown))
            bench.run(for: .seconds(5))
            bench.send(.press(.crown))
            return .nothing
        case .tap:
            let position = taps.nextRow()
            bench.send(.press(.crown))
            bench.run(for: .seconds(1))
            bench.tap(position)
            bench.run(for: .seconds(4))
            bench.send(.press(.crown))
            return .row(position)
        case .change:
            let id = SampleLists.id(taps.order[number % min(taps.order.count, WatchLimits.items)])
            bench.onPhone { $0.rename(id, to: "Renamed \(number)") }
            return .nothing
        }
    }

    /// What the battery gives while something is done.
    private func measured(_ action: () -> Void) -> PartCharges {
        let before = bench.work
        let began = bench.clock.now
        action()
        return PartCharges(
            bench.profile.energy.charge(of: bench.work.since(before), in: bench.clock.now - began))
    }
}
