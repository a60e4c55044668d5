import ArgumentParser
import Foundation
import Histogram
import Wormhole
import WormholeTesting

/// Whether values that are passed steadily arrive steadily.
struct RelayBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relays",
        abstract: "Passes a new latest value steadily, and times the arrivals in another process.")

    @Option(help: "How many values are passed.")
    var count = 600

    @Option(help: ArgumentHelp("The time between two of them, in milliseconds.", valueName: "milliseconds"))
    var every = 50

    @Option(help: "The directory of the databases: which disk they are on.")
    var place = "/tmp"

    func validate() throws {
        guard count > 1, every > 0 else {
            throw ValidationError("there are two values at least, and a time between them")
        }
    }

    func run() async throws {
        try Cores.keep(on: Cores.own)
        let other = try OtherProcess(
            doing: .scale(.relay), on: Cores.possible.last?.other ?? 0, in: place, count: count)
        let store = try MessageStore(path: other.directory.path + "/phone")
        let directory = try SocketDirectory(path: other.directory.path)
        let phone = Wormhole(
            .listens(try UnixListener(RelayListener.socket, in: directory)), store: store,
            configuration: WormholeConfiguration(role: .phone), logger: .silent)
        try await phone.start()
        _ = try await phone.firstPeer()
        async let arrivals = other.reports(count)
        let interval = UInt64(every) * 1_000_000
        let start = steadyNanoseconds()
        var passed: [UInt64] = []
        for number in 1...count {
            let due = start + UInt64(number) * interval
            let now = steadyNanoseconds()
            // The sender keeps its rate.
            if due > now { try await Task.sleep(nanoseconds: due - now) }
            passed.append(steadyNanoseconds())
            try await phone.pass(number, under: RelayListener.name)
        }
        // Where one is missing the other process does not say so many, and the newest is told twice.
        let heard = try await arrivals
        var latencies = RelayBenchmark.times()
        var jitters = RelayBenchmark.times()
        for (number, time) in heard {
            latencies.record((time - passed[Int(number) - 1]) / 1_000)
        }
        let missing = count - Set(heard.map(\.0)).count
        for (before, next) in zip(heard, heard.dropFirst()) {
            let length = Int64(next.1 - before.1)
            jitters.record((length - Int64(interval)).magnitude / 1_000)
        }
        var figures = Figures("\(count) latest values, one every \(every) ms, in \(place)")
        figures.add("missing", "\(missing)")
        figures.add("from the call of pass until it is heard", latencies.percentiles)
        figures.add("jitter: time between two, less \(every) ms, either way", jitters.percentiles)
        print(figures.text)
        await phone.close()
        await store.close()
    }

    private static func times() -> Histogram<UInt32> {
        Histogram(highestTrackableValue: 60_000_000, numberOfSignificantValueDigits: .three)
    }
}

/// A listener that tells each value, and when it has heard it.
struct RelayListener: Answerer {
    static let socket = "relay"
    static let name: MessageName = "elapsed"

    let count: Int

    func serve(in directory: String) async throws {
        let path = try SocketDirectory(path: directory).path(of: RelayListener.socket)
        let watch = Wormhole(
            .connects(UnixConnector(path: path)), store: try MessageStore(path: directory + "/watch"),
            configuration: WormholeConfiguration(role: .watch), logger: .silent)
        let values = watch.messages(of: Int.self, under: RelayListener.name)
        try await watch.start()
        var told = 0
        for await value in values {
            OtherProcess.report(UInt64(value), steadyNanoseconds())
            told += 1
            // The last value has come: what is missing now never comes.
            guard value == count else { continue }
            for _ in told..<max(told, count) { OtherProcess.report(UInt64(value), steadyNanoseconds()) }
            break
        }
        try await OtherProcess.waitForEnd()
        await watch.close()
    }
}

extension Histogram where Count == UInt32 {
    /// Of times in microseconds.
    var percentiles: String {
        let parts = [("p50", 50.0), ("p99", 99.0), ("most", 100.0)].map { name, percentile in
            String(format: "\(name) %.1f ms", Double(valueAtPercentile(percentile)) / 1_000)
        }
        return parts.joined(separator: ", ")
    }
}
