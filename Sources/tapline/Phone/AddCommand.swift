import ArgumentParser
import PhoneHost

/// `tapline phone add`: puts items on a list.
struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add items to a list, where its order has them.",
        discussion: """
            A list that does not exist is created. Put --, and the options before it, in front of a title that begins with a dash.

            EXAMPLES
              tapline phone add Milk
              tapline phone add Milk "Rye bread" Eggs
              tapline phone add --list Hardware "Wood screws 4 x 40"
            """)

    @Argument(help: "The titles of the items.")
    var title: [String]

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let drafts = try title.map { ItemDraft(title: try CleanTitle($0)) }
        let (added, all) = try await places.change { store throws(PhoneError) in
            let added = try await store.add(drafts, to: list.list, origin: .command)
            return (added, try await store.contents(of: added.name))
        }
        guard output.json else {
            for item in added.items { try PhoneReport.write("Added \"\(item.title)\" to \(added.name)\n") }
            return
        }
        try PhoneReport.printJSON(
            PhoneReport.Items(
                list: added.name, open: all.open.count, checked: all.checked.count,
                items: added.items.map { PhoneReport.Item($0) }))
    }

    func validate() throws {
        if title.isEmpty { throw ValidationError("Give at least one title.") }
    }
}
