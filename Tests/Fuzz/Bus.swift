@testable import BluetoothBridge

/// Passes signals with any contents, as if from bluetoothd, to an `ObjectTree` and to a `DaemonMachine`. Queries the
/// tree after each signal.
func fuzzBus(_ input: FuzzInput) {
    var input = input
    var tree = (try? ObjectTree([input.busValue(depth: 0)])) ?? ObjectTree()
    var machine = DaemonMachine()
    _ = machine.handle(.connected)
    _ = machine.handle(.owner(":1.1"))
    _ = machine.handle(.objects(owner: ":1.1", .success(tree)))
    for _ in 0..<40 where !input.isAtEnd {
        let members = ["InterfacesAdded", "InterfacesRemoved", "PropertiesChanged", "NameOwnerChanged", "Other"]
        let interfaces = [BlueZ.objectManager, BlueZ.properties, "org.freedesktop.DBus"]
        let signal = BusSignal(
            sender: input.byte() & 1 == 0 ? ":1.1" : input.busText(), path: input.busText(),
            interface: interfaces[Int(input.byte()) % interfaces.count],
            member: members[Int(input.byte()) % members.count],
            body: (0..<Int(input.byte() % 4)).map { _ in input.busValue(depth: 0) })
        tree.apply(signal)
        _ = machine.handle(.signal(signal))
        for adapter in tree.adapters { _ = tree.devices(on: adapter.name).map(\.name) }
        _ = tree.arrival(ofAdapterAt: BlueZ.path(ofAdapter: "hci0"))
        _ = tree.characteristic(.channelNumber, in: .tapline, of: BlueZ.path(ofAdapter: "hci0") + "/dev_1")
    }
}

extension FuzzInput {
    fileprivate mutating func busText() -> String {
        let known = [
            "/org/bluez", "/org/bluez/hci0", "/org/bluez/hci0/dev_1", "/org/bluez/hci0/dev_1/service1/char1",
            BlueZ.adapter, BlueZ.device, BlueZ.gattService, BlueZ.gattCharacteristic, "Address", "AddressType", "Alias",
            "Powered", "Name", "RSSI", "UUIDs", "UUID", "Service", "Paired", "Bonded", "Connected",
            "ServicesResolved", "00:11:22:33:44:55", "random", "public", BluetoothUUID.tapline.rawValue,
        ]
        let choice = Int(byte())
        if choice < known.count * 8 { return known[choice % known.count] }
        return String(decoding: bytes(limit: 40), as: UTF8.self)
    }

    fileprivate mutating func busValue(depth: Int) -> BusValue {
        let kind = byte() % 16
        if depth > 4 || isAtEnd { return .string(busText()) }
        switch kind {
        case 0: return .byte(byte())
        case 1: return byte() & 1 == 0 ? .no : .yes
        case 2...6: return .number(["n", "u", "x", "t", "d"][Int(kind) - 2], Int64(bitPattern: longWord()))
        case 7: return .objectPath(busText())
        case 8: return .array(of: "v", (0..<Int(byte() % 5)).map { _ in busValue(depth: depth + 1) })
        case 9: return .structure((0..<Int(byte() % 3)).map { _ in busValue(depth: depth + 1) })
        case 10: return .variant(busValue(depth: depth + 1))
        case 11...14:
            var pairs: [BusValue: BusValue] = [:]
            for _ in 0..<Int(byte() % 6) { pairs[.string(busText())] = busValue(depth: depth + 1) }
            return .dictionary(keys: "s", values: "v", pairs)
        default: return .string(busText())
        }
    }
}
