import HostSystem

/// The values in a watch's GATT services that differ from watch to watch: the PSM of its channel, and its battery level.
public struct WatchServices: Sendable {
    /// The PSM of the watch's L2CAP channel. Every device may read it without encryption, as is usual for this characteristic.
    /// The channel itself demands authenticated keys. A demand for encryption could crash a phone with Linux 6.1 if
    /// the watch has lost the phone's keys.
    public var channelNumber: UInt16
    /// The charge of the watch's battery.
    public var battery: BatteryLevel

    /// The services of a watch; see the properties.
    public init(channelNumber: UInt16, battery: BatteryLevel) {
        self.channelNumber = channelNumber
        self.battery = battery
    }
}

/// The charge of a battery, 0 to 100 percent, and its changes.
public final class BatteryLevel: Sendable {
    private let level: Published<UInt8>

    /// A level of `percent`; more than 100 counts as 100.
    public init(_ percent: UInt8) { level = Published(min(percent, 100)) }

    var percent: UInt8 { level.value }

    /// Changes the level to `percent`, and notifies the phones that have subscribed to it. Does nothing if the level stays the
    /// same. More than 100 counts as 100.
    public func set(_ percent: UInt8) { level.set(min(percent, 100)) }

    /// The level now, and each later level. A slow reader gets only the newest one.
    func levels() -> AsyncStream<UInt8> { level.values() }
}

/// The advertisement of a watch.
public struct BluetoothAdvertisement: Hashable, Sendable {
    /// The name that other devices show for the watch. BlueZ cuts a longer name off after 29 bytes.
    public var name: String
    /// The service by which phones find the watch.
    public var service: BluetoothUUID

    /// An advertisement with this name; see the properties.
    public init(name: String, service: BluetoothUUID = .tapline) {
        self.name = name
        self.service = service
    }
}

/// The UUID of a service or a characteristic, as BlueZ writes it: 36 characters in lower case.
public struct BluetoothUUID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The text in lower case.
    public let rawValue: String

    /// Makes a UUID from its text, with letters in upper or lower case. The text is not checked.
    public init(rawValue: String) { self.rawValue = rawValue.lowercased() }

    /// A UUID from a number that the Bluetooth SIG assigned (Core Specification 5.4, volume 3, part B, section 2.5.1).
    init(assigned number: UInt16) {
        self.init(rawValue: "0000\(HexadecimalText(number))-0000-1000-8000-00805f9b34fb")
    }

    /// The text in lower case.
    public var description: String { rawValue }

    /// Tapline's service.
    public static let tapline = BluetoothUUID(rawValue: "7A9B0001-3F2C-4D1E-9C54-5441504C494E")
    /// The characteristic that holds the PSM of an L2CAP channel: two bytes, little-endian. Apple's Core Bluetooth calls it
    /// CBUUIDL2CAPPSMCharacteristicString, and other systems use it too.
    static let channelNumber = BluetoothUUID(rawValue: "ABDD3056-28FA-441D-A470-55A75A52553A")
    /// Device Information Service 1.1.
    static let deviceInformation = BluetoothUUID(assigned: 0x180A)
    static let manufacturerName = BluetoothUUID(assigned: 0x2A29)
    static let modelNumber = BluetoothUUID(assigned: 0x2A24)
    static let firmwareRevision = BluetoothUUID(assigned: 0x2A26)
    /// Battery Service 1.1.
    static let battery = BluetoothUUID(assigned: 0x180F)
    /// The battery's level: one byte, 0 to 100 percent.
    static let batteryLevel = BluetoothUUID(assigned: 0x2A19)
}
