import ArgumentParser
import CommandSupport
import Foundation
import HostSystem
import PhoneHost

struct OrderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Print the learned order of a shop, and why.",
        usage: "tapline phone order [--shop NAME] [--explain ITEM] [--json]",
        discussion: """
            A list is in the order in which you shop. The phone learns it from the order of your check-offs at the end of a \
            trip, 15 minutes after its last check-off. Each list has its own order, unless `tapline phone shop` has assigned it \
            to a shop.

            --explain prints the trips and the neighbours that gave an item its place.

            EXAMPLES
              tapline phone order
              tapline phone order --shop Corner --explain kale
            """)

    @Option(help: ArgumentHelp("The shop, or a list; by default that of the list on the watches.", valueName: "name"))
    var shop: String?

    @Option(help: ArgumentHelp("Explain the place of this item.", valueName: "item"))
    var explain: String?

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let order = try await places.order(of: shop)
        guard let explain else {
            return try output.print(OrderText.text(order), json: PhoneReport.order(order))
        }
        let clean = try CleanTitle(explain).text
        guard let why = OrderExplanation(ItemKey(title: clean), in: order.learned) else {
            throw PhoneError.noItemInOrder(query: clean, shop: order.shop.name)
        }
        let shop = order.shop.name
        try output.print(OrderText.text(why, shop: shop), json: PhoneReport.explanation(why, shop: shop))
    }
}

struct ShopsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shops",
        abstract: "Print the shops, their lists, and how much was learned of each.",
        discussion: """
            A list without an assigned shop has its own shop, with the name of the list.

            EXAMPLES
              tapline phone shops
              tapline phone shops --json | jq -r '.[].name'
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let shops = try await places.read { store throws(PhoneError) in try await store.shops() }
        try output.print(OrderText.lines(shops), json: shops)
    }
}

struct ShopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shop",
        abstract: "Assign a list to a shop.",
        usage: "tapline phone shop NAME [--list NAME] [OPTION ...]",
        discussion: """
            The list is then sorted in that shop's order, unless you have arranged it (`tapline phone move`), and its \
            check-offs teach that order. A new shop is created. It takes over what was learned of the list, if the list had no \
            shop yet. Any other new shop has learned nothing, and an item goes beside its nearest neighbour that both shops \
            know.

            EXAMPLES
              tapline phone shop Corner
              tapline phone shop Market --list Saturday
            """)

    @Argument(help: "The name of the shop.")
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
                "\(order.shop.name): nothing was learned yet; a trip of three check-offs or more teaches its order\n"
        }
        let width = String(order.learned.count).count
        let lines = order.learned.order.enumerated().map { place, item in
            "\("\(place + 1)".aligned(to: width))  \(order.learned.titles[item])"
        }
        return (["\(order.shop.name): \(known(order.shop))"] + lines).joined(separator: "\n") + "\n"
    }

    static func lines(_ shops: [ShopSummary]) -> String { shops.map { "\(line($0))\n" }.joined() }

    private static func line(_ shop: ShopSummary) -> String {
        let lists = shop.lists.isEmpty ? "no list" : shop.lists.map { "\"\($0)\"" }.joined(separator: ", ")
        return "\(shop.name): \(lists), \(known(shop))"
    }

    private static func known(_ shop: ShopSummary) -> String {
        "\(CountText(shop.items, "item")) from \(CountText(shop.trips, "trip"))"
    }

    static func text(_ why: OrderExplanation, shop: String) -> String {
        var lines = ["\(why.title) is \(why.place) of \(why.count) in \(shop)."]
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
    /// Formats a local time, such as `2026-11-20 18:05`. `seconds` counts from 1970-01-01 00:00 in local time.
    static func day(ofLocalSeconds seconds: Int64) -> String {
        String(time(Date(timeIntervalSince1970: Double(seconds))).dropLast(3))
    }

    static func order(_ order: ShopOrder) -> JSONObject {
        ["shop": order.shop, "items": order.learned.order.map { order.learned.titles[$0] }]
    }

    static func explanation(_ why: OrderExplanation, shop: String) -> JSONObject {
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
            "shop": shop, "title": why.title, "place": why.place, "count": why.count, "trips": trips,
            "neighbours": neighbours,
        ]
    }
}
