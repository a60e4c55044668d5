import ArgumentParser
import CommandSupport
import Foundation
import PhoneHost

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the open items, with the numbers that the other commands accept.",
        discussion: """
            EXAMPLES
              tapline phone list
              tapline phone list --all
              tapline phone list --json | jq -r '.items[].title'
            """)

    @Flag(name: .shortAndLong, help: "Also print the items that are checked off.")
    var all = false

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let contents = try await places.contents(of: list.list)
        let shown = all ? contents.numbered : contents.open
        let items = shown.enumerated().map { (number: $0.offset + 1, item: $0.element) }
        let report = items.map { PhoneReport.item($0.item, number: $0.number) }
        try output.print(text(contents, items), json: PhoneReport.list(contents, items: report))
    }

    private func text(_ contents: ListContents, _ items: [(number: Int, item: StoredItem)]) -> String {
        let open = contents.open.count
        let head = "\(contents.name): \(open == 0 ? "nothing left" : "\(open) left")"
        let width = String(items.count).count
        let lines = items.map { number, item in
            "\("\(number)".aligned(to: width))  \(item.state.isOpen ? "[ ]" : "[x]") \(item.text)"
        }
        return ([head] + lines).joined(separator: "\n") + "\n"
    }
}

struct ListsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists",
        abstract: "Print the lists; a star marks the one on the watches.",
        discussion: """
            EXAMPLES
              tapline phone lists
              tapline phone lists --activate Hardware
            """)

    @Option(
        help: ArgumentHelp("Put this list on the watches; it is created if missing.", valueName: "name"),
        completion: .custom(Completions.lists))
    var activate: String?

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        if let activate {
            try await places.change { store throws(PhoneError) in try await store.activate(activate) }
        }
        let lists = try await places.read { store throws(PhoneError) in try await store.lists() }
        let report = lists.map { list -> JSONObject in
            ["name": list.name, "open": list.open, "checked": list.checked, "role": list.isActive ? "active" : "other"]
        }
        try output.print(lists.map { "\(text($0))\n" }.joined(), json: report)
    }

    private func text(_ list: ListSummary) -> String {
        "\(list.isActive ? "*" : " ") \(list.name): \(list.open) left, \(list.checked) checked off"
    }
}

struct DescribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe",
        abstract: "Give an item an amount and a note.",
        discussion: """
            Name the item by its number in `tapline phone list --all`, its id, its title, or the beginning of its title. The \
            title stays the same, and so does an amount or a note that you do not give. An empty text removes it.

            EXAMPLES
              tapline phone describe milk --amount "2 l"
              tapline phone describe apples --note "the green ones"
              tapline phone describe apples --note ""
            """)

    @Argument(help: "Number, id, title, or the unique beginning of a title.", completion: .custom(Completions.items))
    var item: String

    @Option(help: "How much of it.")
    var amount: String?

    @Option(help: "What else matters.")
    var note: String?

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if amount == nil, note == nil { throw ValidationError("Give --amount or --note.") }
    }

    func run() async throws {
        let now = Date()
        var (name, described, outcome) = try await places.edit(item, of: list.list) {
            .describe(detail(of: $0), at: now)
        }
        described.detail = detail(of: described)
        let report: JSONObject = ["list": name, "item": PhoneReport.item(described), "outcome": outcome.name]
        try output.print("\(outcome == .changed ? "It is" : "Was already") \"\(described.text)\"\n", json: report)
    }

    private func detail(of item: StoredItem) -> ItemDetail {
        ItemDetail(amount: amount ?? item.detail.amount, note: note ?? item.detail.note)
    }
}

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Print what happened to the items, newest last.",
        usage: "tapline phone history [OPTION ...]",
        discussion: """
            The events are added, renamed, described (another amount or note), checked, repeated (checked off again), unchecked, \
            removed, and rejected (a watch checked off an unknown item). For renamed and described it also prints the old \
            values.

            EXAMPLES
              tapline phone history --last 20
              tapline phone history --event added --event renamed
              tapline phone history --event checked --json | jq -r '.[].title'
            """)

    @Option(help: ArgumentHelp("Show the newest COUNT.", valueName: "count"))
    var last: Int?

    @Option(help: ArgumentHelp("Show this event only; give it again for another.", valueName: "event"))
    var event: [HistoryEntry.Event] = []

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if let last, last < 0 { throw ValidationError("--last takes a number, 0 or more.") }
    }

    func run() async throws {
        let (entries, watches) = try await places.read { store throws(PhoneError) in
            (
                try await store.history(
                    of: list.list, events: event.isEmpty ? HistoryEntry.Event.allCases : event, limit: last),
                try await store.watches()
            )
        }
        let known = Set(watches.map(\.identity))
        try output.print(
            entries.map { "\(text($0, known))\n" }.joined(), json: entries.map { PhoneReport.entry($0, known: known) })
    }

    private func text(_ entry: HistoryEntry, _ known: Set<UInt64>) -> String {
        let event = entry.event.rawValue.padded(to: 10)
        let title = entry.title ?? "item \(entry.item.rawValue)"
        let item = entry.description?.after.text(behind: title) ?? title
        let former = entry.formerTitle ?? entry.description?.before.text(behind: title)
        let change = item + (former.map { ", was \"\($0)\"" } ?? "")
        return "\(PhoneReport.localTime(entry.time))  \(event)\(change)  (\(source(entry.origin, known)))"
    }

    private func source(_ origin: Origin, _ known: Set<UInt64>) -> String {
        guard let tap = origin.tap else { return origin.name }
        return (known.contains(tap.watch) ? "" : "forgotten ")
            + "watch \(PhoneReport.hexadecimal(tap.watch)), message \(tap.sequence)"
    }
}

extension HistoryEntry.Event: ExpressibleByArgument {}
