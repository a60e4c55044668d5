import BenchmarkFigures
import DeviceModel
import Watch
import WatchLink

/// Times the handler of taps on the watch's runtime as this machine runs it.
enum HostTap {
    /// The median of what a tap's handler takes of the processor, from the touch to its return, in nanoseconds.
    ///
    /// - Parameters:
    ///   - handler: what a tap does.
    ///   - items: the length of the list, which the phone makes up after every tap.
    ///   - count: the number of taps.
    static func nanoseconds(_ handler: some TapHandler, items: Int, taps count: Int) throws -> Double {
        let phone = SimulatedPhone(items: items)
        let clock = VirtualClock()
        let radio = VirtualRadio(to: phone, clock: clock, latency: .milliseconds(1))
        let board = TimedBoard(
            try SimulatedBoard(
                flash: MemoryFlash(FlashGeometry(sectorCount: 16)), radio: radio, clock: .virtual(clock),
                calendar: WatchBench<ShippingHandler>.defaultCalendar, profile: .instant))
        var watch = TimedWatch(board, handler)
        radio.connect()
        watch.run(for: .seconds(1))
        for _ in 0..<count {
            board.post(.tap(row: 1))
            watch.run(for: .seconds(1))
            if let last = phone.checkOffs.last, phone.waiting.count < items {
                phone.add(PhoneItem(id: last.id &+ UInt32(items), title: "Item \(last.id)"))
                radio.runPhone()
                watch.run(for: .seconds(1))
            }
        }
        precondition(board.handled.count == count, "every tap is handled")
        return Spread(board.handled.map(Double.init)).median
    }
}

/// The runtime on a board whose time is taken.
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

    /// Runs for a length of the virtual clock.
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
