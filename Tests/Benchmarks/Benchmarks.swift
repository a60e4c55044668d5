import ArgumentParser
import Glibc
import HostSystem

/// Measures what the simulation, the bridge (`Wormhole`) and Bluetooth channels cost. `Tests/run bench` runs all benchmarks
/// except that of the channels.
///
/// Ways that are compared take turns in one run, so that a busy machine slows all of them down. No result is checked against a
/// limit, because other programs use the machine too.
@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Benchmarks", abstract: "Measures the simulation, and the bridge beside what it is made of.",
        subcommands: [
            SimulationBenchmark.self, BridgeBenchmarks.self, AskBenchmark.self, QueuedBenchmark.self,
            FileBenchmark.self, OutstandingBenchmark.self, WatchesBenchmark.self, RelayBenchmark.self,
            CheckOffBenchmark.self, OrderBenchmark.self, ChannelBenchmark.self, Answer.self,
        ])
}

struct BridgeBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridge", abstract: "Measures everything about the bridge, but Bluetooth.")

    @Flag(help: "Takes short turns and small numbers: to see that it runs.")
    var quick = false

    func run() async throws {
        let parts = [
            ["ask", "--turns", "1", "--length", "50"], ["queued", "--turns", "1", "--length", "200"],
            ["file", "--turns", "1"], ["outstanding", "--count", "1000"],
            ["watches", "--count", "20", "--changes", "3"], ["relays", "--count", "40"], ["check-off", "--count", "3"],
            ["order", "--check-offs", "3000"],
        ]
        for part in parts {
            // Each part runs in its own process, so that memory left by one part does not distort the next.
            let words = ["/proc/self/exe"] + (quick ? part : Array(part.prefix(1)))
            let end = try await SystemThread.result { () -> Result<ChildProcess.End, any Error> in
                Result {
                    var process = try ChildProcess(
                        words, group: .shared,
                        descriptors: [(STDOUT_FILENO, STDOUT_FILENO), (STDERR_FILENO, STDERR_FILENO)])
                    return process.awaitEnd()
                }
            }.get()
            guard end == .exited(status: 0) else { throw ExitCode.failure }
        }
    }
}
