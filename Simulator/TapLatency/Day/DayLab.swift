import DeviceModel
import MachineWatch
import Watch

/// Measures what a described day takes from the battery of one device.
package struct DayLab: Sendable {
    private let conditions: Conditions
    private let day: DescribedDay

    /// A lab.
    ///
    /// - Parameters:
    ///   - profile: the device.
    ///   - items: items on the watch, 1 to 128.
    ///   - seed: randomness for the rows that are tapped, and when.
    ///   - database: items in the phone's database.
    ///   - day: what happens, and how often.
    ///   - image: the image that is executed; nil for the table of what was counted.
    /// - Throws: what is wrong with the arguments.
    package init(
        profile: DeviceProfile = .memoryLCD, items: Int = 128, seed: UInt64 = 1, database: Int = 2_000,
        day: DescribedDay = .usual, image: LabImage? = nil
    ) throws(TapLatencyError) {
        conditions = Conditions(
            profile: profile, items: items, taps: 1, seed: seed, database: database,
            processor: image.map { .executed($0) } ?? .counted)
        self.day = day
        try conditions.check(nil)
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
            assumptions: DayAssumptions(processor: conditions.processor.time).sentences
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
