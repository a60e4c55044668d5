import BenchmarkFigures
import DeviceModel
import Watch
import WatchLink

/// How fast the simulation is on this machine, and what a tap's handler takes of its processor: `Tests/run bench`.
///
/// Nothing is judged here: a machine that others use as well has no time of its own to be held to. Its argument is the number
/// of runs.
@main
struct SimulationBenchmark {
    /// Taps of one run of the whole simulation.
    static let taps = 10_000
    /// Simulated time of one run in which nothing happens.
    static let idleLength = Microseconds.seconds(36_000)
    /// Taps for the median of a handler.
    static let timedTaps = 200
    /// Runs of everything unless the argument says so; the median counts.
    static let usualRuns = 9

    static func main() throws {
        let runs = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? usualRuns
        try printSpeed(max(1, runs))
        try printHandlers(max(1, runs))
    }

    /// The whole simulation: runtime, board, air and phone on the virtual clock.
    private static func printSpeed(_ runs: Int) throws {
        var tapping: [Double] = []
        var idling: [Double] = []
        for _ in 0..<runs {
            tapping.append(
                try seconds(of: taps) { bench in
                    for _ in 0..<taps {
                        bench.tap(2)
                        bench.run(until: { $0.taps.last?.isOver ?? false })
                    }
                    precondition(bench.phone.checkOffs.count == taps, "the phone learns of every tap")
                })
            let length = try seconds(of: 0) { $0.run(for: idleLength) }
            idling.append(Double(idleLength.count) / 1_000_000 / length)
        }
        print("simulation, shipping handler on memory-lcd, 128 items      median (least to most) of \(runs)")
        print("  \(taps) taps, each settled and acknowledged, s       \(Spread(tapping).text(digits: 2))")
        print("  simulated time per real time when idle             \(Spread(idling).text(digits: 0))")
    }

    /// What `work` takes on a watch in sync with a phone whose list has `count` items more than the watch can hold.
    private static func seconds(
        of count: Int, _ work: (WatchBench<ShippingHandler>) -> Void
    ) throws -> Double {
        let bench = try WatchBench(
            phone: SimulatedPhone(items: WatchLimits.items + count), handler: ShippingHandler(), describing: .visible)
        bench.connect()
        let start = ContinuousClock.now
        work(bench)
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// What a tap's handler takes of this machine's processor, as ratios of runs that took turns.
    private static func printHandlers(_ runs: Int) throws {
        var ratios: [(name: String, values: [Double])] = [
            ("legacy / shipping, 128 items", []), ("shipping, 128 items / 8 items", []),
            ("shipping / an empty handler, 128 items", []), ("legacy / an empty handler, 128 items", []),
        ]
        for _ in 0..<runs {
            let empty = try HostTap.nanoseconds(NoStages(), items: 128, taps: timedTaps)
            let shipping = try HostTap.nanoseconds(ShippingHandler(), items: 128, taps: timedTaps)
            let short = try HostTap.nanoseconds(ShippingHandler(), items: 8, taps: timedTaps)
            let legacy = try HostTap.nanoseconds(LegacyHandler(), items: 128, taps: timedTaps)
            let values = [legacy / shipping, shipping / short, shipping / empty, legacy / empty]
            for (index, value) in values.enumerated() { ratios[index].values.append(value) }
        }
        print("the handler itself on this machine's processor, waiting left out, as ratios")
        for (name, values) in ratios {
            let padding = String(repeating: " ", count: 51 - name.count)
            print("  \(name)\(padding)\(Spread(values).text(digits: 2))")
        }
    }
}

extension TapHistory {
    /// Whether nothing more follows from the tap: its row has gone and the phone has said that it knows.
    fileprivate var isOver: Bool { time(of: .settled) != nil && time(of: .acknowledged) != nil }
}
