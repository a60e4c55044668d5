import ArgumentParser
import BenchmarkFigures
import Foundation

/// What a question and its answer cost over the bridge.
struct AskBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Times round trips of 20 bytes between two processes: over a bare socket, and over the bridge.")

    @Option(help: "How often each way has its turn.")
    var turns = 7

    @Option(help: ArgumentHelp("How long a turn lasts, in milliseconds.", valueName: "milliseconds"))
    var length = 150

    @Option(help: "The ways to time besides raw; all of them unless named.")
    var way: [Way] = []

    @Flag(help: "Prints JSON.")
    var json = false

    func validate() throws {
        guard turns > 0, length > 0 else { throw ValidationError("there is at least one turn of a millisecond") }
    }

    func run() async throws {
        try Cores.keep(on: Cores.own)
        var tables: [AskReport.Table] = []
        for cores in Cores.possible { tables.append(AskReport.Table(cores, try await measure(cores))) }
        let report = AskReport(turns: turns, tables: tables)
        print(json ? try report.json : report.text)
    }

    /// The turns of every way.
    private func measure(_ cores: Cores) async throws -> [(Way, [RoundTrips])] {
        var ways: [(way: Way, asker: any Asker, turns: [RoundTrips])] = []
        for way in Way.allCases where way == .raw || self.way.isEmpty || self.way.contains(way) {
            ways.append((way, try await way.asker(OtherProcess(doing: .asked(way), on: cores.other)), []))
        }
        // The first turn of each warms the processor up and is not counted.
        for turn in 0...turns {
            for index in ways.indices {
                let trips = try await ways[index].asker.ask(for: .milliseconds(length))
                if turn > 0 { ways[index].turns.append(trips) }
            }
        }
        return ways.map { ($0.way, $0.turns) }
    }
}
