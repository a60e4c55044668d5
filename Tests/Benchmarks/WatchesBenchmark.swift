import ArgumentParser
import DeviceModel
import Foundation
import Histogram
import HostRadio
import HostSystem
import PhoneHost
import Synchronization
import TestDoubles
import TestSupport
import Watch
import WatchLink
import Wormhole

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
        let directory = TemporaryDirectory(in: place)
        let host = try await Host(in: directory.path)
        let before = (Usage.residentBytes, Usage.processorMicroseconds)
        let other = try OtherProcess(doing: .manyWatches, on: Cores.possible.last?.other ?? 0, count: count)
        try host.admitWatches(to: other.directory.path)
        // Each watch reports the length of its list when it has the list.
        _ = try await other.reports(count, of: UInt64(Host.items))
        let connected = (Usage.residentBytes, Usage.processorMicroseconds)
        var times = Histogram.ofArrivals()
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
        figures.add("a change until it is applied on a watch", times.percentiles)
        figures.add("a change until it is applied on all of them", last, digits: 1, "ms")
        print(figures.text)
        await host.stop()
    }
}

struct CheckOffBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-off",
        abstract: "Taps rows of a simulated watch, and times when another one no longer shows them.",
        discussion: """
            The host is this process, the two watches are another one. Each watch is the product's program on a simulated board \
            whose processor, flash and panel take no time; their radios are Unix sockets.
            """)

    @Option(help: "How many rows are tapped.")
    var count = 50

    @Option(help: "The directory of the database: which disk it is on.")
    var place = "/tmp"

    func validate() throws {
        guard count > 0 else { throw ValidationError("there is at least one tap") }
    }

    func run() async throws {
        try Cores.keep(on: Cores.own)
        let directory = TemporaryDirectory(in: place)
        let host = try await Host(in: directory.path, items: count + 3)
        let other = try OtherProcess(doing: .twoWatches, on: Cores.possible.last?.other ?? 0, count: count)
        try host.admitWatches(to: other.directory.path)
        var times = Histogram.ofArrivals()
        for (_, nanoseconds) in try await other.reports(count) { times.record(min(nanoseconds / 1_000, 60_000_000)) }
        var figures = Figures("\(count) check-offs on watch A, host in \(place)")
        figures.add("from the tap until watch B does not show the row", times.percentiles)
        print(figures.text)
        await host.stop()
    }
}

struct CheckOffWatches: Answerer {
    let count: Int

    func serve(in directory: String) async throws {
        let (near, far) = (try watch(directory), try watch(directory))
        // `SimulatedWatch.wait` blocks the thread that calls it.
        try await SystemThread.result { tap(near, until: far) }
        try await OtherProcess.waitForEnd()
        near.stop()
        far.stop()
    }

    private func tap(_ near: SimulatedWatch, until far: SimulatedWatch) {
        for _ in 0..<count {
            // Waits until both watches have removed the row that was tapped before.
            let shown = wait(for: far) { $0.description.screen == .list && !$0.description.rows.isEmpty }
            let title = shown?.description.rows.first?.title
            guard
                wait(for: near, until: { $0.description.screen == .list && $0.description.rows.first?.title == title })
                    != nil
            else { return }
            // The watch ignores a touch just after rows have moved.
            usleep(400_000)
            let start = steadyNanoseconds()
            near.send(.tap(row: 0))
            guard wait(for: far, until: { $0.description.rows.first?.title != title }) != nil else { return }
            OtherProcess.report(0, steadyNanoseconds() - start)
        }
    }

    /// Waits until the watch meets a condition, and returns its snapshot. If 20 s pass or the watch stops, prints an error and
    /// ends the process.
    private func wait(
        for watch: SimulatedWatch, until condition: @escaping @Sendable (WatchSnapshot) -> Bool
    ) -> WatchSnapshot? {
        switch watch.wait(for: .seconds(20), until: condition) {
        case .met(let snapshot): return snapshot
        case .timedOut, .stopped:
            Console.complain("a watch is stuck: \(watch.snapshot.description)")
            exit(1)
        }
    }

    private func watch(_ directory: String) throws -> SimulatedWatch {
        let board = try SimulatedBoard(
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)), radio: SocketRadio(path: directory + "/host.sock"),
            clock: .real(HostClock()), calendar: .machine, profile: .instant)
        return try SimulatedWatch(
            running: RuntimeProgram(on: board, handler: ShippingHandler(), seed: .random(in: .min ... .max)))
    }
}

/// Many watches without screens, all on one thread. Each watch is a socket, a session and a list in memory.
struct ManyWatches: Answerer {
    let count: Int

    func serve(in directory: String) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for number in 1...count {
                // The watches connect one after the other. If more than 64 channels have sent no hello, the host closes the
                // oldest of them.
                var watch = try await LightWatch(number, UnixConnector(path: directory + "/host.sock"))
                while !watch.isOpen { try await watch.step() }
                let opened = watch
                group.addTask(executorPreference: Wormhole.socketExecutor) {
                    var watch = opened
                    // The loop ends when the host closes the link.
                    while (try? await watch.step()) != nil {}
                }
            }
        }
        try await OtherProcess.waitForEnd()
    }
}

/// A watch without a screen. It applies the changes of the list, and reports each new length of the list.
private struct LightWatch {
    private let transport: any DatagramTransport
    private let clock = SystemClock()
    private var session: Session
    private var list = WatchModel()

    init(_ number: Int, _ connector: UnixConnector) async throws {
        transport = try await LightWatch.connect(connector)
        let identity = LinkIdentity(role: .watch, identity: UInt64(number), epoch: 1, name: LinkName("light"))
        session = Session(identity: identity, limits: LinkLimits(largestSDU: 512))
        session.connected(at: clock.now, maximumSDU: transport.largestDatagram)
    }

    private static func connect(_ connector: UnixConnector) async throws -> any DatagramTransport {
        while true {
            do throws(WormholeError) { return try await connector.connect() } catch {
                guard case .noListener = error else { throw error }
                // The host does not listen yet, so this tries again.
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    var isOpen: Bool { session.peer != nil }

    /// Sends the frames that are due, and handles the next datagram.
    ///
    /// - Throws: if the link has ended.
    mutating func step() async throws {
        guard try await answer() else { throw OtherProcessHasGone() }
        let datagram = try await transport.receive()
        guard case .message(let header) = session.receive(datagram.span, at: clock.now) else { return }
        let body = try MessageBody(datagram.span, header: header)
        let name = body.name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        if name == "list" { try apply(body.payload.withUnsafeBufferPointer { Array($0) }) }
        session.applied(header.delivery, sequence: header.sequence, at: clock.now)
    }

    private mutating func apply(_ payload: [UInt8]) throws {
        let before = list.items
        try list.apply(payload: payload)
        if list.items != before { OtherProcess.report(list.items, steadyNanoseconds()) }
    }

    /// Sends the frames that are due. The caller then waits for a datagram without a time limit, because the host pings this
    /// watch.
    ///
    /// - Returns: false if the session has closed the link.
    private mutating func answer() async throws -> Bool {
        while true {
            switch session.next(at: clock.now) {
            case .transmit(let request):
                let frame = session.frame(for: request)
                var bytes = [UInt8](repeating: 0, count: LinkLimits.longestControlFrame)
                var writer = CBORWriter(bytes.mutableSpan)
                try frame.encode(into: &writer)
                let count = writer.count
                try await transport.send(Array(bytes[..<count]))
                session.sent(control: frame, at: clock.now)
            case .wait: return true
            case .close, .sendQueued, .sendLatest: return false
            }
        }
    }
}

extension WatchModel {
    /// The number of items on the list, including those for which the watch has no room.
    fileprivate var items: UInt64 { UInt64(rows.count) + UInt64(more) }
}

struct Host: Sendable {
    static let items = 12

    private let store: PhoneStore
    private let path: String
    private let server: PhoneServer

    init(in directory: String, items: Int = Host.items) async throws {
        store = try PhoneStore(path: directory + "/phone.sqlite")
        _ = try await store.add((1...items).map { ItemDraft(title: try CleanTitle("Item \($0)")) })
        let sockets = try SocketDirectory(path: directory + "/sockets")
        let watches = try UnixListener(PhoneSockets.watchSocketName, in: sockets)
        path = watches.path
        server = PhoneServer(
            store: store, watches: BondedListener(watches),
            control: try ControlSocket.endpoint(.phone).listener(in: sockets),
            name: "Phone",
            checkingEvery: .seconds(1), logger: .silent)
        try await server.start()
    }

    /// Links the host's socket into `directory`, where the watches of the other process look for it.
    func admitWatches(to directory: String) throws {
        try FileManager.default.createSymbolicLink(atPath: directory + "/host.sock", withDestinationPath: path)
    }

    func add(_ title: String) async throws {
        _ = try await store.add([ItemDraft(title: try CleanTitle(title))])
        await server.listChanged()
    }

    func stop() async { await server.stop() }
}

/// Accepts every watch as if it were a bonded device. A phone remembers at most 256 watches without a bond.
private final class BondedListener: TransportListener {
    private let listener: UnixListener
    private let count = Atomic<UInt64>(0)

    init(_ listener: UnixListener) { self.listener = listener }

    func accept() async throws(WormholeError) -> any DatagramTransport {
        let transport = try await listener.accept()
        let number = count.add(1, ordering: .relaxed).newValue
        return BondedTransport(peer: .bondedDevice(address: "watch \(number)"), transport: transport)
    }

    func close() { listener.close() }
}

private struct BondedTransport: DatagramTransport {
    let peer: TransportPeer
    let transport: any DatagramTransport

    var largestDatagram: Int { transport.largestDatagram }
    var arrivals: (any TaskExecutor)? { transport.arrivals }

    nonisolated(nonsending) func send(_ datagram: [UInt8]) async throws(WormholeError) {
        try await transport.send(datagram)
    }

    func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool { try transport.sendAtOnce(datagram) }

    nonisolated(nonsending) func receive() async throws(WormholeError) -> [UInt8] { try await transport.receive() }

    func receiveAtOnce() throws(WormholeError) -> [UInt8]? { try transport.receiveAtOnce() }

    func close() { transport.close() }
}
