import ArgumentParser
import PhoneHost

/// `tapline phone import`: puts the lines of a file on a list.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Put the lines of a file at the end of a list.",
        discussion: """
            A line is an item; Markdown bullets and check boxes are understood, `- [x]` is checked off already. Blank lines and
            headings are skipped. All of the file is taken, or none of it.

            EXAMPLES
              tapline phone import groceries.md
              printf 'Milk\\nEggs\\n' | tapline phone import -
              tapline phone export | ssh other tapline phone import -
            """)

    @Argument(help: "The file; - is the standard input.")
    var file: String

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    mutating func run() async throws {
        let parsed = try ListImport(contentsOf: file)
        let name = list.list
        let added = try await places.change { store throws(PhoneError) in try await store.add(parsed.drafts, to: name) }
        let checked = added.checked.count
        guard output.json else {
            let count = added.items.count
            let detail = checked == 0 ? "" : ", \(checked) of them checked off already"
            return PhoneReport.write("Imported \(count) \(count == 1 ? "item" : "items") into \(added.name)\(detail)\n")
        }
        try PhoneReport.printJSON(
            PhoneReport.Import(
                list: added.name, imported: added.items.count, checked: checked, skippedLines: parsed.skippedLines))
    }
}
