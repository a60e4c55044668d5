import Glibc
import HostSystem

/// A Bluetooth adapter of this machine, in the state that the kernel now reports.
package struct LocalAdapter: Hashable, Sendable {
    /// The kernel's number: 0 for hci0.
    package let index: Int
    package let name: String
    package let address: BluetoothAddress
    package let isOn: Bool

    /// All adapters, in the order of their numbers; none if the kernel has no Bluetooth.
    ///
    /// - Throws: `.system`.
    package static func all() throws(BluetoothError) -> [LocalAdapter] {
        var adapters: [LocalAdapter] = []
        for index in 0..<KernelCalls.mostAdapters {
            if let adapter = try KernelCalls.adapter(index) { adapters.append(adapter) }
        }
        return adapters
    }

    /// The adapter with this name; for nil, the first that is on, or else the first.
    ///
    /// - Throws: `.noAdapter`; `.system`.
    package static func named(_ name: String?) throws(BluetoothError) -> LocalAdapter {
        let adapters = try all()
        let found =
            if let name { adapters.first { $0.name == name } } else {
                adapters.first(where: \.isOn) ?? adapters.first
            }
        guard let found else { throw .noAdapter(name: name) }
        return found
    }

    package static func at(_ address: BluetoothAddress) throws(BluetoothError) -> LocalAdapter {
        guard let found = try all().first(where: { $0.address == address }) else {
            throw .noAdapter(name: address.description)
        }
        return found
    }
}

extension LocalAdapter {
    /// Whether the kernel's switch for an adapter's radio (rfkill) is off. A program or a switch on the machine's case sets it.
    static func isBlocked(_ name: String) -> Bool {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("/sys/class/bluetooth/\(name)/rfkill*/[sh][oa]*", 0, nil, &found) == 0 else { return false }
        return (0..<Int(found.gl_pathc)).contains { index in
            found.gl_pathv[index].map { startsWithOne(String(cString: $0)) } ?? false
        }
    }

    private static func startsWithOne(_ path: String) -> Bool {
        guard let file = try? Descriptors.open(path, O_RDONLY) else { return false }
        defer { close(file) }
        var digit: UInt8 = 0
        return read(file, &digit, 1) == 1 && digit == UInt8(ascii: "1")
    }
}
