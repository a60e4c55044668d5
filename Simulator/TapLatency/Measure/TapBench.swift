import DeviceModel
import Emulator
import Watch
import WatchLink

/// A simulated watch and phone for measuring taps on rows. After each tap, the bench waits until the effects of the tap are
/// over. Then the phone adds a new item in place of the removed one.
final class TapBench<Program: WatchProgram & ~Copyable> {
    let bench: ProgramBench<Program>
    let conditions: Conditions
    private let immediateStages: Int?
    /// Returns the cycles that the program has taken so far, by stage and function. Nil if no emulator executes the program.
    private let spending: (() -> MachineSpending)?
    /// Returns the time of the touch interrupt if a finger touches an idle watch at the given time. For an emulated watch,
    /// returns the given time.
    private let interrupt: (Instant) -> Instant
    var random: SplitMix64
    /// The number of each item on the phone's list, in the order of the list. `SampleLists.id` makes an ID of such a number.
    var order: [UInt32]
    private var newest: UInt32
    var tapsSoFar: UInt32 = 0

    /// - Parameter immediateStages: the number of stages that run before the update of the panel. Nil if it is unknown.
    init(
        _ bench: ProgramBench<Program>, immediateStages: Int?, under conditions: Conditions,
        spending: (() -> MachineSpending)? = nil, interrupt: @escaping (Instant) -> Instant
    ) throws(TapLatencyError) {
        self.bench = bench
        self.interrupt = interrupt
        self.spending = spending
        self.conditions = conditions
        self.immediateStages = immediateStages
        random = SplitMix64(seed: conditions.seed)
        let count = conditions.listLength
        order = Array(1...UInt32(count))
        newest = UInt32(count)
        // The connection starts at a fixed time. So the phase of the connection events and the touch scans does not depend on
        // whether the emulator executes the machine code.
        var phase = SplitMix64(seed: ~conditions.seed)
        let connection = Instant(microseconds: 1_000_000 + .random(in: 0..<15_000, using: &phase))
        if bench.clock.now < connection { bench.run(for: connection - bench.clock.now) }
        bench.faults.flash = conditions.flash
        bench.connect()
        rest()
        try checkProgram()
    }

    private func checkProgram() throws(TapLatencyError) {
        guard case .failed(let reason) = bench.snapshot.phase else { return }
        let running = bench.snapshot.taps.last?.stages.last { $0.progress == .running }
        throw .notExecuted(stage: running?.name, reason)
    }

    /// Taps a row, waits until all effects of the tap are over, and replaces the tapped item. If `keepingEffects` is true, also
    /// records the screen and the panel at the time at which the handler finishes.
    func tap(keepingEffects: Bool = false) throws(TapLatencyError) -> (record: TapRecord, seen: TapObserver) {
        let position = nextRow()
        bench.faults.loss = conditions.loss
        let finger = bench.clock.now
        let touched = interrupt(finger)
        let work = bench.work
        var observer = TapObserver(
            finger: finger, touchedAt: touched, lines: work.panelLines,
            margin: conditions.profile.processor.margin(of: work))
        let input = bench.watch.send(.tap(row: position))
        // This waits for the handler and everything that it defers.
        wait(.seconds(120), &observer) { snapshot, _ in snapshot.handled >= input }
        if keepingEffects { observer.done = (bench.screen, bench.snapshot.frame) }
        wait(WatchLimits.struckRowHold + .milliseconds(50), &observer) { _, seen in seen.isSettled }
        bench.faults.loss = 0
        try checkProgram()
        guard let struck = observer.history else { throw .watchFailed }
        if case .down = bench.radio.state { bench.connect() }
        if struck.time(of: .durable) != nil {
            wait(.seconds(60), &observer) { _, seen in seen.history?.time(of: .acknowledged) != nil }
        }
        tapsSoFar = struck.tap.count
        let told = struck.time(of: .durable) != nil
        if observer.isSettled || told || isInTheWay(position) { replace(position, told: told) }
        rest()
        try checkProgram()
        return (try record(of: observer), observer)
    }

    /// Whether the tapped row, which the watch has not removed, would disturb the next taps. That is so if the row is still
    /// struck through, or if its item is checked off.
    private func isInTheWay(_ position: Int) -> Bool {
        let screen = bench.screen
        if screen.remaining < UInt32(order.count) { return true }
        return switch screen.row(at: position)?.state {
        case .struck: true
        case .waiting, nil: false
        }
    }

    func nextRow() -> Int {
        let row = Int.random(in: 0..<min(RowGeometry.rowsVisible, conditions.items), using: &random)
        return switch conditions.rows {
        case .visible: row
        case .top: 0
        }
    }

    func wait(
        _ length: Microseconds, _ observer: inout TapObserver, until isMet: (WatchSnapshot, TapObserver) -> Bool
    ) {
        let last = tapsSoFar
        _ = bench.watch.wait(for: length) { snapshot in
            observer.see(snapshot, numbersAfter: last)
            return isMet(snapshot, observer)
        }
    }

    /// Replaces the item at `position` with a new item at the end of the list. If `phone` is false, the watch has not told
    /// the phone of the tap, so the phone must also remove the old item.
    func replace(_ position: Int, told phone: Bool) {
        let gone = order.remove(at: position)
        newest += 1
        order.append(newest)
        let item = SampleLists.item(newest, conditions.titles)
        bench.onPhone { phoneSide in
            if !phone { phoneSide.remove(SampleLists.id(gone)) }
            phoneSide.add(item)
        }
    }

    /// Waits until all messages are delivered. Then waits for the pause that the conditions require, and for a random time.
    /// The random time makes taps begin at different times within a touch scan and a connection interval.
    func rest() {
        // To erase a sector takes tens of milliseconds, and each datagram takes a connection event.
        bench.run(for: .milliseconds(150))
        for _ in 0..<400 where bench.radio.isCarrying { bench.run(for: .milliseconds(15)) }
        bench.run(for: conditions.rest)
        bench.run(for: Microseconds(.random(in: 0..<300_000, using: &random)))
        // The end of this wait wakes the watch. The next scan must find the watch asleep, as before a real finger.
        let scan = interrupt(bench.clock.now)
        if scan < bench.clock.now + TapBench.awake { bench.run(for: TapBench.awake) }
    }

    /// A watch without work stays awake for less than this time.
    private static var awake: Microseconds { Microseconds(200) }

    func record(of seen: TapObserver) throws(TapLatencyError) -> TapRecord {
        guard let history = bench.watch.output.taps.histories.last, let touch = history.time(of: .touch),
            let handled = history.time(of: .handled)
        else { throw .watchFailed }
        return TapRecord(
            marks: LatencyMark.allCases.map { history.sinceTouch($0.mark) },
            margins: LatencyMark.allCases.map { mark in
                switch conditions.processor {
                case .counted: nil
                case .executed: history.margin(at: mark.mark)?.since(seen.margin)
                }
            },
            stages: history.stages,
            immediateStages: immediateStages ?? history.stages.count { $0.began < handled },
            updateLines: seen.updateLines, removalLines: seen.removalLines,
            interrupt: touch - seen.finger,
            light: history.time(of: .updated).map { conditions.profile.panel.seen(after: $0) - seen.finger },
            felt: felt(since: seen.finger))
    }

    private func felt(since finger: Instant) -> Microseconds? {
        let pulse = bench.snapshot.haptics.pulses.first { $0.time >= finger }
        return pulse.map { conditions.profile.haptic.felt($0) - finger }
    }
}

protocol MeasuringBench {
    func report(called name: String) throws(TapLatencyError) -> TapReport
    func effects() throws(TapLatencyError) -> TapEffects
    func cutProof() throws(TapLatencyError) -> CutProof
    func figures(of moment: MeasuredMoment) throws(TapLatencyError) -> MomentFigures
}

extension TapBench: MeasuringBench where Program: ~Copyable {
    func report(called name: String) throws(TapLatencyError) -> TapReport {
        let (before, spent, began) = (bench.work, spending?(), bench.clock.now)
        var records: [TapRecord] = []
        records.reserveCapacity(conditions.taps)
        for _ in 0..<conditions.taps { records.append(try tap().record) }
        var report = TapReport(
            handler: name, conditions, records, bench.work.since(before), over: bench.clock.now - began)
        if let spending, let spent { report.take(spending(), since: spent) }
        return report
    }
}

extension Conditions {
    /// Creates a bench with Tapline's own stages. If the conditions have an image, the emulator executes it.
    func bench(
        of stages: [PlacedStage], describing rows: DescribedRows = .visible
    ) throws(TapLatencyError) -> any MeasuringBench {
        try check()
        switch processor {
        case .counted:
            return try TapBench.make(StageSequence(stages), stages: stages, under: self, describing: rows)
        case .executed(let image): return try TapBench.make(ExecutedHandler(image, of: stages), under: self)
        }
    }

    func bench(of handler: OwnHandler) throws(TapLatencyError) -> any MeasuringBench {
        switch processor {
        case .counted: return try bench(of: handler.stages)
        case .executed(let image):
            try check()
            return try TapBench.make(ExecutedHandler(image, named: handler.rawValue), under: self)
        }
    }
}

extension TapBench where Program: ~Copyable {
    /// Creates a bench whose watch runs code compiled for this machine. The processor's time comes from the table of
    /// instruction counts. `stages` is nil if the handler cannot list its stages.
    static func make<Handler: TapHandler>(
        _ handler: Handler, stages: [PlacedStage]?, under conditions: Conditions,
        describing rows: DescribedRows = .visible
    ) throws(TapLatencyError) -> TapBench
    where Program == RuntimeProgram<SharedFlash, Handler> {
        let table = conditions.table(for: stages, remaining: conditions.listLength)
        let bench: WatchBench<Handler>
        do throws(DeviceModelError) {
            bench = try WatchBench(
                phone: conditions.phone, handler: handler,
                profile: conditions.profile, counts: table, seed: conditions.seed, describing: rows)
        } catch {
            throw .board("\(error)")
        }
        return try TapBench(
            bench, immediateStages: stages?.count { $0.runs && $0.placement == .immediate }, under: conditions
        ) { instant in
            bench.watch.inspect { $0.surface.interrupt(ofFingerAt: instant) }
        }
    }

    static func make(
        _ handler: ExecutedHandler, under conditions: Conditions, recordsEvents: Bool = false
    ) throws(TapLatencyError) -> TapBench where Program == MachineProgram {
        let bench: MachineBench
        do throws(DeviceModelError) {
            bench = try MachineBench(
                handler.image, handler.composition,
                phone: conditions.phone,
                profile: conditions.profile, seed: conditions.seed, recordsEvents: recordsEvents)
        } catch {
            throw .board("\(error)")
        }
        // The emulated touch controller scans by itself.
        return try TapBench(
            bench, immediateStages: handler.immediateStages, under: conditions,
            spending: { bench.watch.inspect { $0.spending } }, interrupt: { $0 })
    }
}

extension TapBench where Program == MachineProgram {
    var handlerCode: HandlerCode { bench.watch.inspect { $0.handlerCode } }

    var recordedEvents: [CountedEvent] { bench.watch.inspect { $0.events } }
}
