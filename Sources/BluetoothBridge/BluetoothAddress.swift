/// The 48-bit address of a Bluetooth device, written as six pairs of hexadecimal digits, the most significant first.
public struct BluetoothAddress: Hashable, Sendable, CustomStringConvertible {
    /// Six bytes, most significant first.
    public let bytes: [UInt8]

    /// Makes an address from six bytes, the most significant first; nil for any other number of bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 6 else { return nil }
        self.bytes = bytes
    }

    /// Parses an address such as `00:1B:DC:07:32:EF`, in upper or lower case; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in
            part.utf8.count == 2 && part.allSatisfy(\.isHexDigit) ? UInt8(part, radix: 16) : nil
        }
        guard parts.count == 6, bytes.count == 6 else { return nil }
        self.bytes = bytes
    }

    /// The address as a 48-bit number. It serves as a seed, so that delays differ between devices.
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

/// The identity of a Bluetooth device: its address and the kind of that address.
public struct BluetoothPeer: Hashable, Sendable {
    /// The address of the device.
    public var address: BluetoothAddress
    /// The kind of that address.
    public var kind: BluetoothAddressKind

    /// Identifies the device with this address.
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
