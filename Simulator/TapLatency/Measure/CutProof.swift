import DeviceModel
import Watch
import WatchLink

struct CutProof: Sendable {
    var marks: MarkTimes
    var reached: [Set<LatencyMark>]
    var taps: Int
    /// The number of taps that never reached the phone.
    var lost: Int
    /// The number of taps that the phone applied more than once.
    var repeated: Int

    var holds: Bool { lost == 0 && repeated == 0 }
}

extension TapBench where Program: ~Copyable {
    func cutProof() throws(TapLatencyError) -> CutProof {
        var cuts = Cuts(seed: conditions.seed)
        var tapped: [UInt32] = []
        for _ in 0..<conditions.taps { tapped.append(try cuts.tap(self)) }
        var arrivals: [UInt32: Int] = [:]
        for checkOff in bench.phone.checkOffs { arrivals[checkOff.id, default: 0] += 1 }
        return CutProof(
            marks: MarkTimes(of: cuts.records),
            reached: cuts.records.map { record in Set(LatencyMark.allCases.filter { record.time(to: $0) != nil }) },
            taps: tapped.count, lost: tapped.count { arrivals[$0] == nil },
            repeated: tapped.count { (arrivals[$0] ?? 0) > 1 })
    }
}

private struct Cuts {
    private enum Cut: CaseIterable {
        /// The channel closes, and both sides notice it.
        case channel
        /// No more packets arrive, and neither side notices it.
        case silence
        /// The watch loses its power after it has written the tap to flash.
        case power
    }

    private(set) var records: [TapRecord] = []
    /// Chooses the time and the kind of each cut. The bench chooses the rows, as in the other steps.
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: ~seed)
    }

    /// Taps a row, then cuts the link or the power. Returns the ID of the tapped item.
    mutating func tap<Program: WatchProgram & ~Copyable>(_ bench: TapBench<Program>) throws(TapLatencyError) -> UInt32 {
        let position = bench.nextRow()
        let item = bench.order[position]
        let later = Microseconds(.random(in: 0..<40_000, using: &random))
        let cut = Cut.allCases.randomElement(using: &random) ?? .channel
        var observer = TapObserver(
            finger: bench.bench.clock.now, touchedAt: bench.bench.clock.now, lines: bench.bench.work.panelLines)
        let input = bench.bench.watch.send(.tap(row: position))
        bench.wait(.seconds(60), &observer) { snapshot, _ in snapshot.handled >= input }
        happen(cut, after: later, to: bench, &observer)
        guard let history = observer.history else { throw .watchFailed }
        records.append(try bench.record(of: observer))
        let isDurable = history.time(of: .durable) != nil
        switch cut {
        case .channel, .silence:
            bench.tapsSoFar = history.tap.count
            bench.bench.radio.cut()
        case .power:
            try bench.restart()
        }
        bench.bench.connect()
        if observer.isSettled || isDurable { bench.replace(position, told: isDurable) }
        bench.rest()
        return SampleLists.id(item)
    }

    private func happen<Program: WatchProgram & ~Copyable>(
        _ cut: Cut, after later: Microseconds, to bench: TapBench<Program>, _ observer: inout TapObserver
    ) {
        let timeout = Microseconds.milliseconds(500)
        switch cut {
        case .channel:
            bench.wait(later, &observer) { _, _ in false }
            bench.bench.radio.cut()
            bench.wait(timeout, &observer) { _, seen in seen.isSettled }
        case .silence:
            bench.wait(later, &observer) { _, _ in false }
            bench.bench.radio.loseEverything()
            bench.wait(timeout, &observer) { _, seen in seen.isSettled }
        case .power:
            bench.wait(timeout, &observer) { _, seen in seen.history?.time(of: .durable) != nil }
            bench.wait(later, &observer) { _, _ in false }
        }
    }
}
