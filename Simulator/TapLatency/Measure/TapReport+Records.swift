import DeviceModel
import MachineWatch
import Watch
import WatchLink

/// What a watch did while it was measured, beside the taps themselves.
struct MeasuredWork: Sendable {
    var work: BoardWork
    /// How long it took, rests included.
    var length: Microseconds
}

extension TapReport {
    init(handler: String, _ conditions: Conditions, _ records: [TapRecord], _ measured: MeasuredWork) {
        let profile = conditions.profile
        let count = Double(records.count)
        let settling = records.filter { $0.time(to: .settled) != nil }
        self.init(
            handler: handler, profile: profile.name, profileNumbers: profile.numbers, items: conditions.items,
            database: conditions.listLength,
            taps: conditions.taps, seed: conditions.seed, marks: MarkTimes(of: records),
            bounds: TimeBounds(of: records), processor: conditions.processor.time, ownCode: conditions.ownCode.count,
            ownCodeReason: conditions.ownCode.reason, ownTime: conditions.ownTime,
            stages: StageReport.reports(of: records, under: conditions),
            dirtyLines: RedrawnLines(
                update: Double(records.reduce(0) { $0 + ($1.updateLines ?? 0) }) / count,
                removal: Double(settling.reduce(0) { $0 + ($1.removalLines ?? 0) }) / Double(max(settling.count, 1))),
            bytesOnAir: Double(measured.work.radio.bytes) / count,
            charge: measured.chargeBeyondRest(on: profile) / count,
            panelFloor: PanelFloor(
                updated: FloorTimes(records.compactMap(\.updateLines).map(profile.panel.time(lines:))),
                settled: FloorTimes(settling.compactMap(\.removalLines).map(profile.panel.time(lines:)))),
            senses: SensedTimes(
                interrupt: Distribution(records.map(\.interrupt)), light: Distribution(records.compactMap(\.light)),
                felt: Distribution(records.compactMap(\.felt))),
            assumptions: profile.assumptions)
    }
}

extension TapReport {
    /// Takes over where the cycles of its taps went. No stage has run before the first of them.
    mutating func take(_ spending: MachineSpending, since before: MachineSpending) {
        for stage in spending.stages {
            guard let index = stages.firstIndex(where: { $0.name == stage.name && $0.placement == stage.placement })
            else { continue }
            stages[index].functions = stage.calls
        }
        aroundStages = spending.aroundStages(since: before)
    }
}

extension FloorTimes {
    /// Nil of no times.
    fileprivate init?(_ times: [Microseconds]) {
        guard let times = Distribution(times) else { return nil }
        self.init(p50: times.p50, p99: times.p99)
    }
}

extension MeasuredWork {
    /// Microcoulombs, without what a watch at rest takes in the same time.
    fileprivate func chargeBeyondRest(on profile: DeviceProfile) -> Double {
        var active = work
        active.radio.events = max(0, active.radio.events - profile.radio.idleEvents(in: length))
        let use = profile.energy.charge(of: active, in: .zero)
        return use.total.microcoulombs
    }
}

extension BoardWork {
    /// What was done since an earlier moment of the same board.
    func since(_ earlier: BoardWork) -> BoardWork {
        var rest = self
        rest.spent = spent.since(earlier.spent)
        rest.instructions -= earlier.instructions
        rest.cycles -= earlier.cycles
        rest.fewestCycles -= earlier.fewestCycles
        rest.mostCycles -= earlier.mostCycles
        rest.panelLines -= earlier.panelLines
        rest.pagePrograms -= earlier.pagePrograms
        rest.programming = programming - earlier.programming
        rest.sectorErases -= earlier.sectorErases
        rest.hapticPatterns -= earlier.hapticPatterns
        rest.radio.events -= earlier.radio.events
        rest.radio.bytesSent -= earlier.radio.bytesSent
        rest.radio.bytesReceived -= earlier.radio.bytesReceived
        rest.radio.packets -= earlier.radio.packets
        rest.radio.payloadOnAir -= earlier.radio.payloadOnAir
        return rest
    }
}

extension StageReport {
    /// The stages of the taps, in the order in which they ran first.
    static func reports(of records: [TapRecord], under conditions: Conditions) -> [StageReport] {
        struct Sum {
            var name: String
            var placement: StagePlacement
            var times: [Microseconds] = []
            var spans: [StageSpan] = []
            var spent = TimeSpent()
            var instructionCount: InstructionCount
        }
        var sums: [Sum] = []
        for record in records {
            for (index, span) in record.stages.enumerated() {
                guard let duration = span.duration else { continue }
                let placement: StagePlacement = index < record.immediateStages ? .immediate : .deferred
                let place = sums.firstIndex { $0.name == span.name && $0.placement == placement } ?? sums.endIndex
                if place == sums.endIndex {
                    sums.append(
                        Sum(name: span.name, placement: placement, instructionCount: span.instructionCount))
                }
                sums[place].times.append(duration)
                sums[place].spans.append(span)
                if let spent = span.spent { sums[place].spent.add(spent) }
            }
        }
        return sums.compactMap { sum in
            guard let time = Distribution(sum.times) else { return nil }
            return StageReport(
                name: sum.name, placement: sum.placement, time: time,
                bounds: conditions.bounds(of: sum.spans), mean: TimeKinds(sum.spent, over: sum.times.count),
                instructionCount: sum.instructionCount)
        }
    }
}

extension Conditions {
    /// What a stage takes with the fewest and with the most cycles; a table has neither.
    fileprivate func bounds(of spans: [StageSpan]) -> TimeBounds<Distribution>? {
        switch processor {
        case .counted: nil
        case .executed: TimeBounds(spans, on: profile.processor)
        }
    }
}

extension TimeSpent {
    fileprivate mutating func add(_ other: TimeSpent) {
        processor = processor + other.processor
        panel = panel + other.panel
        flash = flash + other.flash
        haptic = haptic + other.haptic
        idle = idle + other.idle
        radio = radio + other.radio
        window = window + other.window
    }
}

extension TimeKinds {
    init(_ sum: TimeSpent, over count: Int) {
        func mean(_ time: Microseconds) -> Double { Double(time.count) / Double(count) }
        self.init(
            processor: mean(sum.processor), panel: mean(sum.panel), flash: mean(sum.flash), haptic: mean(sum.haptic),
            radio: mean(sum.radio), window: mean(sum.window),
            phone: max(0, mean(sum.idle) - mean(sum.radio) - mean(sum.window)))
    }
}
