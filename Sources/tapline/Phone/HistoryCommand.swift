import ArgumentParser
import PhoneHost

/// `tapline phone history`: prints what happened to the items.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Print what happened to the items, newest last.",
        discussion: """
            The events are checked, repeated (checked off again), unchecked, removed, and rejected (a watch checked \
            off an unknown item).

            EXAMPLES
              tapline phone history --last 20
              tapline phone history --json | jq -r '.[] | select(.event == "checked").title'
            """)

    @Option(help: ArgumentHelp("Show the newest COUNT.", valueName: "count"))
    var last: Int?

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if let last, last < 0 { throw ValidationError("--last takes a number, 0 or more.") }
    }

    func run() async throws {
        let (entries, watches) = try await places.look { store throws(PhoneError) in
            (try await store.history(of: list.list, limit: last), try await store.watches())
        }
        let known = Set(watches.map(\.identity))
        guard output.json else { return try PhoneReport.write(entries.map { "\(text($0, known))\n" }.joined()) }
        try PhoneReport.printJSON(entries.map { PhoneReport.Entry($0, known: known) })
    }

    private func text(_ entry: HistoryEntry, _ known: Set<UInt64>) -> String {
        let event = entry.event.rawValue
        let padding = String(repeating: " ", count: 10 - event.count)
        let title = entry.title ?? "item \(entry.item.rawValue)"
        return "\(PhoneReport.localTime(entry.time))  \(event)\(padding)\(title)  (\(source(entry.origin, known)))"
    }

    private func source(_ origin: Origin, _ known: Set<UInt64>) -> String {
        switch origin {
        case .command: "command"
        case .phone: "phone"
        case .watch(let tap):
            (known.contains(tap.watch) ? "" : "forgotten ")
                + "watch \(PhoneReport.hexadecimal(tap.watch)), message \(tap.sequence)"
        }
    }
}
