import HostSystem

/// The UUID of a service or a characteristic, as BlueZ writes it: 36 characters in lower case.
public struct BluetoothUUID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The text in lower case.
    public let rawValue: String

    /// The UUID of a text in either case.
    public init(rawValue: String) { self.rawValue = rawValue.lowercased() }

    /// The UUID of a number assigned by the Bluetooth SIG (Core Specification 5.4, volume 3, part B, section 2.5.1).
    init(assigned number: UInt16) {
        self.init(rawValue: "0000\(HexadecimalText(number))-0000-1000-8000-00805f9b34fb")
    }

    /// The text in lower case.
    public var description: String { rawValue }

    /// Tapline's service.
    public static let tapline = BluetoothUUID(rawValue: "7A9B0001-3F2C-4D1E-9C54-5441504C494E")
    /// The characteristic with the PSM of an L2CAP channel, two bytes, little-endian:
    /// CBUUIDL2CAPPSMCharacteristicString of Apple's Core Bluetooth, which other systems use too.
    static let channelNumber = BluetoothUUID(rawValue: "ABDD3056-28FA-441D-A470-55A75A52553A")
    /// Device Information Service 1.1.
    static let deviceInformation = BluetoothUUID(assigned: 0x180A)
    static let manufacturerName = BluetoothUUID(assigned: 0x2A29)
    static let modelNumber = BluetoothUUID(assigned: 0x2A24)
    static let firmwareRevision = BluetoothUUID(assigned: 0x2A26)
    /// Battery Service 1.1.
    static let battery = BluetoothUUID(assigned: 0x180F)
    /// One byte, 0 to 100 percent.
    static let batteryLevel = BluetoothUUID(assigned: 0x2A19)
}
