import ArgumentParser
import CommandSupport
import HostSystem
import PhoneHost

/// `tapline phone import`: puts the lines of a file on a list.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the lines of a file to a list.",
        usage: "tapline phone import FILE [OPTION ...]",
        discussion: """
            Each line is an item. Bullets and check boxes in Markdown are recognized: `- [x] Milk` is an item that is \
            checked off already. Amounts and notes are taken apart: `Milk, 2 lbs (oat)` is Milk. Of a recipe in Markdown the \
            ingredients are read. Blank lines and headings are skipped. Either the whole file is imported or nothing; a file \
            without items is an error.

            EXAMPLES
              tapline phone import pancakes.md
              tapline phone export > groceries.md
              tapline phone import --list Copy groceries.md
              printf 'Milk\\nEggs\\n' | tapline phone import -
            """)

    @Argument(help: "The file; - for standard input.", completion: .file())
    var file: String

    @OptionGroup var service: ServiceOptions
    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let parsed = try await service.list(from: file)
        let added = try await places.change { store throws(PhoneError) in
            try await store.add(parsed.drafts, to: list.list, origin: .imported)
        }
        let checked = added.checked.count
        guard output.json else {
            let detail = checked == 0 ? "" : ", \(checked) of them checked off already"
            return try StandardOutput.print(
                "Imported \(CountText(added.items.count, "item")) into \(added.name)\(detail)\n"
                    + parsed.remarks.map { $0 + "\n" }.joined())
        }
        try StandardOutput.printJSON(
            PhoneReport.Import(
                list: added.name, imported: added.items.count, checked: checked, skippedLines: parsed.skippedLines))
    }
}
