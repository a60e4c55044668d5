import ArgumentParser
import PhoneHost

/// `tapline phone export`: prints a list in a form for other programs.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print a list as a Markdown check list, as plain lines, or as JSON.",
        discussion: """
            Without an option the list is a Markdown check list, which `tapline phone import` reads.

            EXAMPLES
              tapline phone export > groceries.md
              tapline phone export --plain | sort
              tapline phone export --json
            """)

    @Flag(help: "Print the titles of the open items only, one per line.")
    var plain = false

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if plain && output.json { throw ValidationError("Use either --plain or --json, not both.") }
    }

    func run() async throws {
        let contents = try await places.contents(of: list.list)
        guard output.json else {
            return try PhoneReport.write((plain ? ListExport.plain : ListExport.markdown).text(of: contents))
        }
        try PhoneReport.printJSON(
            PhoneReport.Items(
                list: contents.name, open: contents.open.count, checked: contents.checked.count,
                items: contents.items.map { PhoneReport.Item($0) }))
    }
}
