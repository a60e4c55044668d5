import ArgumentParser
import CommandSupport
import PhoneHost
import ShoppingOrder

/// `tapline phone order`: the order that was learned of a store.
struct OrderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Print the order in which a store is shopped, why, and how right it is.",
        usage: "tapline phone order [--store NAME] [--explain ITEM | --replay FILE | --rebuild] [--json]",
        discussion: """
            A list is in the order in which you shop. That is learned from the order in which you check items off, when a \
            trip is over: 15 minutes after its last check-off. Each list has an order of its own, unless `tapline phone \
            store` has assigned it to a store.

            --explain tells the trips and the neighbours that gave an item its place. --replay reads a history, as \
            `tapline phone history --json` prints it, and measures how well each trip was foretold by those before it. \
            --rebuild learns all orders from the history again.

            EXAMPLES
              tapline phone order
              tapline phone order --store Corner --explain kale
              tapline phone history --json | tapline phone order --replay -
              tapline phone order --rebuild
            """)

    @Option(help: ArgumentHelp("The store, or a list; by default that of the list on the watches.", valueName: "name"))
    var store: String?

    @Option(help: ArgumentHelp("Tell why this item is where it is.", valueName: "item"))
    var explain: String?

    @Option(help: ArgumentHelp("Measure the order against this history; - for standard input.", valueName: "file"))
    var replay: String?

    @Flag(help: "Learn all orders from the history again.")
    var rebuild = false

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        let asked = (explain == nil ? 0 : 1) + (replay == nil ? 0 : 1) + (rebuild ? 1 : 0)
        if asked > 1 { throw ValidationError("Use one of --explain, --replay and --rebuild.") }
        if store != nil, replay != nil || rebuild {
            throw ValidationError("--store goes with neither --replay nor --rebuild.")
        }
    }

    func run() async throws {
        if let replay {
            let measured = try HistoryReplay(contentsOf: replay).lists
            guard output.json else { return try StandardOutput.print(OrderText.text(measured)) }
            return try StandardOutput.printJSON(measured.map { PhoneReport.Replayed($0) })
        }
        if rebuild {
            let stores = try await places.change { store throws(PhoneError) in try await store.rebuildOrders() }
            return try StoresCommand.print(stores, json: output.json)
        }
        let order = try await places.order(of: store)
        guard let explain else {
            guard output.json else { return try StandardOutput.print(OrderText.text(order)) }
            return try StandardOutput.printJSON(PhoneReport.Order(order))
        }
        let clean = try CleanTitle(explain).text
        guard let why = OrderExplanation(ItemKey(title: clean), in: order.learned) else {
            throw PhoneError.noItemInOrder(query: clean, store: order.store.name)
        }
        guard output.json else { return try StandardOutput.print(OrderText.text(why, store: order.store.name)) }
        try StandardOutput.printJSON(PhoneReport.Explanation(why, store: order.store.name))
    }
}

/// `tapline phone stores`: prints the stores.
struct StoresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stores",
        abstract: "Print the stores, their lists, and what was learned of them.",
        discussion: """
            A list that was assigned to no store has one of its own, which is called as the list is.

            EXAMPLES
              tapline phone stores
              tapline phone stores --json | jq -r '.[].name'
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let stores = try await places.look { store throws(PhoneError) in try await store.stores() }
        try StoresCommand.print(stores, json: output.json)
    }

    static func print(_ stores: [StoreSummary], json: Bool) throws {
        guard json else { return try StandardOutput.print(stores.map { "\(OrderText.line($0))\n" }.joined()) }
        try StandardOutput.printJSON(stores.map { PhoneReport.Store($0) })
    }
}

/// `tapline phone store`: assigns a list to a store.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Say in which store a list is shopped from now on.",
        usage: "tapline phone store NAME [--list NAME] [--shared | --personal WATCH] [OPTION ...]",
        discussion: """
            The list is sorted as that store is shopped, and what is checked off on it teaches that store's order. A store \
            that is new is made: it takes what was learned of the list, where that had no store yet. In another new store \
            nothing is known, and items go beside the nearest neighbour that is known in both.

            An order is shared by default: everybody's check-offs teach it. With --personal only one watch's do, or with \
            --personal phone only those made on the phone. WATCH is as `tapline phone watches` shows it.

            EXAMPLES
              tapline phone store Corner
              tapline phone store Market --list Saturday
              tapline phone store Corner --personal 9f8d
              tapline phone store Corner --shared
            """)

    @Argument(help: "The name of the store.")
    var name: String

    @Flag(help: "Learn from everybody's check-offs.")
    var shared = false

    @Option(help: ArgumentHelp("Learn from this watch's check-offs only, or from the phone's.", valueName: "watch"))
    var personal: String?

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if shared && personal != nil { throw ValidationError("Use either --shared or --personal, not both.") }
    }

    func run() async throws {
        let summary = try await places.change { store throws(PhoneError) in
            let teacher: OrderTeacher?
            switch personal {
            case nil: teacher = shared ? .everyone : nil
            case "phone": teacher = .phone
            case let watch?: teacher = .watch(try await store.watch(watch).identity)
            }
            return try await store.assign(list.list, to: name, teacher: teacher)
        }
        guard output.json else { return try StandardOutput.print("\(OrderText.line(summary))\n") }
        try StandardOutput.printJSON(PhoneReport.Store(summary))
    }
}
