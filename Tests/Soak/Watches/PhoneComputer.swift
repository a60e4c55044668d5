import PhoneHost
import WatchLink
import Wormhole

final class PhoneComputer: Computer<PhoneProgram> {
    let number: Int
    let letter: String
    /// The database as an owner's commands see it, while they use it.
    private var commands: (store: PhoneStore, process: DiskProcess)?
    /// The errors in its log that were seen, and when the last one was.
    var errorsSeen = 0
    var lastError: Instant?

    init(_ number: Int, seed: UInt64, clock: SimulationClock) {
        self.number = number
        letter = number == 0 ? "A" : "B"
        super.init(WatchOracle.name(number), folder: letter, seed: seed, clock: clock)
    }

    /// The database, as a command of the owner's opens it; nil if it cannot be opened.
    func database(on disk: VirtualDisk) -> PhoneStore? {
        if let commands, commands.process.isRunning { return commands.store }
        let process = DiskProcess()
        guard
            let store = disk.use(
                process, { try? PhoneStore(inMemory: path, dependencies: wallClock.dependencies) })
        else { return nil }
        commands = (store, process)
        return store
    }

    /// Ends what the commands use, and writes nothing more: the simulation ends.
    func killCommands() {
        commands?.process.kill()
        closeCommands()
    }

    /// Closes what the commands use: the database is about to be replaced, or the power fails.
    func closeCommands() {
        try? commands?.store.close()
        commands = nil
    }
}

/// What an owner sees of a database.
struct DatabaseContents: Equatable {
    let lists: [ListContents]
    let history: [HistoryEntry]

    var titles: Set<String> { Set(lists.flatMap(\.items).map(\.title)) }

    init(_ store: PhoneStore) async throws(PhoneError) {
        var lists: [ListContents] = []
        for list in try await store.lists() { lists.append(try await store.contents(of: list.name)) }
        self.lists = lists
        history = try await store.history()
    }
}
