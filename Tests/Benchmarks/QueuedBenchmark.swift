import ArgumentParser
import Foundation
import GRDBSQLite
import Synchronization
import TestSupport
import WatchLink
import Wormhole

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
            let sender = try await QueueSender(OtherProcess(doing: receiver.part, on: cores.other, in: place))
            // Not counted: SQLite's logs on both sides grow until their first checkpoint.
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

struct QueueSender: Sendable {
    private let other: OtherProcess
    private let store: MessageStore
    private let phone: Wormhole
    private let watch: PeerIdentity

    init(_ other: OtherProcess) async throws {
        self.other = other
        store = try MessageStore(path: other.directory.file("sender"))
        (phone, watch) = try await Wormhole.phone(of: other, store: store)
    }

    /// Passes messages for `length`. Returns the number of messages that the other process has applied per second.
    ///
    /// - Parameter together: the number of messages on their way at any time.
    func pass(for length: Duration, _ together: Int) async throws -> Double {
        let start = steadyNanoseconds()
        let end = start + UInt64(length / .nanoseconds(1))
        let count = Atomic(0)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<together {
                group.addTask {
                    var applied = 0
                    while steadyNanoseconds() < end {
                        let handle = try await phone.pass(
                            Probe.text, under: Probe.name, delivery: .queued, to: .only(watch))
                        guard await handle?.finalFates()[watch] == .applied else { throw OtherProcessHasGone() }
                        applied += 1
                    }
                    return applied
                }
            }
            for try await applied in group { count.add(applied, ordering: .relaxed) }
        }
        return Double(count.load(ordering: .relaxed)) * 1e9 / Double(steadyNanoseconds() - start)
    }

    func close() async {
        await phone.close()
        store.close()
    }
}

enum QueueReceiver: Answerer {
    case heard
    case kept

    var title: String {
        switch self {
        case .heard: "queued"
        case .kept: "queued, kept in an inbox"
        }
    }

    var part: Part {
        switch self {
        case .heard: .hearsQueue
        case .kept: .keepsQueue
        }
    }

    func serve(in directory: String) async throws {
        let store =
            switch self {
            case .heard: try MessageStore(path: directory + "/receiver")
            case .kept: try MessageStore(path: directory + "/receiver", keeping: .max)
            }
        let watch = try Wormhole.watch(in: directory, store: store)
        try await watch.start()
        try await OtherProcess.waitForEnd()
        await watch.close()
    }
}

/// Uses SQLite directly, with the settings of a `MessageStore`. Each commit inserts a row like a queued message, and survives
/// a power loss.
final class OwnCommits {
    private let directory: TemporaryDirectory
    private let database: OpaquePointer
    private let insertion: OpaquePointer

    init(in place: String) throws {
        directory = TemporaryDirectory(in: place)
        var database: OpaquePointer?
        guard sqlite3_open(directory.file("commits"), &database) == SQLITE_OK, let database else {
            throw POSIXError(.EIO)
        }
        self.database = database
        let table = """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            CREATE TABLE message (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, payload BLOB NOT NULL) STRICT;
            """
        var insertion: OpaquePointer?
        let insert = "INSERT INTO message (name, payload) VALUES ('probe', zeroblob(20))"
        guard sqlite3_exec(database, table, nil, nil, nil) == SQLITE_OK,
            sqlite3_prepare_v2(database, insert, -1, &insertion, nil) == SQLITE_OK, let insertion
        else { throw POSIXError(.EIO) }
        self.insertion = insertion
        try growLog()
    }

    /// Makes the write-ahead log grow before the measurement. SQLite overwrites the log after the first checkpoint, so the
    /// file no longer grows.
    private func growLog() throws {
        let growth = """
            BEGIN; INSERT INTO message (name, payload) VALUES ('large', zeroblob(6000000)); COMMIT;
            PRAGMA wal_checkpoint; DELETE FROM message; PRAGMA wal_checkpoint;
            """
        guard sqlite3_exec(database, growth, nil, nil, nil) == SQLITE_OK else { throw POSIXError(.EIO) }
    }

    /// Commits single rows for `length`. Returns the number of commits a second.
    func count(for length: Duration) throws -> Double {
        let start = steadyNanoseconds()
        let end = start + UInt64(length / .nanoseconds(1))
        var count = 0
        var now = start
        while now < end {
            guard sqlite3_step(insertion) == SQLITE_DONE else { throw POSIXError(.EIO) }
            sqlite3_reset(insertion)
            count += 1
            now = steadyNanoseconds()
        }
        return Double(count) * 1e9 / Double(now - start)
    }

    deinit {
        sqlite3_finalize(insertion)
        sqlite3_close(database)
    }
}
