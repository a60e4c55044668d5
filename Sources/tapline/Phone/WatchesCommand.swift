import ArgumentParser
import CommandSupport
import HostSystem
import PhoneHost

struct WatchesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watches",
        abstract: "Print the watches that this phone knows.",
        discussion: """
            A line has a watch's identity, its last connection, how many messages wait for it, how often its list was repaired \
            because its rows were wrong (if ever), and its name, if it has one.

            EXAMPLES
              tapline phone watches
              tapline phone watches --json
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let watches = try await places.read { store throws(PhoneError) in try await store.watches() }
        try output.print(watches.map { "\(text($0))\n" }.joined(), json: watches.map(PhoneReport.watch))
    }

    private func text(_ watch: WatchRecord) -> String {
        var columns = [
            PhoneReport.hexadecimal(watch.identity), PhoneReport.localTime(watch.lastMetAt), "\(watch.waiting) waiting",
        ]
        if watch.repairs > 0 { columns.append("\(watch.repairs) repaired") }
        if !watch.name.isEmpty { columns.append(watch.name) }
        return columns.joined(separator: "  ")
    }
}

struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Forget a watch, and what waits for it.",
        discussion: """
            Name the watch as `tapline phone watches` shows it: by its identity, at least four digits from the beginning of \
            that, or its name. Its check-offs stay, and the history says that the watch is forgotten. If the watch connects \
            again, it is a new one; `tapline unpair` deletes its Bluetooth keys.

            EXAMPLES
              tapline phone forget 9f8d03c4aa210b7e
              tapline phone forget 9f8d
            """)

    @Argument(help: ArgumentHelp("The watch to forget.", valueName: "watch"))
    var watch: String

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let forgotten = try await places.change { store throws(PhoneError) in try await store.forgetWatch(watch) }
        let name = forgotten.name.isEmpty ? "" : " \"\(forgotten.name)\""
        let waiting =
            forgotten.waiting == 0 ? "" : ", and \(CountText(forgotten.waiting, "message")) that waited for it"
        try output.print(
            "Forgot watch \(PhoneReport.hexadecimal(forgotten.identity))\(name)\(waiting)\n",
            json: PhoneReport.watch(forgotten))
    }
}
