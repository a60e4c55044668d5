/// A Bluetooth adapter of this machine, as the kernel knows it at the moment.
package struct LocalAdapter: Hashable, Sendable {
    /// Whether its radio is on.
    package enum Power: Hashable, Sendable {
        /// It is on.
        case on
        /// It is off, so that nobody can be reached through it.
        case off
    }

    /// The kernel's number of it: 0 for hci0.
    package let index: Int
    /// The kernel's name of it: hci0, hci1.
    package let name: String
    /// Its public address.
    package let address: BluetoothAddress
    /// Whether it is on.
    package let power: Power

    /// Those that there are, in the order of their numbers; none where the kernel has no Bluetooth.
    ///
    /// - Throws: `.system`.
    package static func all() throws(BluetoothError) -> [LocalAdapter] {
        var adapters: [LocalAdapter] = []
        for index in 0..<KernelCalls.mostAdapters {
            if let adapter = try KernelCalls.adapter(index) { adapters.append(adapter) }
        }
        return adapters
    }

    /// The adapter of this name, or the first that is on, or the first.
    ///
    /// - Throws: `.noAdapter`; `.system`.
    package static func named(_ name: String?) throws(BluetoothError) -> LocalAdapter {
        let adapters = try all()
        let found =
            if let name { adapters.first { $0.name == name } } else {
                adapters.first { $0.power == .on } ?? adapters.first
            }
        guard let found else { throw .noAdapter(name: name) }
        return found
    }

    /// The adapter with this address.
    ///
    /// - Throws: `.noAdapter`; `.system`.
    package static func at(_ address: BluetoothAddress) throws(BluetoothError) -> LocalAdapter {
        guard let found = try all().first(where: { $0.address == address }) else {
            throw .noAdapter(name: address.description)
        }
        return found
    }
}
