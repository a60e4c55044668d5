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
        abstract: "Print the order in which a store is shopped, and why.",
        usage: "tapline phone order [--store NAME] [--explain ITEM | --rebuild] [--json]",
        discussion: """
            A list is in the order in which you shop. That is learned from the order in which you check items off, when a \
            trip is over: 15 minutes after its last check-off. Each list has an order of its own, unless `tapline phone \
            store` has assigned it to a store.

            --explain tells the trips and the neighbours that gave an item its place. --rebuild learns all orders from the \
            history again.

            EXAMPLES
              tapline phone order
              tapline phone order --store Corner --explain kale
              tapline phone order --rebuild
            """)

    @Option(help: ArgumentHelp("The store, or a list; by default that of the list on the watches.", valueName: "name"))
    var store: String?

    @Option(help: ArgumentHelp("Tell why this item is where it is.", valueName: "item"))
    var explain: String?

    @Flag(help: "Learn all orders from the history again.")
    var rebuild = false

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if explain != nil, rebuild { throw ValidationError("Use either --explain or --rebuild.") }
        if store != nil, rebuild { throw ValidationError("--store does not go with --rebuild.") }
    }

    func run() async throws {
        if rebuild {
            let stores = try await places.change { store throws(PhoneError) in try await store.rebuildOrders() }
            return try StoresCommand.print(stores, json: output.json)
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
        try StoresCommand.print(stores, json: output.json)
    }

    static func print(_ stores: [StoreSummary], json: Bool) throws {
        guard json else { return try StandardOutput.print(stores.map { "\(OrderText.line($0))\n" }.joined()) }
        try StandardOutput.printJSON(stores.map { PhoneReport.Store($0) })
    }
}

/// `tapline phone store`: assigns a list to a store.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Say in which store a list is shopped from now on.",
        usage: "tapline phone store NAME [--list NAME] [--shared | --personal WATCH] [OPTION ...]",
        discussion: """
            The list is sorted as that store is shopped, and what is checked off on it teaches that store's order. A store \
            that is new is made: it takes what was learned of the list, where that had no store yet. In another new store \
            nothing is known, and items go beside the nearest neighbour that is known in both.

            An order is shared by default: everybody's check-offs teach it. With --personal only one watch's do, or with \
            --personal phone only those made on the phone. WATCH is as `tapline phone watches` shows it.

            EXAMPLES
              tapline phone store Corner
              tapline phone store Market --list Saturday
              tapline phone store Corner --personal 9f8d
              tapline phone store Corner --shared
            """)

    @Argument(help: "The name of the store.")
    var name: String

    @Flag(help: "Learn from everybody's check-offs.")
    var shared = false

    @Option(help: ArgumentHelp("Learn from this watch's check-offs only, or from the phone's.", valueName: "watch"))
    var personal: String?

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if shared && personal != nil { throw ValidationError("Use either --shared or --personal, not both.") }
    }

    func run() async throws {
        let summary = try await places.change { store throws(PhoneError) in
            let teacher: OrderTeacher?
            switch personal {
            case nil: teacher = shared ? .everyone : nil
            case "phone": teacher = .phone
            case let watch?: teacher = .watch(try await store.watch(watch).identity)
            }
            return try await store.assign(list.list, to: name, teacher: teacher)
        }
        guard output.json else { return try StandardOutput.print("\(OrderText.line(summary))\n") }
        try StandardOutput.printJSON(PhoneReport.Store(summary))
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
        let whose =
            switch store.teacher {
            case .everyone: "shared"
            case .phone: "personal: the phone"
            case .watch(let identity): "personal: watch \(PhoneReport.hexadecimal(identity))"
            }
        return "\(store.name): \(lists), \(known(store)), \(whose)"
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

    struct Store: Encodable {
        var name: String
        var kind: String
        var lists: [String]
        var trips: Int
        var items: Int
        var teacher: String

        init(_ store: StoreSummary) {
            (name, kind, lists) = (store.name, store.kind.rawValue, store.lists)
            (trips, items) = (store.trips, store.items)
            switch store.teacher {
            case .everyone: teacher = "everyone"
            case .phone: teacher = "phone"
            case .watch(let identity): teacher = hexadecimal(identity)
            }
        }
    }

    struct Order: Encodable {
        var store: Store
        var items: [String]

        init(_ order: StoreOrder) {
            store = Store(order.store)
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
}
