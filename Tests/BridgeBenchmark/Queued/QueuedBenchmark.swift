import ArgumentParser
import BenchmarkFigures

/// How many queued messages arrive durably in a second.
struct QueuedBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queued",
        abstract:
            "Counts queued messages a second between two processes, beside the commits that SQLite does by itself.")

    @Option(help: "How often each way has its turn.")
    var turns = 5

    @Option(help: ArgumentHelp("How long a turn lasts, in milliseconds.", valueName: "milliseconds"))
    var length = 1_000

    @Option(help: "How many messages are on their way at any time, where many are passed at once.")
    var together = 256

    @Option(help: "The directory of the databases: which disk they are on.")
    var place = "/tmp"

    func validate() throws {
        guard turns > 0, length > 0, together > 0 else { throw ValidationError("every number is at least 1") }
    }

    func run() async throws {
        try Cores.keep(on: Cores.own)
        for cores in Cores.possible { print(try await measure(cores).text) }
    }

    private func measure(_ cores: Cores) async throws -> Figures {
        let commits = try OwnCommits(in: place)
        let ways = [
            (QueueReceiver.heard, together), (.heard, 1), (.kept, together),
        ]
        var senders: [(sender: QueueSender, together: Int, name: String)] = []
        for (receiver, together) in ways {
            let sender = try await QueueSender(OtherProcess(doing: .queue(receiver), on: cores.other, in: place))
            // Their logs grow until the first checkpoint.
            _ = try await sender.pass(for: .milliseconds(3 * length), self.together)
            senders.append((sender, together, "\(receiver.title), \(together) at a time"))
        }
        var alone: [Double] = []
        var passed = [[Double]](repeating: [], count: senders.count)
        for _ in 0..<turns {
            alone.append(try commits.count(for: .milliseconds(length)))
            for index in senders.indices {
                let (sender, together, _) = senders[index]
                passed[index].append(try await sender.pass(for: .milliseconds(length), together))
            }
        }
        var figures = Figures("queued messages of 20 bytes, \(cores.title), \(turns) turns in \(place)")
        figures.add("SQLite's own commits of one row", alone, "a second")
        for (sender, counts) in zip(senders, passed) {
            figures.add(sender.name, counts, "a second")
            figures.add("  / SQLite", zip(counts, alone).map { $0 / $1 }, digits: 2, "x")
        }
        for (sender, _, _) in senders { await sender.close() }
        return figures
    }
}
