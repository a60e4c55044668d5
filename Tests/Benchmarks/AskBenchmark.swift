import ArgumentParser
import Foundation
import Glibc
import Histogram
import HostSystem
import WatchLink
import Wormhole

struct AskBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Times round trips of 20 bytes between two processes: over a bare socket, and over the bridge.")

    @Option(help: "How often each way has its turn.")
    var turns = 7

    @Option(help: ArgumentHelp("How long a turn lasts, in milliseconds.", valueName: "milliseconds"))
    var length = 150

    func validate() throws {
        guard turns > 0, length > 0 else { throw ValidationError("there is at least one turn of a millisecond") }
    }

    func run() async throws {
        try Cores.keep(on: Cores.own)
        for cores in Cores.possible { print(try await measure(cores).text) }
    }

    private func measure(_ cores: Cores) async throws -> Figures {
        var ways: [(way: Way, asker: any Asker, turns: [RoundTrips])] = []
        for way in Way.allCases {
            ways.append((way, try await way.asker(OtherProcess(doing: way.answering, on: cores.other)), []))
        }
        // The first turn of each warms the processor up and is not counted.
        for turn in 0...turns {
            for index in ways.indices {
                let trips = try await ways[index].asker.ask(for: .milliseconds(length))
                if turn > 0 { ways[index].turns.append(trips) }
            }
        }
        var figures = Figures("20 bytes and their answer, \(cores.title), \(turns) turns")
        for (way, _, own) in ways {
            figures.add("\(way.title), p50", own.map { $0.median / 1_000 }, digits: 1, "us")
            figures.add("  / raw", zip(own, ways[0].turns).map { $0.median / $1.median }, digits: 2, "x")
        }
        return figures
    }
}

struct RoundTrips: Sendable {
    /// In nanoseconds. A round trip of more than a second counts as one second.
    private(set) var times = Histogram<UInt32>(
        highestTrackableValue: 1_000_000_000, numberOfSignificantValueDigits: .three)
    private let length: UInt64
    private var progress = Progress.waiting

    private enum Progress {
        case waiting
        /// The start times of the turn and of the current round trip, in nanoseconds.
        case running(since: UInt64, tripSince: UInt64)
    }

    init(for length: Duration) {
        self.length = UInt64(length / .nanoseconds(1))
    }

    /// Ends the current round trip, if there is one, and begins the next. Returns false if the turn has no time for the next.
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

    var median: Double { Double(times.valueAtPercentile(50)) }
}

/// A way to send 20 bytes to another process and receive 20 bytes as the answer.
enum Way: CaseIterable {
    case raw
    case transport
    case bridge
    case anyTask

    var title: String {
        switch self {
        case .raw: "raw socket, blocking threads"
        case .transport: "transport, tasks on the thread of the sockets"
        case .bridge: "ask and answer, on the thread of the sockets"
        case .anyTask: "ask and answer, from any task"
        }
    }

    func asker(_ other: consuming OtherProcess) async throws -> any Asker {
        switch self {
        case .raw: RawAsker(other)
        case .transport: try TransportAsker(other)
        case .bridge: try await BridgeAsker(other, on: Wormhole.socketExecutor)
        case .anyTask: try await BridgeAsker(other, on: globalConcurrentExecutor)
        }
    }

    var answering: Part {
        switch self {
        case .raw: .rawAnswers
        case .transport: .transportAnswers
        case .bridge, .anyTask: .answers
        }
    }
}

protocol Asker: Sendable {
    func ask(for length: Duration) async throws -> RoundTrips
}

enum Probe {
    static let name: MessageName = "probe"
    static let size = 20
    static let bytes = [UInt8](repeating: 0x61, count: size)
    /// Encoded as CBOR, this text has `size` bytes: one byte for its length, and the characters.
    static let text = String(repeating: "a", count: size - 1)
}

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

struct TransportAnswerer: Answerer {
    func serve(in directory: String) async throws {
        let transport = SocketTransport(try DatagramSocket(duplicating: OtherProcess.given))
        await withTaskExecutorPreference(Wormhole.socketExecutor) {
            while let datagram = try? await transport.receive() { try? await transport.send(datagram) }
        }
    }
}

extension DatagramSocket {
    fileprivate convenience init(duplicating descriptor: CInt) throws {
        let copy = try Descriptors.duplicate(descriptor, from: OtherProcess.given + 1)
        self.init(owning: copy)
        try Descriptors.setNonBlocking(copy)
    }
}

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
