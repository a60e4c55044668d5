import ArgumentParser
import CommandSupport
import Foundation
import HostSystem
import PhoneHost
import ShoppingOrder

/// `tapline phone order`: the order that was learned of a store.
struct OrderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Print the order in which a store is shopped, why, and how right it is.",
        usage: "tapline phone order [--store NAME] [--explain ITEM | --replay FILE] [--json]",
        discussion: """
            A list is in the order in which you shop. That is learned from the order in which you check items off, when a \
            trip is over: 15 minutes after its last check-off. Each list has an order of its own, unless `tapline phone \
            store` has assigned it to a store.

            --explain tells the trips and the neighbours that gave an item its place. --replay reads a history, as \
            `tapline phone history --json` prints it, and measures how well each trip was foretold by those before it.

            EXAMPLES
              tapline phone order
              tapline phone order --store Corner --explain kale
              tapline phone history --json | tapline phone order --replay -
            """)

    @Option(help: ArgumentHelp("The store, or a list; by default that of the list on the watches.", valueName: "name"))
    var store: String?

    @Option(help: ArgumentHelp("Tell why this item is where it is.", valueName: "item"))
    var explain: String?

    @Option(help: ArgumentHelp("Measure the order against this history; - for standard input.", valueName: "file"))
    var replay: String?

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if explain != nil, replay != nil { throw ValidationError("Use either --explain or --replay, not both.") }
        if store != nil, replay != nil { throw ValidationError("--store does not go with --replay.") }
    }

    func run() async throws {
        if let replay {
            let measured = try HistoryReplay(contentsOf: replay).lists
            guard output.json else { return try StandardOutput.print(OrderText.text(measured)) }
            return try StandardOutput.printJSON(measured.map { PhoneReport.Replayed($0) })
        }
        let order = try await places.order(of: store)
        guard let explain else {
            guard output.json else { return try StandardOutput.print(OrderText.text(order)) }
            return try StandardOutput.printJSON(PhoneReport.Order(order))
        }
        let clean = try CleanTitle(explain).text
        guard let why = OrderExplanation(ItemKey(title: clean), in: order.learned) else {
            throw PhoneError.noItemInOrder(query: clean, store: order.store.name)
        }
        guard output.json else { return try StandardOutput.print(OrderText.text(why, store: order.store.name)) }
        try StandardOutput.printJSON(PhoneReport.Explanation(why, store: order.store.name))
    }
}

/// `tapline phone stores`: prints the stores.
struct StoresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stores",
        abstract: "Print the stores, their lists, and what was learned of them.",
        discussion: """
            A list that was assigned to no store has one of its own, which is called as the list is.

            EXAMPLES
              tapline phone stores
              tapline phone stores --json | jq -r '.[].name'
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let stores = try await places.look { store throws(PhoneError) in try await store.stores() }
        guard output.json else { return try StandardOutput.print(stores.map { "\(OrderText.line($0))\n" }.joined()) }
        try StandardOutput.printJSON(stores)
    }
}

/// `tapline phone store`: assigns a list to a store.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Say in which store a list is shopped from now on.",
        usage: "tapline phone store NAME [--list NAME] [OPTION ...]",
        discussion: """
            The list is sorted as that store is shopped, and what is checked off on it teaches that store's order. A store \
            that is new is made: it takes what was learned of the list, where that had no store yet. In another new store \
            nothing is known, and items go beside the nearest neighbour that is known in both.

            EXAMPLES
              tapline phone store Corner
              tapline phone store Market --list Saturday
            """)

    @Argument(help: "The name of the store.")
    var name: String

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let summary = try await places.change { store throws(PhoneError) in
            try await store.assign(list.list, to: name)
        }
        guard output.json else { return try StandardOutput.print("\(OrderText.line(summary))\n") }
        try StandardOutput.printJSON(summary)
    }
}

enum OrderText {
    static func text(_ order: StoreOrder) -> String {
        guard order.learned.count > 0 else {
            return
                "\(order.store.name): nothing was learned yet; a trip of three check-offs or more teaches its order\n"
        }
        let width = String(order.learned.count).count
        let lines = order.learned.order.enumerated().map { place, item in
            let number = String(place + 1)
            return String(repeating: " ", count: width - number.count) + "\(number)  \(order.learned.titles[item])"
        }
        return (["\(order.store.name): \(known(order.store))"] + lines).joined(separator: "\n") + "\n"
    }

    static func line(_ store: StoreSummary) -> String {
        let lists = store.lists.isEmpty ? "no list" : store.lists.map { "\"\($0)\"" }.joined(separator: ", ")
        return "\(store.name): \(lists), \(known(store))"
    }

    private static func known(_ store: StoreSummary) -> String {
        "\(CountText(store.items, "item")) from \(CountText(store.trips, "trip"))"
    }

    static func text(_ why: OrderExplanation, store: String) -> String {
        var lines = ["\(why.title) is \(why.place) of \(why.count) in \(store)."]
        for trip in why.trips {
            let around = [("after", trip.before), ("before", trip.after)].compactMap { word, titles in
                titles.isEmpty ? nil : "\(word) \(titles.joined(separator: ", "))"
            }
            let start = PhoneReport.day(ofLocalSeconds: trip.start)
            let weight = Int((trip.weight * 100).rounded())
            lines.append(
                "  trip of \(start), weight \(weight) %: \(trip.place) of \(trip.count)"
                    + (around.isEmpty ? "" : ", \(around.joined(separator: ", "))"))
        }
        for neighbour in why.neighbours {
            let trips = neighbour.agreeing + neighbour.opposing
            let votes =
                trips == 0
                ? "never on a trip with it" : "\(neighbour.agreeing) of \(CountText(trips, "trip")) with both say so"
            lines.append("  \(neighbour.side) \(neighbour.title): \(votes)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func text(_ lists: [HistoryReplay.Measured]) -> String {
        guard !lists.isEmpty else { return "There is no check-off in this history\n" }
        return lists.map { list in
            let replay = list.replay
            guard replay.total.trips > 0 else { return "\(list.list): fewer than two trips\n" }
            let rows = replay.counts.indices.compactMap { part -> String? in
                let counts = replay.counts[part]
                guard counts.trips > 0 else { return nil }
                return "  \(line("after \(OrderReplay.parts[part]) or more", counts))"
            }
            return ([line(list.list, replay.total)] + rows).joined(separator: "\n") + "\n"
        }.joined()
    }

    private static func line(_ head: String, _ counts: OrderReplay.Counts) -> String {
        "\(head): \(CountText(counts.trips, "trip")), \(percent(counts.right, counts.pairs)) of pairs right, "
            + "\(percent(counts.visible, counts.checkOffs)) of taps in the first \(OrderReplay.firstRows) rows, "
            + "\(percent(counts.unknown, counts.checkOffs)) unknown, \(CountText(counts.flipped, "untouched pair")) flipped"
    }

    private static func percent(_ part: Int, _ whole: Int) -> String {
        guard whole > 0 else { return "none" }
        let tenths = (part * 2_000 + whole) / (2 * whole)
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

extension PhoneReport {
    /// The day of a time in local seconds since 1970: `2026-11-20 18:05`.
    static func day(ofLocalSeconds seconds: Int64) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day().dateSeparator(.dash)
            .time(includingFractionalSeconds: false)
        return String(
            Date(timeIntervalSince1970: Double(seconds)).formatted(style).replacingOccurrences(of: "T", with: " ")
                .prefix(16))
    }

    struct Order: Encodable {
        var store: StoreSummary
        var items: [String]

        init(_ order: StoreOrder) {
            store = order.store
            items = order.learned.order.map { order.learned.titles[$0] }
        }
    }

    struct Explanation: Encodable {
        struct Trip: Encodable {
            var start: String
            var place: Int
            var count: Int
            var weight: Double
            var before: [String]
            var after: [String]
        }

        struct Neighbour: Encodable {
            var title: String
            var side: String
            var agreeing: Int
            var opposing: Int
        }

        var store: String
        var title: String
        var place: Int
        var count: Int
        var trips: [Trip]
        var neighbours: [Neighbour]

        init(_ why: OrderExplanation, store: String) {
            (self.store, title, place, count) = (store, why.title, why.place, why.count)
            trips = why.trips.map {
                Trip(
                    start: day(ofLocalSeconds: $0.start), place: $0.place, count: $0.count, weight: $0.weight,
                    before: $0.before, after: $0.after)
            }
            neighbours = why.neighbours.map {
                Neighbour(title: $0.title, side: $0.side.rawValue, agreeing: $0.agreeing, opposing: $0.opposing)
            }
        }
    }

    struct Replayed: Encodable {
        struct Part: Encodable {
            var afterTrips: Int
            var counts: Counts
        }

        struct Counts: Encodable {
            var trips, checkOffs, unknown, pairs, right, visible, flipped: Int

            init(_ counts: OrderReplay.Counts) {
                (trips, checkOffs, unknown) = (counts.trips, counts.checkOffs, counts.unknown)
                (pairs, right) = (counts.pairs, counts.right)
                (visible, flipped) = (counts.visible, counts.flipped)
            }
        }

        var list: String
        var total: Counts
        var parts: [Part]

        init(_ measured: HistoryReplay.Measured) {
            list = measured.list
            total = Counts(measured.replay.total)
            parts = zip(OrderReplay.parts, measured.replay.counts).map { Part(afterTrips: $0, counts: Counts($1)) }
        }
    }
}
