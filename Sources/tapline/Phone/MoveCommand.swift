import ArgumentParser
import CommandSupport
import PhoneHost

struct MoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Give an item another place on its list.",
        discussion: """
            Name the item by its number in `tapline phone list`, its id, its title, or the beginning of its title. The \
            position is a number from 1, first, last, or before or after and another item.

            After you move an item, the list stays as you arrange it: check-offs do not sort it, and new items go to its end. \
            --learned sorts it again in the order in which you shop, at once and after each trip.

            EXAMPLES
              tapline phone move milk 1
              tapline phone move 4 after "rye bread"
              tapline phone move --learned
            """)

    @Argument(help: "Number, id, title, or the unique beginning of a title.", completion: .custom(Completions.items))
    var item: String?

    @Argument(
        help: "A number, first, last, before ITEM, or after ITEM.",
        completion: .list(["first", "last", "before", "after"]))
    var position: [String] = []

    @Flag(help: "Sort the list in the order in which you shop, from now on.")
    var learned = false

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        guard learned ? item == nil : ListPosition(position) != nil else {
            throw ValidationError(
                "Give an item and its place: a number from 1, first, last, before ITEM or after ITEM; or --learned alone."
            )
        }
    }

    func run() async throws {
        guard let item, let position = ListPosition(position) else {
            let name = try await places.change { store throws(PhoneError) in try await store.sortAsLearned(list.list) }
            return try output.print(
                "\"\(name)\" follows the order in which you shop from now on\n",
                json: ["list": name, "ordering": "learned"])
        }
        let moved = try await places.change { store throws(PhoneError) in
            try await store.move(item, to: position, on: list.list)
        }
        let report: JSONObject = [
            "list": moved.list, "ordering": "arranged", "id": moved.item.id.rawValue, "title": moved.item.title,
            "number": moved.place, "open": moved.count,
        ]
        try output.print("Moved \"\(moved.item.title)\" to \(moved.place) of \(moved.count)\n", json: report)
    }
}
