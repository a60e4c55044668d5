import CommandSupport
import Foundation
import HostSystem
import PhoneHost

enum PhoneReport {
    static func item(_ item: StoredItem, number: Int? = nil) -> JSONObject {
        [
            "number": number, "id": item.id.rawValue, "title": item.title, "amount": item.detail.amount,
            "note": item.detail.note, "state": item.state.isOpen ? "open" : "checked", "addedAt": item.addedAt,
            "checkedAt": item.state.checkedAt,
        ]
    }

    /// Describes a list. The items in `present` were not added, because they were already on the list. The sentences in
    /// `remarks` tell which items were made from several lines of the input.
    static func list(
        _ list: ListContents, items: [JSONObject], present: [JSONObject]? = nil, remarks: [String]? = nil
    ) -> JSONObject {
        [
            "list": list.name, "open": list.open.count, "checked": list.checked.count, "items": items,
            "present": present, "joined": remarks,
        ]
    }

    static func changes(of list: String, _ items: [(id: ItemIdentifier, title: String, EditOutcome)]) -> JSONObject {
        let changed = items.map { id, title, outcome -> JSONObject in
            ["id": id.rawValue, "title": title, "outcome": outcome.name]
        }
        return ["list": list, "items": changed]
    }

    static func watch(_ watch: WatchRecord) -> JSONObject {
        [
            "identity": hexadecimal(watch.identity), "name": watch.name, "lastConnection": watch.lastMetAt,
            "waiting": watch.waiting, "repairs": watch.repairs,
        ]
    }

    /// - Parameter known: the identities of the watches that the phone still knows.
    static func entry(_ entry: HistoryEntry, known: Set<UInt64>) -> JSONObject {
        let (before, after) = (entry.description?.before, entry.description?.after)
        let tap = entry.origin.tap
        let state = tap.map { known.contains($0.watch) ? "known" : "forgotten" }
        return [
            "number": entry.number, "event": entry.event.rawValue, "id": entry.item.rawValue, "title": entry.title,
            "formerTitle": entry.formerTitle, "amount": after?.amount, "note": after?.note,
            "formerAmount": before?.amount, "formerNote": before?.note, "list": entry.list, "time": entry.time,
            "origin": entry.origin.name, "watch": tap.map { hexadecimal($0.watch) }, "watchState": state,
            "epoch": tap?.epoch, "sequence": tap?.sequence, "tap": tap?.tap, "watchLocalTime": tap?.localTime,
        ]
    }

    static func hexadecimal(_ identity: UInt64) -> String { "\(HexadecimalText(identity))" }

    /// Formats a date as local time, such as `2026-11-20 18:05:09`.
    static func localTime(_ date: Date) -> String {
        time(date.addingTimeInterval(Double(MachineZone.offset(at: date))))
    }

    /// Formats a date in UTC, such as `2026-11-20 18:05:09`.
    static func time(_ date: Date) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day().dateSeparator(.dash)
            .dateTimeSeparator(.space).time(includingFractionalSeconds: false)
        return date.formatted(style)
    }
}

extension EditOutcome {
    /// The outcome in JSON. `.unknownItem` is reported as unchanged: another program has removed the item since this
    /// command read the list.
    var name: String { self == .changed ? "changed" : "unchanged" }
}

extension Origin {
    var name: String {
        switch self {
        case .command: "command"
        case .imported: "import"
        case .phone: "phone"
        case .watch: "watch"
        }
    }

    var tap: WatchTap? {
        if case .watch(let tap) = self { tap } else { nil }
    }
}
