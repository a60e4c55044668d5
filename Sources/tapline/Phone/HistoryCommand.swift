import ArgumentParser
import CommandSupport
import PhoneHost

/// `tapline phone history`: prints what happened to the items.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Print what happened to the items, newest last.",
        usage: "tapline phone history [OPTION ...]",
        discussion: """
            The events are added, renamed, described (another amount or note), checked, repeated (checked off again), \
            unchecked, removed, and rejected (a watch checked off an unknown item). Of one that was renamed or described \
            it has what was before.

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
        let (entries, watches) = try await places.look { store throws(PhoneError) in
            (
                try await store.history(
                    of: list.list, events: event.isEmpty ? HistoryEntry.Event.allCases : event, limit: last),
                try await store.watches()
            )
        }
        let known = Set(watches.map(\.identity))
        guard output.json else { return try StandardOutput.print(entries.map { "\(text($0, known))\n" }.joined()) }
        try StandardOutput.printJSON(entries.map { PhoneReport.Entry($0, known: known) })
    }

    private func text(_ entry: HistoryEntry, _ known: Set<UInt64>) -> String {
        let event = entry.event.rawValue
        let padding = String(repeating: " ", count: 10 - event.count)
        let title = entry.title ?? "item \(entry.item.rawValue)"
        let item = entry.description?.after.text(behind: title) ?? title
        let former = entry.formerTitle ?? entry.description?.before.text(behind: title)
        let change = item + (former.map { ", was \"\($0)\"" } ?? "")
        return "\(PhoneReport.localTime(entry.time))  \(event)\(padding)\(change)  (\(source(entry.origin, known)))"
    }

    private func source(_ origin: Origin, _ known: Set<UInt64>) -> String {
        switch origin {
        case .command: "command"
        case .imported: "import"
        case .phone: "phone"
        case .watch(let tap):
            (known.contains(tap.watch) ? "" : "forgotten ")
                + "watch \(PhoneReport.hexadecimal(tap.watch)), message \(tap.sequence)"
        }
    }
}

extension HistoryEntry.Event: ExpressibleByArgument {}
