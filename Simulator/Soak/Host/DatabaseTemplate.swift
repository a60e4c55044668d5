import PhoneHost

/// The databases of new phones, made once in a process: a world begins with a copy.
enum DatabaseTemplate {
    private static let images: [[String: [UInt8]]] = (0..<2).map { number in
        let phone = Phone(number, seed: 0xDA7A + UInt64(number))
        let disk = VirtualDisk(seed: UInt64(number))
        return VirtualDisk.use(disk) {
            guard let store = try? PhoneStore(inMemory: phone.path, dependencies: phone.wallClock.dependencies) else {
                preconditionFailure("a new database in memory opens")
            }
            try? store.close()
            return disk.image(of: phone.directory)
        }
    }

    static func image(of phone: Phone) -> [String: [UInt8]] { images[phone.number] }
}
