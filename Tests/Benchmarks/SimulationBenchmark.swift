import ArgumentParser
import DeviceModel
import Watch
import WatchLink

struct SimulationBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulation", abstract: "Times the whole simulation, and the handlers of taps.")

    @Option(help: "How often each is measured.")
    var turns = 9

    private static let taps = 10_000
    private static let idleLength = Microseconds.seconds(36_000)
    private static let timedTaps = 200

    func validate() throws {
        guard turns > 0 else { throw ValidationError("there is at least one turn") }
    }

    func run() throws {
        print(try speed().text)
        print(try handlers().text)
    }

    private func speed() throws -> Figures {
        let taps = Self.taps
        var tapping: [Double] = []
        var idling: [Double] = []
        for _ in 0..<turns {
            tapping.append(
                try Self.seconds(of: taps) { bench in
                    for _ in 0..<taps {
                        bench.tap(2)
                        bench.run(until: { $0.taps.last?.isOver ?? false })
                    }
                    precondition(bench.phone.checkOffs.count == taps, "the phone learns of every tap")
                })
            let length = try Self.seconds(of: 0) { $0.run(for: Self.idleLength) }
            idling.append(Double(Self.idleLength.count) / 1_000_000 / length)
        }
        var figures = Figures("simulation, shipping handler on memory-lcd, 128 items, \(turns) turns")
        figures.add("\(taps) taps, each settled and acknowledged", tapping, digits: 2, "s")
        figures.add("simulated time per real time when idle", idling, "x")
        return figures
    }

    /// Returns how long `work` takes, in seconds. The watch that `work` gets is in sync with its phone. The phone's list has
    /// `count` more items than the watch can hold.
    private static func seconds(
        of count: Int, _ work: (WatchBench<ShippingHandler>) -> Void
    ) throws -> Double {
        let bench = try WatchBench(
            phone: InMemoryPhone(items: WatchLimits.items + count), handler: ShippingHandler(), describing: .visible)
        bench.connect()
        let start = ContinuousClock.now
        work(bench)
        return (ContinuousClock.now - start) / .seconds(1)
    }

    private func handlers() throws -> Figures {
        var ratios: [(name: String, values: [Double])] = [
            ("legacy / shipping, 128 items", []), ("shipping, 128 items / 8 items", []),
            ("shipping / an empty handler, 128 items", []), ("legacy / an empty handler, 128 items", []),
        ]
        for _ in 0..<turns {
            let taps = Self.timedTaps
            let empty = try HostTap.nanoseconds(NoStages(), items: 128, taps: taps)
            let shipping = try HostTap.nanoseconds(ShippingHandler(), items: 128, taps: taps)
            let short = try HostTap.nanoseconds(ShippingHandler(), items: 8, taps: taps)
            let legacy = try HostTap.nanoseconds(LegacyHandler(), items: 128, taps: taps)
            let values = [legacy / shipping, shipping / short, shipping / empty, legacy / empty]
            for (index, value) in values.enumerated() { ratios[index].values.append(value) }
        }
        var figures = Figures("the handler itself on this machine's processor, waiting left out")
        for (name, values) in ratios { figures.add(name, values, digits: 2, "x") }
        return figures
    }
}

extension TapHistory {
    /// Whether the tap has no further effects: its row is gone, and the phone has acknowledged the tap.
    fileprivate var isOver: Bool { time(of: .settled) != nil && time(of: .acknowledged) != nil }
}

enum HostTap {
    /// Returns the median time from a touch until its handler returns, in nanoseconds. Time in `idle` does not count.
    static func nanoseconds(_ handler: some TapHandler, items: Int, taps count: Int) throws -> Double {
        let phone = InMemoryPhone(items: items)
        let clock = VirtualClock()
        let radio = VirtualRadio(to: phone, clock: clock, latency: .milliseconds(1))
        let board = TimedBoard(
            try SimulatedBoard(
                flash: MemoryFlash(FlashGeometry(sectorCount: 16)), radio: radio, clock: .virtual(clock),
                calendar: .set(BoardCalendar.example, at: .start), profile: .instant))
        var watch = TimedWatch(board, handler)
        radio.connect()
        watch.run(for: .seconds(1))
        for number in 0..<count {
            board.post(.tap(row: 1))
            watch.run(for: .seconds(1))
            if phone.waitingCount < items {
                phone.add(PhoneItem(id: UInt32(items + 1 + number), title: "Item \(number)"))
                radio.runPhone()
                watch.run(for: .seconds(1))
            }
        }
        precondition(board.handled.count == count, "every tap is handled")
        return Spread(board.handled.map(Double.init)).median
    }
}

private struct TimedWatch<Handler: TapHandler>: ~Copyable {
    private let board: TimedBoard
    private var runtime: WatchRuntime<TimedBoard, Handler>
    private let memory: UnsafeMutableRawBufferPointer

    init(_ board: TimedBoard, _ handler: Handler) {
        self.board = board
        memory = .allocate(byteCount: WatchRuntime<TimedBoard, Handler>.memorySize, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        runtime = WatchRuntime(board: board, handler: handler, memory: memory, seed: 7)
        runtime.start()
    }

    deinit {
        memory.deallocate()
    }

    mutating func run(for length: Microseconds) {
        let end = board.now + length
        while true {
            switch runtime.step() {
            case .again: break
            case .idle(let wakeUp):
                guard board.now < end else { return }
                board.idle(until: min(wakeUp ?? end, end))
            }
        }
    }
}

/// A simulated board that times the handlers of taps with this machine's clock. Time in `idle` does not count, because the
/// board simulates the phone and the radio there.
final class TimedBoard {
    private enum Stage {
        case none
        /// A handler has run since `since`, and has spent `waited` of that time in `idle`.
        case handling(since: ContinuousClock.Instant, waited: Duration)
    }

    /// The time that each tap's handler took, in nanoseconds.
    private(set) var handled: [Int64] = []
    private var board: SimulatedBoard<MemoryFlash>
    private var stage = Stage.none

    init(_ board: SimulatedBoard<MemoryFlash>) {
        self.board = board
    }

    func post(_ inputs: [Input]) {
        board.post(inputs)
    }
}

extension TimedBoard: Board {
    func trace(_ event: TraceEvent) {
        switch event {
        case .mark(.touch, _, _):
            board.trace(event)
            stage = .handling(since: .now, waited: .zero)
        case .mark(.handled, _, _):
            if case .handling(let start, let waited) = stage {
                let (seconds, attoseconds) = (ContinuousClock.now - start - waited).components
                handled.append(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
            }
            stage = .none
            board.trace(event)
        case .mark, .stageBegan, .stageEnded, .screenChanged, .moment, .journalFailed:
            board.trace(event)
        }
    }

    func idle(until deadline: Instant?) {
        let start = ContinuousClock.now
        board.idle(until: deadline)
        if case .handling(let since, let waited) = stage {
            stage = .handling(since: since, waited: waited + (.now - start))
        }
    }

    var now: Instant { board.now }
    func calendar(at instant: Instant) -> LocalTime? { board.calendar(at: instant) }
    func setCalendar(_ time: LocalTime) { board.setCalendar(time) }

    func nextInput() -> TimedInput? { board.nextInput() }
    var touchScanInterval: Microseconds { board.touchScanInterval }
    func play(_ pattern: HapticPattern) { board.play(pattern) }
    func writeLine(_ line: Int, pixels: Span<UInt8>) { board.writeLine(line, pixels: pixels) }

    var radioState: RadioState { board.radioState }
    func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome { board.sendDatagram(bytes) }
    func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int? { board.receiveDatagram(into: &buffer) }
    func answerPairing(_ answer: PairingAnswer) { board.answerPairing(answer) }
    func disconnectRadio() { board.disconnectRadio() }

    var flashGeometry: FlashGeometry { board.flashGeometry }
    var flashActivity: FlashActivity { board.flashActivity }

    func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        try board.readFlash(at: address, into: &destination)
    }

    func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        try board.programFlash(at: address, bytes)
    }

    func beginErase(sector: Int) throws(FlashError) {
        try board.beginErase(sector: sector)
    }

    func finishErase() { board.finishErase() }
}
