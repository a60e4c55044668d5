import ArgumentParser
import CommandSupport
import Foundation
import PhoneHost

/// `tapline phone describe`: gives an item an amount and a note.
struct DescribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe",
        abstract: "Give an item an amount and a note.",
        discussion: """
            Name the item by its number in `tapline phone list --all`, its id, its title, or the beginning of its title. Its \
            title stays as it is, and so does what is not named here; an empty text takes an amount or a note off.

            EXAMPLES
              tapline phone describe milk --amount "2 l"
              tapline phone describe apples --note "the green ones"
              tapline phone describe apples --note ""
            """)

    @Argument(help: "Number, id, title, or the unique beginning of a title.", completion: .custom(Completions.items))
    var item: String

    @Option(help: "How much of it.")
    var amount: String?

    @Option(help: "What else matters.")
    var note: String?

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if amount == nil, note == nil { throw ValidationError("Give --amount or --note.") }
    }

    func run() async throws {
        let now = Date()
        var (name, described, reported) = try await places.edit(item, of: list.list) {
            .describe(detail(of: $0), at: now)
        }
        described.detail = detail(of: described)
        guard output.json else {
            let words =
                switch reported {
                case .changed: "It is"
                case .unchanged: "Was already"
                }
            return try StandardOutput.print("\(words) \"\(described.text)\"\n")
        }
        try StandardOutput.printJSON(
            PhoneReport.Described(list: name, item: PhoneReport.Item(described), outcome: reported))
    }

    /// What is to be said of an item.
    private func detail(of item: StoredItem) -> ItemDetail {
        ItemDetail(amount: amount ?? item.detail.amount, note: note ?? item.detail.note)
    }
}
