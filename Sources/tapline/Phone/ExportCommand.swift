import ArgumentParser
import CommandSupport
import PhoneHost

/// `tapline phone export`: prints a list in a form for other programs.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print a list as a Markdown check list, as plain lines, as a page for paper, or as JSON.",
        usage: "tapline phone export [--plain | --print | --json] [OPTION ...]",
        discussion: """
            Without an option the list is a Markdown check list, which `tapline phone import` reads. --print is a page for \
            paper, which a browser prints.

            EXAMPLES
              tapline phone export > groceries.md
              tapline phone export --plain | sort
              tapline phone export --print > groceries.html
              tapline phone export --json
            """)

    @Flag(help: "Print the open items only, one per line.")
    var plain = false

    @Flag(name: .customLong("print"), help: "Print the open items as an HTML page for paper.")
    var page = false

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if [plain, page, output.json].count(where: \.self) > 1 {
            throw ValidationError("Use one of --plain, --print and --json.")
        }
    }

    func run() async throws {
        let contents = try await places.contents(of: list.list)
        if page { return try StandardOutput.print(ListPage(contents).html) }
        guard output.json else {
            return try StandardOutput.print((plain ? ListExport.plain : ListExport.markdown).text(of: contents))
        }
        try StandardOutput.printJSON(
            PhoneReport.Items(
                list: contents.name, open: contents.open.count, checked: contents.checked.count,
                items: contents.items.map { PhoneReport.Item($0) }))
    }
}
