import ArgumentParser
import Foundation
import Histogram
import PhoneHost
import TestSupport
import Wormhole

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
            doing: .hearsRelays, on: Cores.possible.last?.other ?? 0, in: place, count: count)
        let store = try MessageStore(path: other.directory.file("store"))
        let (phone, _) = try await Wormhole.phone(of: other, store: store)
        async let arrivals = other.reports(count)
        let interval = UInt64(every) * 1_000_000
        let start = steadyNanoseconds()
        var passed: [UInt64] = []
        for number in 1...count {
            let due = start + UInt64(number) * interval
            let now = steadyNanoseconds()
            // A late value is passed at once, so that the sender keeps its rate.
            if due > now { try await Task.sleep(nanoseconds: due - now) }
            passed.append(steadyNanoseconds())
            try await phone.pass(number, under: Probe.name)
        }
        // For each missing value, the other process reports the last value once more.
        let heard = try await arrivals
        var (latencies, jitters) = (Histogram.ofArrivals(), Histogram.ofArrivals())
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
        store.close()
    }
}

struct RelayListener: Answerer {
    let count: Int

    func serve(in directory: String) async throws {
        let watch = try Wormhole.watch(in: directory, store: try MessageStore(path: directory + "/watch"))
        let values = watch.messages(of: Int.self, under: Probe.name)
        try await watch.start()
        var told = 0
        for await value in values {
            OtherProcess.report(UInt64(value), steadyNanoseconds())
            told += 1
            // Values that are missing when the last value arrives never come. The last value is reported in their place.
            guard value == count else { continue }
            for _ in told..<max(told, count) { OtherProcess.report(UInt64(value), steadyNanoseconds()) }
            break
        }
        try await OtherProcess.waitForEnd()
        await watch.close()
    }
}

extension Histogram<UInt32> {
    /// Creates a histogram for times of up to a minute, in microseconds.
    static func ofArrivals() -> Histogram {
        Histogram(highestTrackableValue: 60_000_000, numberOfSignificantValueDigits: .three)
    }

    var percentiles: String {
        let parts = [("p50", 50.0), ("p99", 99.0), ("most", 100.0)].map { name, percentile in
            String(format: "\(name) %.1f ms", Double(valueAtPercentile(percentile)) / 1_000)
        }
        return parts.joined(separator: ", ")
    }
}

struct OutstandingBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outstanding",
        abstract: "Weighs a program whose queued messages of 20 bytes wait for a peer that is away.")

    @Option(help: "How many messages wait.")
    var count = 10_000

    func validate() throws {
        guard (1...MessageStore.mostWaiting).contains(count) else {
            throw ValidationError("1 to \(MessageStore.mostWaiting) messages wait")
        }
    }

    func run() async throws {
        // The messages are queued in a new process, in which nothing else has used memory.
        let other = try OtherProcess(doing: .queuesMessages, on: Cores.own, count: count)
        let weights = try await other.reports(3).map { Double($0.0) }
        var figures = Figures("\(count) outstanding messages of 20 bytes, resident memory")
        func add(_ name: String, _ bytes: Double) {
            figures.add(
                name, String(format: "%.1f MB, %.0f bytes a message", bytes / 1e6, (bytes - weights[0]) / Double(count))
            )
        }
        figures.add("before", String(format: "%.1f MB", weights[0] / 1e6))
        add("after, with the handles of all of them", weights[1])
        add("after, as another run of the program has them", weights[2])
        print(figures.text)
    }
}

/// Queues messages for a peer that is away. Reports the resident memory three times: before the messages are queued, when they
/// are queued, and when the store has been opened again.
struct OutstandingQueue: Answerer {
    let count: Int

    func serve(in directory: String) async throws {
        let first = try await Queue(directory)
        OtherProcess.report(UInt64(Usage.residentBytes))
        let handles = try await withThrowingTaskGroup(of: [MessageHandle?].self) { group in
            let together = min(count, 100)
            for part in 0..<together {
                group.addTask {
                    var handles: [MessageHandle?] = []
                    for _ in stride(from: part, to: count, by: together) {
                        handles.append(try await first.watch.pass(Probe.text, under: "probe", delivery: .queued))
                    }
                    return handles
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        OtherProcess.report(UInt64(Usage.residentBytes))
        await first.close()
        withExtendedLifetime(handles) {}
        try await again(directory)
        try await OtherProcess.waitForEnd()
    }

    private func again(_ directory: String) async throws {
        let next = try await Queue(directory)
        guard try await next.watch.outstanding().count == count else { throw OtherProcessHasGone() }
        OtherProcess.report(UInt64(Usage.residentBytes))
        await next.close()
    }

    private struct Queue: Sendable {
        let store: MessageStore
        let watch: Wormhole

        init(_ directory: String) async throws {
            store = try MessageStore(path: directory + "/store")
            watch = .quiet(.connects(UnixConnector(path: directory + "/nobody")), as: .watch, store: store)
            try await watch.start()
        }

        func close() async {
            await watch.close()
            store.close()
        }
    }
}

struct OrderBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Times check-offs, and what the order takes, beside a history of check-offs.",
        discussion: """
            Forty items of 300 a trip, one trip a day. The order's part of a check-off is the look whether a trip is over; what \
            is learned is learned once a trip.
            """)

    @Option(name: .customLong("check-offs"), help: "How many check-offs the history has.")
    var checkOffs = 100_000

    @Option(help: "How many check-offs, and looks, are timed.")
    var count = 1_000

    @Option(help: "The directory of the database: which disk it is on.")
    var place = "/tmp"

    private static let itemsOnTrip = 40
    private static let items = 300

    func run() async throws {
        let directory = TemporaryDirectory(in: place)
        let store = try PhoneStore(path: directory.file("phone.sqlite"))
        let items = try await store.add(
            try (1...OrderBenchmark.items).map { ItemDraft(title: try CleanTitle("Item \($0)"), kind: .checked) }
        ).items
        let trips = max(1, checkOffs / OrderBenchmark.itemsOnTrip)
        for trip in 0..<trips {
            try await shop(items, Date(timeIntervalSinceNow: -86_400 * Double(trips - trip)), store)
        }
        var figures = Figures("\(trips * OrderBenchmark.itemsOnTrip) check-offs in the history")
        func time(_ what: String, _ times: Int, _ body: () async throws -> Void) async throws {
            let start = ContinuousClock.now
            for _ in 0..<times { try await body() }
            let each = (ContinuousClock.now - start) / times
            figures.add(
                what, each.formatted(.units(allowed: [.seconds, .milliseconds, .microseconds], width: .narrow)))
        }
        try await time("to learn all of it", 1) { _ = try await store.order() }
        try await time("to read the order, and to place an item", 20) { _ = try await store.order() }
        let open = try await store.add((1...count).map { ItemDraft(title: try CleanTitle("Item \($0)")) }).items
        var next = open.makeIterator()
        try await time("a check-off, all of it", count) {
            guard let item = next.next() else { return }
            try await store.apply(ListEdit(item: item.id, action: .check(at: Date())), origin: .phone)
        }
        // Measured with a read, because a write would add a sync of the disk. A check-off has that sync anyway.
        try await time("the order's part of it", count) { _ = try await store.isOrderDue(of: nil) }
        // Holds many orders, because malloc takes memory from the system in large pieces.
        let before = Usage.residentBytes
        var orders: [ShopOrder] = []
        for _ in 0..<OrderBenchmark.held { orders.append(try await store.order()) }
        let each = (Usage.residentBytes - before) / orders.count / 1_024
        figures.add("memory of the order", "\(each) KiB")
        figures.add("trips, items", "\(orders[0].store.trips), \(orders[0].store.items)")
        print(figures.text)
        try store.close()
    }

    private static let held = 64

    /// Records a trip with random items. The items are opened an hour before `begin`. From `begin` on, one item is checked
    /// off every 30 s.
    private func shop(_ items: [StoredItem], _ begin: Date, _ store: PhoneStore) async throws {
        let chosen = items.shuffled().prefix(OrderBenchmark.itemsOnTrip).sorted { $0.rank < $1.rank }
        let earlier = begin.addingTimeInterval(-3_600)
        try await store.apply(
            chosen.map { ListEdit(item: $0.id, action: .uncheck(at: earlier)) }
                + chosen.enumerated().map { index, item in
                    ListEdit(item: item.id, action: .check(at: begin.addingTimeInterval(30 * Double(index))))
                }, origin: .phone)
    }
}
