import ArgumentParser
import Foundation
import PhoneHost

/// What the learned order costs beside a long history.
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
        let directory = try TemporaryDirectory(in: place)
        let store = try PhoneStore(path: directory.path + "/phone.sqlite")
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
        try await time("to learn all of it", 1) { _ = try await store.rebuildOrders() }
        try await time("to read the order, and to place an item", 20) { _ = try await store.order() }
        let open = try await store.add((1...count).map { ItemDraft(title: try CleanTitle("Item \($0)")) }).items
        var next = open.makeIterator()
        try await time("a check-off, all of it", count) {
            guard let item = next.next() else { return }
            try await store.apply(ListEdit(item: item.id, action: .check(at: Date())), origin: .phone)
        }
        // As a reader: in a transaction of its own that writes, a sync of the disk would be timed, which a check-off has anyway.
        try await time("the order's part of it", count) { _ = try await store.isOrderDue(of: nil) }
        // Many of them, so that what malloc takes at once does not matter.
        let before = Usage.residentBytes
        var orders: [StoreOrder] = []
        for _ in 0..<OrderBenchmark.held { orders.append(try await store.order()) }
        let each = (Usage.residentBytes - before) / orders.count / 1_024
        figures.add("memory of the order", "\(each) KiB")
        figures.add("trips, items", "\(orders[0].store.trips), \(orders[0].store.items)")
        print(figures.text)
        try store.close()
    }

    private static let held = 64

    /// Opens the items of a trip and checks them off, half a minute each.
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
