import Testing

@testable import BluetoothBridge

struct ChannelSecurityTests {
    // Six bytes.
    private let address = BluetoothAddress("00:1B:DC:07:32:EF")!

    @Test func `Level 4 with a whole key is enough`() throws {
        #expect(ChannelSecurity(level: 4, keyLength: 16).isSufficient)
        try ChannelSecurity(level: 4, keyLength: 16).demandSufficient(of: address)
    }

    @Test(arguments: [
        (1, 0, 1), (2, 16, 2), (3, 16, 3), (4, 0, 1), (4, 7, 3), (4, 15, 3), (0, 0, 0),
    ])
    func `Anything less is refused, by the level that counts`(level: Int, keyLength: Int, told: Int) {
        let security = ChannelSecurity(level: level, keyLength: keyLength)
        #expect(!security.isSufficient)
        #expect(throws: BluetoothError.insecure(address, level: told)) { try security.demandSufficient(of: address) }
    }

    @Test func `A link without a key is not encrypted, whatever level is reported`() {
        #expect(ChannelSecurity(level: 2, keyLength: 16).isEncrypted)
        #expect(!ChannelSecurity(level: 4, keyLength: 0).isEncrypted)
        #expect(!ChannelSecurity(level: 1, keyLength: 16).isEncrypted)
    }
}
