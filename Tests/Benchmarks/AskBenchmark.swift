import ArgumentParser
import Foundation
import Glibc
import Histogram
import HostSystem
import WatchLink
import Wormhole

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

/// What was measured.
struct AskReport: Encodable {
    /// The figures of a way, in microseconds.
    struct Row: Encodable {
        let way: Way
        /// Round trips that were timed.
        let count: UInt64
        let p50: Double
        let p99: Double
        /// The median over that of the raw way in the same turn: in the middle of the turns, the least and the most.
        let ratio: Ratio
    }

    struct Ratio: Encodable {
        let median: Double
        let least: Double
        let most: Double
    }

    /// What was measured on some cores.
    struct Table: Encodable {
        let cores: Cores
        let rows: [Row]
    }

    let turns: Int
    let tables: [Table]

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    var text: String {
        tables.map { table in
            let columns = "      p50      p99   p50 / raw, median of \(turns) turns (least to most)"
            return (["20 bytes and their answer, us, \(table.cores.title)".padded + columns] + table.rows.map(\.text))
                .joined(separator: "\n")
        }.joined(separator: "\n")
    }
}

extension AskReport.Table {
    /// The table of every way's turns; the raw way comes first.
    init(_ cores: Cores, _ ways: [(Way, [RoundTrips])]) {
        let raw = ways[0].1.map(\.median)
        self.cores = cores
        rows = ways.map { way, turns in
            var all = turns[0].times
            for turn in turns.dropFirst() { all.add(turn.times) }
            let ratios = Spread(zip(turns, raw).map { $0.median / $1 })
            return AskReport.Row(
                way: way, count: all.totalCount, p50: Double(all.valueAtPercentile(50)) / 1_000,
                p99: Double(all.valueAtPercentile(99)) / 1_000,
                ratio: AskReport.Ratio(median: ratios.median, least: ratios.least, most: ratios.most))
        }
    }
}

extension AskReport.Row {
    fileprivate var text: String {
        "  \(way.title)".padded + String(format: " %8.1f %8.1f   ", p50, p99)
            + Spread([ratio.least, ratio.median, ratio.most]).text(digits: 2)
    }
}

extension String {
    fileprivate var padded: String { padding(toLength: 58, withPad: " ", startingAt: 0) }
}

/// The round trips of one turn, one after the other until its time is over.
struct RoundTrips: Sendable {
    /// How long each took, in nanoseconds; a second at most.
    private(set) var times = Histogram<UInt32>(
        highestTrackableValue: 1_000_000_000, numberOfSignificantValueDigits: .three)
    private let length: UInt64
    private var progress = Progress.waiting

    private enum Progress {
        case waiting
        /// When the first round trip began, and the present one, in nanoseconds.
        case running(since: UInt64, tripSince: UInt64)
    }

    /// A turn of this length, which begins with the first round trip.
    init(for length: Duration) {
        self.length = UInt64(length / .nanoseconds(1))
    }

    /// Ends the round trip that went on. Returns whether there is time for another, which begins.
    mutating func begin() -> Bool {
        let now = steadyNanoseconds()
        guard case .running(let start, let tripStart) = progress else {
            progress = .running(since: now, tripSince: now)
            return true
        }
        times.record(min(now - tripStart, 1_000_000_000))
        progress = .running(since: start, tripSince: now)
        return now - start < length
    }

    /// Half of them took no longer, in nanoseconds.
    var median: Double { Double(times.valueAtPercentile(50)) }
}

/// A way to have 20 bytes answered by another process.
enum Way: String, CaseIterable, ExpressibleByArgument, Encodable {
    /// Blocking calls of a thread on each side, with nothing of ours: what the others are compared with.
    case raw
    /// A task on each side of a `SocketTransport`, on the thread of the sockets: what the transport costs.
    case transport
    /// `Wormhole.ask` and `answer`, asked on the thread of the sockets.
    case bridge
    /// The same, asked by any task.
    case anyTask = "any-task"

    /// What it is called in the table.
    var title: String {
        switch self {
        case .raw: "raw socket, blocking threads"
        case .transport: "transport, tasks on the thread of the sockets"
        case .bridge: "ask and answer, on the thread of the sockets"
        case .anyTask: "ask and answer, from any task"
        }
    }

    /// The side that asks, and measures.
    func asker(_ other: consuming OtherProcess) async throws -> any Asker {
        switch self {
        case .raw: RawAsker(other)
        case .transport: try TransportAsker(other)
        case .bridge: try await BridgeAsker(other, on: Wormhole.socketExecutor)
        case .anyTask: try await BridgeAsker(other, on: globalConcurrentExecutor)
        }
    }

    /// The side that answers.
    var answerer: any Answerer {
        switch self {
        case .raw: RawAnswerer()
        case .transport: TransportAnswerer()
        case .bridge, .anyTask: BridgeAnswerer()
        }
    }
}

protocol Asker: Sendable {
    /// Times round trips for so long.
    func ask(for length: Duration) async throws -> RoundTrips
}

/// What every way asks and answers.
enum Probe {
    static let name: MessageName = "probe"
    /// Bytes of a question and of an answer.
    static let size = 20
    static let bytes = [UInt8](repeating: 0x61, count: size)
    /// A text that is as long when it is encoded: one byte says how long it is.
    static let text = String(repeating: "a", count: size - 1)
}

/// Asks a peer over the bridge.
struct BridgeAsker: Asker {
    private let other: OtherProcess
    private let phone: Wormhole
    private let watch: PeerIdentity
    private let executor: any TaskExecutor

    init(_ other: OtherProcess, on executor: any TaskExecutor) async throws {
        self.other = other
        self.executor = executor
        (phone, watch) = try await Wormhole.phone(of: other)
    }

    func ask(for length: Duration) async throws -> RoundTrips {
        try await withTaskExecutorPreference(executor) {
            var trips = RoundTrips(for: length)
            while trips.begin() {
                _ = try await phone.ask(Probe.text, under: Probe.name, for: String.self, of: watch)
            }
            return trips
        }
    }
}

/// Answers over the bridge with what it is asked.
struct BridgeAnswerer: Answerer {
    func serve(in directory: String) async throws {
        let watch = try Wormhole.watch(in: directory)
        let registration = try watch.answer(Probe.name, of: String.self) { text, _ in text }
        try await watch.start()
        try await OtherProcess.waitForEnd()
        registration.end()
        await watch.close()
    }
}

/// Asks over a transport, from a task.
struct TransportAsker: Asker {
    private let other: OtherProcess
    private let transport: SocketTransport

    init(_ other: OtherProcess) throws {
        self.other = other
        guard let socket = other.socket.number else { throw OtherProcessHasGone() }
        transport = SocketTransport(try DatagramSocket(duplicating: socket))
    }

    func ask(for length: Duration) async throws -> RoundTrips {
        try await withTaskExecutorPreference(Wormhole.socketExecutor) {
            var trips = RoundTrips(for: length)
            while trips.begin() {
                try await transport.send(Probe.bytes)
                _ = try await transport.receive()
            }
            return trips
        }
    }
}

/// Sends back what it receives, in a task.
struct TransportAnswerer: Answerer {
    func serve(in directory: String) async throws {
        let transport = SocketTransport(try DatagramSocket(duplicating: OtherProcess.given))
        await withTaskExecutorPreference(Wormhole.socketExecutor) {
            while let datagram = try? await transport.receive() { try? await transport.send(datagram) }
        }
    }
}

extension DatagramSocket {
    /// A socket of its own for the one that this descriptor means.
    fileprivate convenience init(duplicating descriptor: CInt) throws {
        let copy = try Descriptors.duplicate(descriptor, from: OtherProcess.given + 1)
        self.init(owning: copy)
        try Descriptors.setNonBlocking(copy)
    }
}

/// Asks with blocking calls, on a thread of its own.
struct RawAsker: Asker {
    private let other: OtherProcess

    init(_ other: OtherProcess) { self.other = other }

    func ask(for length: Duration) async throws -> RoundTrips {
        let trips = try await SystemThread.result { [other] () -> RoundTrips? in
            guard let socket = other.socket.number else { return nil }
            var buffer = Probe.bytes
            var trips = RoundTrips(for: length)
            while trips.begin() {
                guard send(socket, buffer, Probe.size, 0) == Probe.size, recv(socket, &buffer, Probe.size, 0) > 0
                else { return nil }
            }
            return trips
        }
        guard let trips else { throw OtherProcessHasGone() }
        return trips
    }
}

struct RawAnswerer: Answerer {
    func serve(in directory: String) async throws {
        try await SystemThread.result {
            var buffer = Probe.bytes
            while recv(OtherProcess.given, &buffer, Probe.size, 0) > 0 {
                _ = send(OtherProcess.given, buffer, Probe.size, CInt(MSG_NOSIGNAL))
            }
        }
    }
}
