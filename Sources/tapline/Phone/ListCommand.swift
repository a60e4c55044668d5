import ArgumentParser
import CommandSupport
import PhoneHost

/// `tapline phone list`: prints a list.
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
        guard output.json else { return try StandardOutput.print(text(contents, items)) }
        try StandardOutput.printJSON(
            PhoneReport.Items(
                list: contents.name, open: contents.open.count, checked: contents.checked.count,
                items: items.map { PhoneReport.Item($0.item, number: $0.number) }))
    }

    private func text(_ contents: ListContents, _ items: [(number: Int, item: StoredItem)]) -> String {
        let open = contents.open.count
        let head = "\(contents.name): \(open == 0 ? "nothing left" : "\(open) left")"
        let width = String(items.count).count
        let lines = items.map { number, item in
            let padding = String(repeating: " ", count: width - String(number).count)
            return "\(padding)\(number)  \(item.state.isOpen ? "[ ]" : "[x]") \(item.text)"
        }
        return ([head] + lines).joined(separator: "\n") + "\n"
    }
}
