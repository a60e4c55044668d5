import ArgumentParser
import CommandSupport
import Foundation
import HostSystem
import PhoneHost

/// `tapline phone order`: prints the learned order of a store.
struct OrderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Print the order in which you shop in a store, and why.",
        usage: "tapline phone order [--store NAME] [--explain ITEM] [--json]",
        discussion: """
            A list is in the order in which you shop. The phone learns it from the order of your check-offs at the end of a \
            trip, 15 minutes after its last check-off. Each list has its own order, unless `tapline phone store` has assigned it \
            to a store.

            --explain prints the trips and the neighbours that gave an item its place.

            EXAMPLES
              tapline phone order
              tapline phone order --store Corner --explain kale
            """)

    @Option(help: ArgumentHelp("The store, or a list; by default that of the list on the watches.", valueName: "name"))
    var store: String?

    @Option(help: ArgumentHelp("Explain the place of this item.", valueName: "item"))
    var explain: String?

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let order = try await places.order(of: store)
        guard let explain else {
            return try output.print(OrderText.text(order), json: PhoneReport.order(order))
        }
        let clean = try CleanTitle(explain).text
        guard let why = OrderExplanation(ItemKey(title: clean), in: order.learned) else {
            throw PhoneError.noItemInOrder(query: clean, store: order.store.name)
        }
        let store = order.store.name
        try output.print(OrderText.text(why, store: store), json: PhoneReport.explanation(why, store: store))
    }
}

/// `tapline phone stores`: prints the stores.
struct StoresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stores",
        abstract: "Print the stores, their lists, and how much was learned of each.",
        discussion: """
            A list without an assigned store has its own store, with the name of the list.

            EXAMPLES
              tapline phone stores
              tapline phone stores --json | jq -r '.[].name'
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let stores = try await places.look { store throws(PhoneError) in try await store.stores() }
        try output.print(OrderText.lines(stores), json: stores)
    }
}

/// `tapline phone store`: assigns a list to a store.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Assign a list to a store.",
        usage: "tapline phone store NAME [--list NAME] [OPTION ...]",
        discussion: """
            The list is then sorted in that store's order, unless you have arranged it (`tapline phone move`), and its \
            check-offs teach that order. A new store is created. It takes over what was learned of the list, if the list had no \
            store yet. Any other new store has learned nothing, and an item goes beside its nearest neighbour that both stores \
            know.

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
        try output.print(OrderText.lines([summary]), json: summary)
    }
}

enum OrderText {
    static func text(_ order: ShopOrder) -> String {
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

    /// One line for each store.
    static func lines(_ stores: [ShopSummary]) -> String { stores.map { "\(line($0))\n" }.joined() }

    private static func line(_ store: ShopSummary) -> String {
        let lists = store.lists.isEmpty ? "no list" : store.lists.map { "\"\($0)\"" }.joined(separator: ", ")
        return "\(store.name): \(lists), \(known(store))"
    }

    private static func known(_ store: ShopSummary) -> String {
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
}

extension PhoneReport {
    /// The day and the time of local seconds since 1970: `2026-11-20 18:05`.
    static func day(ofLocalSeconds seconds: Int64) -> String {
        String(time(Date(timeIntervalSince1970: Double(seconds))).dropLast(3))
    }

    static func order(_ order: ShopOrder) -> JSONObject {
        ["store": order.store, "items": order.learned.order.map { order.learned.titles[$0] }]
    }

    static func explanation(_ why: OrderExplanation, store: String) -> JSONObject {
        let trips = why.trips.map { trip -> JSONObject in
            [
                "start": day(ofLocalSeconds: trip.start), "place": trip.place, "count": trip.count,
                "weight": trip.weight, "before": trip.before, "after": trip.after,
            ]
        }
        let neighbours = why.neighbours.map { neighbour -> JSONObject in
            [
                "title": neighbour.title, "side": neighbour.side.rawValue, "agreeing": neighbour.agreeing,
                "opposing": neighbour.opposing,
            ]
        }
        return [
            "store": store, "title": why.title, "place": why.place, "count": why.count, "trips": trips,
            "neighbours": neighbours,
        ]
    }
}
