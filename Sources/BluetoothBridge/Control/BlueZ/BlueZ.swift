/// Names of BlueZ's interface on the bus (doc/*-api.txt of BlueZ 5.66) and of D-Bus.
enum BlueZ {
    static let name = "org.bluez"
    static let manager = "/org/bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let agent = "org.bluez.Agent1"
    static let agentManager = "org.bluez.AgentManager1"
    static let advertisement = "org.bluez.LEAdvertisement1"
    static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    static let gattManager = "org.bluez.GattManager1"
    static let gattService = "org.bluez.GattService1"
    static let gattCharacteristic = "org.bluez.GattCharacteristic1"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"
    static let properties = "org.freedesktop.DBus.Properties"

    static func path(ofAdapter name: String) -> String { manager + "/" + name }

    static func path(of address: BluetoothAddress, on adapter: String) -> String {
        let digits = address.description.map { $0 == ":" ? "_" : $0 }
        return path(ofAdapter: adapter) + "/dev_" + String(digits)
    }

    /// The adapter and the address in the path of a device.
    static func device(at path: String) -> (adapter: String, address: BluetoothAddress)? {
        let parts = path.split(separator: "/")
        guard parts.count == 4, parts[0] == "org", parts[1] == "bluez", parts[3].hasPrefix("dev_") else { return nil }
        let text = String(parts[3].dropFirst(4).map { $0 == "_" ? ":" : $0 })
        return BluetoothAddress(text).map { (String(parts[2]), $0) }
    }

    /// The error of an answer to bluetoothd.
    static func fault(_ name: String, _ message: String) -> BusFault {
        BusFault(name: "org.bluez.Error." + name, message: message)
    }
}
