import ArgumentParser
import CommandSupport
import Foundation
import PhoneHost

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add items to a list, each at its place in the list's order.",
        usage: "tapline phone add TITLE ... [OPTION ...]",
        discussion: """
            A list that does not exist is created. A title that is open on the list, in upper or lower case, is not added again; \
            --again adds it. Titles are not changed. A single - reads pasted lines from the standard input: bullets, amounts, \
            notes and the ingredients of recipes are recognized. Lines with one title are joined, also with an item on the list, \
            and amounts of one unit are added. Put --, and the options before it, in front of a title that begins with a dash.

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
                ? PhoneStore.Addition(added: try await store.add(drafts, to: list.list, origin: .command))
                : try await store.addMissing(drafts, to: list.list, origin: .command)
            return (addition, try await store.contents(of: addition.added.name))
        }
        try output.print(
            text(addition, addition.remarks + (pasted?.remarks ?? [])),
            json: PhoneReport.list(
                all, items: addition.added.items.map { PhoneReport.item($0) },
                present: addition.present.map { PhoneReport.item($0) }, remarks: addition.remarks))
    }

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

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check items off; without an item, check the database.",
        discussion: """
            Name an item by its number in `tapline phone list`, its id, its title, or the beginning of its title.

            Without an item it prints the contents of the database, its damage and the consequences. It changes nothing; the \
            exit status is 0 if nothing is damaged and 1 otherwise. If it is damaged, restore an earlier backup: see `tapline \
            help phone backup`.

            EXAMPLES
              tapline phone check 1
              tapline phone check milk "rye bread"
              tapline phone check --json
            """)

    @OptionGroup var items: ItemArguments

    func validate() throws {
        if items.item.isEmpty, items.list.list != nil {
            throw ValidationError("Name an item of that list; without an item the whole database is checked.")
        }
    }

    func run() async throws {
        if items.item.isEmpty {
            return try DatabaseCheckReport.run(path: items.places.database, items.output)
        }
        try await items.change(preferring: .open, past: "Checked off", unchanged: "Was already checked off:") {
            .check(at: $0)
        }
    }
}

struct UncheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uncheck",
        abstract: "Put checked-off items back in their old places.",
        discussion: """
            Name an item by its number in `tapline phone list --all`, its id, its title, or the beginning of its \
            title.

            EXAMPLES
              tapline phone uncheck milk
            """)

    @OptionGroup var items: ItemArguments

    func validate() throws { try items.requireItem() }

    func run() async throws {
        try await items.change(preferring: .checked, past: "Put back", unchanged: "Was not checked off:") {
            .uncheck(at: $0)
        }
    }
}

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove items from a list permanently.",
        discussion: """
            Name an item by its number in `tapline phone list --all`, its id, its title, or the beginning of its \
            title. Its history is kept.

            EXAMPLES
              tapline phone remove 3
              tapline phone remove milk
            """)

    @OptionGroup var items: ItemArguments

    func validate() throws { try items.requireItem() }

    func run() async throws {
        try await items.change(preferring: .any, past: "Removed", unchanged: "Was already removed:") { .remove(at: $0) }
    }
}

struct RenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give an item another title.",
        discussion: """
            Name the item by its number in `tapline phone list --all`, its id, its title, or the beginning of its title. \
            It keeps its place, and its id.

            EXAMPLES
              tapline phone rename milk "Oat milk"
              tapline phone rename 3 "Eggs, a dozen"
            """)

    @Argument(help: "Number, id, title, or the unique beginning of a title.", completion: .custom(Completions.items))
    var item: String

    @Argument(help: "The new title.")
    var title: String

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let title = try CleanTitle(title)
        let now = Date()
        let (name, found, outcome) = try await places.edit(item, of: list.list) { _ in .rename(to: title, at: now) }
        let words = outcome == .changed ? "Renamed \"\(found.title)\" to" : "Was already called"
        try output.print(
            "\(words) \"\(title.text)\"\n", json: PhoneReport.changes(of: name, [(found.id, title.text, outcome)]))
    }
}

extension PlaceOptions {
    /// Changes the item that `query` means (see `ItemSelector`). A `list` of nil means the active list. The returned `item`
    /// is the item before the change.
    func edit(
        _ query: String, of list: String?, _ action: (StoredItem) -> ListEdit.Action
    ) async throws(PhoneError) -> (list: String, item: StoredItem, outcome: EditOutcome) {
        try await change { store throws(PhoneError) in
            let contents = try await store.contents(of: list)
            let found = try ItemSelector(contents, preferring: .open).item(query)
            return (
                contents.name, found,
                try await store.apply(ListEdit(item: found.id, action: action(found)), origin: .command)
            )
        }
    }
}

struct ItemArguments: ParsableArguments {
    @Argument(
        help: "Number, id, title, or the unique beginning of a title.", completion: .custom(Completions.items))
    var item: [String] = []

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func requireItem() throws {
        if item.isEmpty { throw ValidationError("Missing expected argument '<item> ...'") }
    }

    /// Changes all of the named items or none, and prints a line for each. The line begins with `verb` if the item changed,
    /// otherwise with `unchanged`.
    func change(
        preferring preference: ItemSelector.Preference, past verb: String, unchanged: String,
        action: (Date) -> ListEdit.Action
    ) async throws {
        let now = Date()
        let (contents, items, outcomes) = try await places.change { store throws(PhoneError) in
            let contents = try await store.contents(of: list.list)
            let selector = ItemSelector(contents, preferring: preference)
            var items: [StoredItem] = []
            for query in item {
                let found = try selector.item(query)
                if !items.contains(found) { items.append(found) }
            }
            let edits = items.map { ListEdit(item: $0.id, action: action(now)) }
            return (contents, items, try await store.apply(edits, origin: .command))
        }
        let changes = zip(items, outcomes).map { ($0.id, $0.title, $1) }
        let lines = changes.map { _, title, outcome in "\(outcome == .changed ? verb : unchanged) \"\(title)\"\n" }
        try output.print(lines.joined(), json: PhoneReport.changes(of: contents.name, changes))
    }
}
