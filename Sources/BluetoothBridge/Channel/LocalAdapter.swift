import Foundation

/// A Bluetooth adapter, in the state that the kernel reported when this value was made.
package struct LocalAdapter: Hashable, Sendable {
    /// The kernel's number for the adapter, such as 0 for `hci0`.
    package let index: Int
    package let name: String
    package let address: BluetoothAddress
    package let isOn: Bool

    /// All adapters, in the order of their numbers; none if the kernel has no Bluetooth.
    package static func all() throws(BluetoothError) -> [LocalAdapter] {
        var adapters: [LocalAdapter] = []
        for index in 0..<KernelCalls.mostAdapters {
            if let adapter = try KernelCalls.adapter(index) { adapters.append(adapter) }
        }
        return adapters
    }

    package static func named(_ name: String) throws(BluetoothError) -> LocalAdapter {
        guard let found = try all().first(where: { $0.name == name }) else { throw .noAdapter(name: name) }
        return found
    }

    package static func at(_ address: BluetoothAddress) throws(BluetoothError) -> LocalAdapter {
        guard let found = try all().first(where: { $0.address == address }) else {
            throw .noAdapter(name: address.description)
        }
        return found
    }

    /// Whether rfkill blocks an adapter's radio, because a program or a switch on the machine's case has turned it off.
    static func isBlocked(_ name: String) -> Bool {
        let folder = "/sys/class/bluetooth/\(name)"
        let switches = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return switches.filter { $0.hasPrefix("rfkill") }.contains { place in
            ["soft", "hard"].contains { kind in
                FileManager.default.contents(atPath: "\(folder)/\(place)/\(kind)")?.first == UInt8(ascii: "1")
            }
        }
    }
}
