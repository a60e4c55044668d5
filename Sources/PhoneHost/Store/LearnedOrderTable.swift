import Foundation
import GRDB
import WatchLink
import Wormhole

/// Stores the learned order of a shop in the database. If the stored order is missing, damaged or outdated, the phone
/// learns it again from the history.
struct LearnedOrderTable {
    let shop: ShopRecord
    let dependencies: PhoneDependencies

    private static let entriesAtOnce = 1_000

    /// The number of the history entry up to which the order was learned; nil if nothing was learned.
    func latest(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, cached: "SELECT latest FROM learnedOrder WHERE number = ?", arguments: [shop.number])
    }

    static func memory(_ db: Database, of shop: ShopRecord) throws -> OrderMemory? {
        try Data.fetchOne(
            db, cached: "SELECT memory FROM learnedOrder WHERE number = ?", arguments: [shop.number]
        ).flatMap { OrderMemory(bytes: Array($0)) }
    }

    static func forget(_ db: Database, _ shop: ShopRecord) throws {
        try db.execute(cached: "DELETE FROM learnedOrder WHERE number = ?", arguments: [shop.number])
    }

    /// Learns from the history entries since the last call. Stores and returns the result. If a trip is running, a
    /// later call learns from that trip.
    func learn(_ db: Database, isTripRunning: Bool) throws -> OrderMemory {
        var memory = try LearnedOrderTable.memory(db, of: shop) ?? OrderMemory()
        try readEvents(db, after: memory.latest) { memory.take($0) }
        if isTripRunning {
            memory = memory.beforeNewestTrip
        } else {
            memory.skip(to: try Int64.fetchOne(db, cached: "SELECT max(number) FROM history") ?? 0)
        }
        try db.execute(
            cached: "INSERT OR REPLACE INTO learnedOrder (number, latest, memory) VALUES (?, ?, ?)",
            arguments: [shop.number, memory.latest, Data(try memory.bytes)])
        return memory
    }

    /// Calls `take` with each event of the history that affects the shop's order.
    private func readEvents(_ db: Database, after number: Int64, _ take: (OrderEvent) -> Void) throws {
        let periods = try shop.periods(db)
        let lists = " " + periods.map { String($0.list) }.joined(separator: " ") + " "
        var last = number
        while true {
            // Reading the entries of all shops in sequence costs less than sorting those of this shop.
            let rows = try StoredRow.all(
                db, of: "history",
                sql: """
                    SELECT number, event, item, title, list, at, origin, watch, epoch, sequence, localTime FROM history
                    WHERE number > ? AND event IN ('checked', 'unchecked') AND instr(?, ' ' || list || ' ')
                    ORDER BY number LIMIT ?
                    """, arguments: [last, lists, LearnedOrderTable.entriesAtOnce])
            for row in rows {
                last = try row["number"]
                let list: Int64 = try row["list"]
                guard periods.contains(where: { $0.list == list && $0.entries.contains(last) }) else { continue }
                if let event = try event(row, number: last) { take(event) }
            }
            if rows.count < LearnedOrderTable.entriesAtOnce { return }
        }
    }

    private func event(_ row: StoredRow, number: Int64) throws -> OrderEvent? {
        let item: UInt32 = try row["item"]
        let event: HistoryEntry.Event = try row[case: "event"]
        let arrival = Int64(dependencies.localSeconds(try row["at"]))
        guard event == .checked else { return .unchecked(number: number, item: item, at: arrival) }
        guard let title: String = try row["title"] else { return nil }
        var source = CheckOff.Source.phone
        if let watch: Int64 = try row["watch"] {
            let time: UInt32? = try row["localTime"]
            source = .watch(
                CheckOff.Tap(
                    watch: UInt64(bitPattern: watch), run: try row["epoch"], sequence: try row["sequence"],
                    time: time.flatMap { $0 == 0 ? nil : Int64($0) }))
        }
        return .checked(CheckOff(number: number, item: item, title: title, arrival: arrival, source: source))
    }
}

/// Encodes and decodes the memory: JSON, followed by the JSON's CRC-32, lowest byte first.
extension OrderMemory {
    package var bytes: [UInt8] {
        get throws {
            let json = Array(try JSONEncoder().encode(self))
            let check = CRC32.checksum(of: json.span)
            return json + (0..<4).map { UInt8(truncatingIfNeeded: check >> (8 * $0)) }
        }
    }

    package init?(bytes: [UInt8]) {
        guard bytes.count > 4 else { return nil }
        let json = Array(bytes.dropLast(4))
        let check = bytes.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard CRC32.checksum(of: json.span) == check,
            let memory = try? JSONDecoder().decode(OrderMemory.self, from: Data(json))
        else { return nil }
        self = memory
    }
}
