import DeviceModel
import Emulator
import Watch
import WatchLink

/// Measures what a described day takes from the battery of one device.
package struct DayLab: Sendable {
    private let conditions: Conditions
    private let day: DescribedDay

    package init(_ conditions: Conditions = Conditions(), _ day: DescribedDay = .usual) throws(TapLatencyError) {
        self.conditions = conditions
        self.day = day
        try conditions.check()
        try day.check()
    }

    /// - Parameter progress: called before each handler, with how many are done.
    package func report(
        of handlers: [OwnHandler], progress: (Int, OwnHandler) -> Void = { _, _ in }
    ) throws(TapLatencyError) -> DayReport {
        var uses: [DayUse] = []
        for handler in handlers {
            progress(uses.count, handler)
            uses.append(try conditions.bench(of: handler).use(handler, on: day))
        }
        return DayReport(
            profile: conditions.profile.name, items: conditions.items, database: conditions.listLength,
            seed: conditions.seed, processor: conditions.processor.time, day: day,
            batteryMilliampereHours: conditions.profile.energy.batteryMilliampereHours, handlers: uses,
            assumptions: conditions.processor.time.dayAssumptions + conditions.profile.assumptions)
    }
}

/// Measures the happenings of a day one after the other on one watch, and the rest between them. The face draws itself anew every
/// minute, so all are measured for whole minutes, and the rest in the same time is subtracted.
extension TapBench where Program: ~Copyable {
    /// Of each happening.
    private static var repetitions: Int { 16 }
    private static var restMinutes: UInt32 { 16 }

    func use(_ handler: OwnHandler, on day: DescribedDay) throws(TapLatencyError) -> DayUse {
        goToFace()
        let idle = idleHour()
        var happenings: [DayHappening: PartCharges] = [:]
        for happening in DayHappening.allCases { happenings[happening] = try charge(of: happening, beyond: idle) }
        return DayUse(
            handler: handler.rawValue, idleHour: idle, happenings, on: day,
            battery: conditions.profile.energy.batteryMilliampereHours)
    }

    /// Waits until the watch shows its face, at rest.
    private func goToFace() {
        bench.run(for: .seconds(60))
        if bench.screen.screen == .list { bench.send(.press(.crown)) }
        bench.run(for: .seconds(60))
    }

    private func idleHour() -> PartCharges {
        measured { bench.run(for: .seconds(60 * Self.restMinutes)) }.times(60 / Double(Self.restMinutes))
    }

    /// The mean of one happening, beyond rest.
    private func charge(of happening: DayHappening, beyond idleHour: PartCharges) throws(TapLatencyError) -> PartCharges
    {
        var sum = PartCharges()
        for number in 0..<Self.repetitions {
            var gone: Int?
            let use = measured { gone = happen(happening, number) }
            sum = sum.merged(with: use) { $0 + $1 }
            guard bench.snapshot.phase == .running, bench.screen.screen == .face else { throw .watchFailed }
            if let gone {
                // Restores the list's length, which is not part of the tap.
                replace(gone, told: true)
                bench.run(for: DescribedDay.apart)
            }
        }
        let rest = idleHour.times(Double(DescribedDay.apart.count) / 3_600_000_000)
        var beyond = sum.times(1 / Double(Self.repetitions)).merged(with: rest) { $0 - $1 }
        // It is the same with and without a happening, except for rounding.
        beyond[.sleep] = 0
        return beyond
    }

    /// Each time in another phase of the connection's events and the touch scan. Runs until the connection is at rest. Returns the
    /// position of a row that is gone.
    private func happen(_ happening: DayHappening, _ number: Int) -> Int? {
        let end = bench.clock.now + DescribedDay.apart
        bench.run(for: Microseconds(.random(in: 0..<2_000_000, using: &random)))
        let gone = act(happening, number)
        bench.run(for: end - bench.clock.now)
        return gone
    }

    private func act(_ happening: DayHappening, _ number: Int) -> Int? {
        switch happening {
        case .look:
            bench.send(.press(.crown))
            bench.run(for: .seconds(5))
            bench.send(.press(.crown))
            return nil
        case .tap:
            let position = nextRow()
            bench.send(.press(.crown))
            bench.run(for: .seconds(1))
            bench.tap(position)
            bench.run(for: .seconds(4))
            bench.send(.press(.crown))
            return position
        case .change:
            let id = SampleLists.id(order[number % min(order.count, WatchLimits.items)])
            bench.onPhone { $0.rename(id, to: "Renamed \(number)") }
            return nil
        }
    }

    private func measured(_ action: () -> Void) -> PartCharges {
        let before = bench.work
        let began = bench.clock.now
        action()
        return PartCharges(
            picocoulombs: bench.profile.energy.charges(
                of: bench.work.since(before), in: bench.clock.now - began))
    }
}
