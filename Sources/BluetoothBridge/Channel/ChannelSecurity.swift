/// The security of a channel, as the kernel reports it for its link (`BT_SECURITY`, l2cap(7)).
package struct ChannelSecurity: Hashable, Sendable {
    /// 1: plaintext. 2: encrypted, with keys that a machine in the middle could have exchanged ("just works"). 3: encrypted,
    /// with keys whose exchange a person has confirmed. 4: like 3, by LE Secure Connections (Bluetooth Core Specification
    /// 5.4, volume 3, part C, section 10.2.1: LE security mode 1).
    package let level: Int
    /// Bytes of the key, 7 to 16; 0 where nothing is encrypted.
    package let keyLength: Int

    static let demandedLevel = 4
    /// The length of a key at level 4, in bytes (volume 3, part C, section 10.2.1).
    static let demandedKeyLength = 16

    package var isSufficient: Bool {
        level >= ChannelSecurity.demandedLevel && keyLength >= ChannelSecurity.demandedKeyLength
    }

    package var isEncrypted: Bool { level >= 2 && keyLength > 0 }

    /// The level in effect: without a key it is 1, whatever was demanded.
    var effectiveLevel: Int { keyLength == 0 ? min(level, 1) : level }

    /// - Throws: `.insecure` where it is not sufficient.
    func demandSufficient(of peer: BluetoothAddress) throws(BluetoothError) {
        guard isSufficient else { throw .insecure(peer, level: min(effectiveLevel, ChannelSecurity.demandedLevel - 1)) }
    }
}
