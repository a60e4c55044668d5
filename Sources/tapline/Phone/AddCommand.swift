import ArgumentParser
import CommandSupport
import PhoneHost

/// `tapline phone add`: puts items on a list.
struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add items to a list, where its order has them.",
        usage: "tapline phone add TITLE ... [OPTION ...]",
        discussion: """
            A list that does not exist is created. A title that is on the list and open is not added again, whatever its case; \
            --again adds it. Titles are taken as they are. A single - reads lines from the standard input, as people paste \
            them: bullets, amounts, notes and the ingredients of recipes are recognized. Put --, and the options before it, \
            in front of a title that begins with a dash.

            EXAMPLES
              tapline phone add Milk
              tapline phone add Milk "Rye bread" Eggs
              tapline phone add --list Hardware "Wood screws 4 x 40"
              tapline phone add Apples --amount "1 kg" --note "the green ones"
              cat pancakes.md | tapline phone add -
              cat pasted.txt | tapline phone add - --service "tr A-Z a-z"
            """)

    @Argument(
        help: "The titles of the items; - for lines on the standard input.", completion: .custom(Completions.pastItems))
    var title: [String]

    @Option(help: "How much of the item.")
    var amount: String?

    @Option(help: "What else matters about the item.")
    var note: String?

    @Flag(help: "Also add titles that are on the list.")
    var again = false

    @OptionGroup var service: ServiceOptions
    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if title.isEmpty { throw ValidationError("Give at least one title.") }
        if readsLines, amount != nil || note != nil { throw ValidationError("--amount and --note go with a title.") }
        if title.count > 1, amount != nil || note != nil {
            throw ValidationError("--amount and --note go with one title.")
        }
        if title.count > 1, title.contains("-") { throw ValidationError("- reads lines, and stands alone.") }
        if !readsLines, service.service != nil { throw ValidationError("--service goes with -, which reads lines.") }
    }

    private var readsLines: Bool { title == ["-"] }

    func run() async throws {
        let pasted = readsLines ? try await service.list(from: "-") : nil
        let drafts = try pasted?.drafts ?? named()
        let (addition, all) = try await places.change { store throws(PhoneError) in
            let addition =
                again
                ? PhoneStore.Addition(added: try await store.add(drafts, to: list.list, origin: .command), present: [])
                : try await store.addMissing(drafts, to: list.list, origin: .command)
            return (addition, try await store.contents(of: addition.added.name))
        }
        guard output.json else { return try StandardOutput.print(text(addition, pasted?.remarks ?? [])) }
        try StandardOutput.printJSON(
            PhoneReport.Added(
                list: all.name, open: all.open.count, checked: all.checked.count,
                items: addition.added.items.map { PhoneReport.Item($0) },
                present: addition.present.map { PhoneReport.Item($0) }))
    }

    /// The items of the command line.
    private func named() throws -> [ItemDraft] {
        try title.map { ItemDraft(title: try CleanTitle($0), detail: ItemDetail(amount: amount, note: note)) }
    }

    private func text(_ addition: PhoneStore.Addition, _ remarks: [String]) -> String {
        let name = addition.added.name
        let added = addition.added.items.map {
            "Added \"\($0.text)\" to \(name)\($0.state.isOpen ? "" : ", checked off")\n"
        }
        let present = addition.present.map { "Is on \(name) already: \"\($0.text)\" (--again adds it once more)\n" }
        return (added + present + remarks.map { $0 + "\n" }).joined()
    }
}
