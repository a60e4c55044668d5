import PhoneHost
import WatchLink
import Wormhole

/// The files of a new database. A process makes each template once, because every simulation begins with copies.
struct DatabaseTemplate {
    /// The bytes of each file. The key is the end of the file's name after the database's name, such as "-wal".
    private let files: [String: [UInt8]]

    private init(_ make: (String) throws -> Void) {
        let path = VirtualDisk.root + "template/new.db"
        let disk = VirtualDisk(seed: 1)
        files = VirtualDisk.use(disk) {
            do { try make(path) } catch { preconditionFailure("no new database in memory: \(error)") }
            let image = disk.image(of: VirtualDisk.root + "template/")
            return Dictionary(uniqueKeysWithValues: image.map { (String($0.key.dropFirst(path.count)), $0.value) })
        }
    }

    /// The templates for two phones. Each has a different identity.
    static let phones = (0..<2 as Range<UInt64>).map { number in
        DatabaseTemplate { path in
            let clock = SimulatedWallClock(seed: 0xDA7A + number, clock: SimulationClock())
            try PhoneStore(inMemory: path, dependencies: clock.dependencies).close()
        }
    }

    static let messages = DatabaseTemplate { path in
        try MessageStore(inMemory: path, keeping: 1).close()
    }

    func image(at path: String) -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: files.map { (path + $0.key, $0.value) })
    }
}
