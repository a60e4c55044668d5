import PhoneHost
import WatchLink
import Wormhole

final class PhoneComputer: Computer<PhoneProgram> {
    let number: Int
    let letter: String
    private var commands: (store: PhoneStore, process: DiskProcess)?
    /// The number of error lines in the log when the scenario last looked for errors.
    var errorsSeen = 0
    var lastError: Instant?

    init(_ number: Int, seed: UInt64, clock: SimulationClock) {
        self.number = number
        letter = number == 0 ? "A" : "B"
        super.init(WatchOracle.name(number), folder: letter, seed: seed, clock: clock)
    }

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

    /// Closes the database connection of the owner's commands, and writes nothing.
    func killCommands() {
        commands?.process.kill()
        closeCommands()
    }

    /// Closes the database connection of the owner's commands. Call this before the database is replaced or the phone
    /// loses power.
    func closeCommands() {
        try? commands?.store.close()
        commands = nil
    }
}

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
