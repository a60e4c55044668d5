import PhoneHost
import WatchLink
import Wormhole

/// A phone in a simulated world: its database, its clock, its log, and its program while that runs.
final class Phone {
    let number: Int
    let wallClock: WallClock
    let log = HostLog()
    var run: HostRun?
    /// The database as an owner's commands see it, while somebody uses them.
    private var commands: (store: PhoneStore, process: DiskProcess)?
    /// The errors in its log that were seen, and when the last one was.
    var errorsSeen = 0
    var lastError: Instant?
    /// The copy of the database that was put away last.
    var copy: SavedDatabase?

    init(_ number: Int, seed: UInt64) {
        self.number = number
        wallClock = WallClock(seed: seed)
    }

    /// "phone A" or "phone B".
    var name: String { "phone \(letter)" }
    var letter: String { number == 0 ? "A" : "B" }
    var directory: String { VirtualDisk.root + letter + "/" }
    var path: String { directory + "phone.db" }

    /// The database, as a command of the owner's opens it; nil where it cannot be opened.
    func database(on disk: VirtualDisk) -> PhoneStore? {
        if let commands, commands.process.isRunning { return commands.store }
        let process = DiskProcess()
        let before = disk.process
        disk.process = process
        defer { disk.process = before }
        guard let store = try? PhoneStore(inMemory: path, dependencies: wallClock.dependencies) else { return nil }
        commands = (store, process)
        return store
    }

    /// Ends what the commands use, and writes nothing more: the world ends.
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
