import ArgumentParser

/// What the bridge costs: `Tests/run bench`.
///
/// Every way has its turns in one run, so that all see the same machine. Nothing is judged here: a machine that others use as
/// well has no time of its own to be held to.
@main
struct BridgeBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "BridgeBenchmark", abstract: "Measures the bridge beside what it is made of.",
        subcommands: [
            AllBenchmarks.self, AskBenchmark.self, QueuedBenchmark.self, FileBenchmark.self,
            OutstandingBenchmark.self, WatchesBenchmark.self, RelayBenchmark.self, CheckOffBenchmark.self, Answer.self,
        ],
        defaultSubcommand: AllBenchmarks.self)
}

/// Everything, one after the other.
struct AllBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "all", abstract: "Measures everything.")

    @Flag(help: "Takes short turns and small numbers: to see that it runs.")
    var quick = false

    func run() async throws {
        try await AskBenchmark.parse(quick ? ["--turns", "1", "--length", "50"] : []).run()
        try await QueuedBenchmark.parse(quick ? ["--turns", "1", "--length", "200"] : []).run()
        try await FileBenchmark.parse(quick ? ["--turns", "1"] : []).run()
        try await OutstandingBenchmark.parse(quick ? ["--count", "1000"] : []).run()
        try await WatchesBenchmark.parse(quick ? ["--count", "20", "--changes", "3"] : []).run()
        try await RelayBenchmark.parse(quick ? ["--count", "40"] : []).run()
        try await CheckOffBenchmark.parse(quick ? ["--count", "3"] : []).run()
    }
}
