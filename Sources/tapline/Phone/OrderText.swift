import Foundation
import HostSystem
import PhoneHost
import ShoppingOrder

/// What people read about orders.
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
