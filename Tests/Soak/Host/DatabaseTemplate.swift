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

    /// A copy of the database of phone `number`, for `phone`.
    static func image(_ number: Int, for phone: Phone) -> [String: [UInt8]] {
        let image = images[number].map { (path: $0.key, bytes: $0.value) }
        return Dictionary(
            uniqueKeysWithValues: image.map { ($0.path.hasSuffix(".db") ? phone.path : $0.path, $0.bytes) })
    }
}
