import ArgumentParser
import CommandSupport
import PhoneHost

/// `tapline phone lists`: prints which lists there are, and chooses the one on the watches.
struct ListsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists",
        abstract: "Print the lists; a star marks the one on the watches.",
        discussion: """
            EXAMPLES
              tapline phone lists
              tapline phone lists --activate Hardware
            """)

    @Option(
        help: ArgumentHelp("Put this list on the watches; it is created if missing.", valueName: "name"),
        completion: .custom(Completions.lists))
    var activate: String?

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        if let activate {
            try await places.change { store throws(PhoneError) in try await store.activate(activate) }
        }
        let lists = try await places.look { store throws(PhoneError) in try await store.lists() }
        guard output.json else { return try StandardOutput.print(lists.map { "\(text($0))\n" }.joined()) }
        try StandardOutput.printJSON(
            lists.map {
                PhoneReport.List(name: $0.name, open: $0.open, checked: $0.checked, role: $0.role.rawValue)
            })
    }

    private func text(_ list: ListSummary) -> String {
        let mark =
            switch list.role {
            case .active: "*"
            case .other: " "
            }
        return "\(mark) \(list.name): \(list.open) left, \(list.checked) checked off"
    }
}
