/// The 48-bit address of a Bluetooth device, written as six pairs of hexadecimal digits, the most significant first.
public struct BluetoothAddress: Hashable, Sendable, CustomStringConvertible {
    /// Six bytes, most significant first.
    public let bytes: [UInt8]

    /// The address of six bytes, most significant first; nil for another number of bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 6 else { return nil }
        self.bytes = bytes
    }

    /// Reads an address such as `00:1B:DC:07:32:EF`, in either case; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in
            part.utf8.count == 2 && part.allSatisfy(\.isHexDigit) ? UInt8(part, radix: 16) : nil
        }
        guard parts.count == 6, bytes.count == 6 else { return nil }
        self.bytes = bytes
    }

    /// The address as a 48-bit number, which serves as a seed that no other device has.
    var number: UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// The address with colons, in upper case.
    public var description: String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }.joined(separator: ":")
    }
}

/// The kind of an address (Bluetooth Core Specification 5.4, volume 6, part B, section 1.3).
public enum BluetoothAddressKind: Hashable, Sendable {
    /// Assigned by the manufacturer of the device.
    case `public`
    /// An address that the device chose.
    case random
}

/// A Bluetooth device: an address and its kind.
public struct BluetoothPeer: Hashable, Sendable {
    /// The address of the device.
    public var address: BluetoothAddress
    /// The kind of that address.
    public var kind: BluetoothAddressKind

    /// The device with this address.
    public init(_ address: BluetoothAddress, _ kind: BluetoothAddressKind) {
        self.address = address
        self.kind = kind
    }
}

extension BluetoothPeer: CustomStringConvertible {
    /// The address, followed by `/random` if it is a random one.
    public var description: String {
        switch kind {
        case .public: address.description
        case .random: "\(address)/random"
        }
    }
}
