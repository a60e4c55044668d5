import ArgumentParser
import BenchmarkFigures
import Foundation
import Histogram
import PhoneHost
import Wormhole

/// What many watches cost their phone's host.
struct WatchesBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watches",
        abstract: "Serves many watches from one host, as `tapline phone serve` does, and times changes of the list.",
        discussion: """
            The host is this process, with a database of its own, on a core of its own; the watches are another process, each \
            with a socket, a session and a list in memory. A change is an item that is added. It has arrived at a watch when \
            that has applied it.
            """)

    @Option(help: "How many watches there are.")
    var count = 500

    @Option(help: "How many changes of the list there are.")
    var changes = 20

    @Option(help: "The directory of the database: which disk it is on.")
    var place = "/tmp"

    func validate() throws {
        guard count > 0, changes > 0 else { throw ValidationError("there is at least one watch and one change") }
    }

    func run() async throws {
        try Cores.keep(on: Cores.own)
        let directory = try TemporaryDirectory(in: place)
        let host = try await Host(in: directory.path)
        let before = (Usage.residentBytes, Usage.processorMicroseconds)
        let other = try OtherProcess(doing: .scale(.watches), on: Cores.possible.last?.other ?? 0, count: count)
        try host.admitWatches(to: other.directory.path)
        // Each says so when it has the list.
        _ = try await other.reports(count, of: UInt64(Host.items))
        let connected = (Usage.residentBytes, Usage.processorMicroseconds)
        var times = Histogram<UInt32>(
            highestTrackableValue: 60_000_000, numberOfSignificantValueDigits: .three)
        var last: [Double] = []
        for change in 1...changes {
            let start = steadyNanoseconds()
            try await host.add("Change \(change)")
            let arrivals = try await other.reports(count, of: UInt64(Host.items + change)).map {
                ($0.1 - min($0.1, start)) / 1_000
            }
            for arrival in arrivals { times.record(min(arrival, 60_000_000)) }
            last.append(Double(arrivals.max() ?? 0) / 1_000)
        }
        let after = Usage.processorMicroseconds
        var figures = Figures("\(count) watches on one host, in \(place)")
        let memory = Double(connected.0 - before.0) / Double(count)
        figures.add("memory of the host a watch", String(format: "%.1f KB", memory / 1e3))
        let joining = Double(connected.1 - before.1) / Double(count)
        figures.add(
            "processor of the host, to connect one and give it the list", String(format: "%.2f ms", joining / 1e3))
        let changing = Double(after - connected.1) / Double(count * changes)
        figures.add(
            "processor of the host, a change of the list and a watch", String(format: "%.3f ms", changing / 1e3))
        func milliseconds(_ percentile: Double) -> String {
            String(format: "%.1f ms", Double(times.valueAtPercentile(percentile)) / 1e3)
        }
        figures.add(
            "a change until it is applied on a watch",
            "p50 \(milliseconds(50)), p99 \(milliseconds(99)), most \(milliseconds(100))")
        figures.add("a change until it is applied on all of them", last, digits: 1, "ms")
        print(figures.text)
        await host.stop()
    }
}
