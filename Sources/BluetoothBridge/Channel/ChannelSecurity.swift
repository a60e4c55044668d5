/// How a channel is protected, as the kernel reports it for the link that carries it (`BT_SECURITY`, l2cap(7)).
package struct ChannelSecurity: Hashable, Sendable {
    /// 1: in plaintext. 2: encrypted with keys that anybody in the middle could have exchanged ("just works"). 3: keys
    /// whose exchange a person has confirmed. 4: that, by LE Secure Connections (Bluetooth Core Specification 5.4,
    /// volume 3, part C, section 10.2.1: LE security mode 1).
    package let level: Int
    /// Bytes of the key, 7 to 16; 0 where nothing is encrypted.
    package let keyLength: Int

    /// Channels of this level are used, and no others.
    static let demandedLevel = 4
    /// Level 4 comes with keys of that many bytes (volume 3, part C, section 10.2.1).
    static let demandedKeyLength = 16

    /// Security of this level, with a key of that many bytes.
    package init(level: Int, keyLength: Int) {
        self.level = level
        self.keyLength = keyLength
    }

    /// Whether a channel of this security may be used.
    package var isSufficient: Bool {
        level >= ChannelSecurity.demandedLevel && keyLength >= ChannelSecurity.demandedKeyLength
    }

    /// Whether anything is encrypted at all.
    package var isEncrypted: Bool { level >= 2 && keyLength > 0 }

    /// The level that counts: without a key it is 1, whatever was asked for.
    package var effectiveLevel: Int { keyLength == 0 ? min(level, 1) : level }

    /// Refuses what is not sufficient.
    ///
    /// - Throws: `.insecure`.
    func demandSufficient(of peer: BluetoothAddress) throws(BluetoothError) {
        guard isSufficient else { throw .insecure(peer, level: min(effectiveLevel, ChannelSecurity.demandedLevel - 1)) }
    }
}
