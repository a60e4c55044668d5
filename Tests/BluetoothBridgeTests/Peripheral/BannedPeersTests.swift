import Testing

@testable import BluetoothBridge

struct BannedPeersTests {
    private func peer(_ number: UInt8) throws -> BluetoothPeer {
        BluetoothPeer(try #require(BluetoothAddress(bytes: [0xF0, 0, 0x5E, 0, 0x53, number])), .random)
    }

    @Test func `A device is banned until the wearer has confirmed its digits`() throws {
        let banned = BannedPeers()
        banned.ban(try peer(1))
        #expect(banned.contains(try peer(1)))
        #expect(!banned.contains(try peer(2)))
        banned.admit(try peer(1))
        #expect(!banned.contains(try peer(1)))
    }

    @Test func `An attacker with many addresses makes the watch remember a bounded number, the latest`() throws {
        let banned = BannedPeers()
        for number in 0..<200 as Range<UInt8> { banned.ban(try peer(number)) }
        let remembered = try (0..<200 as Range<UInt8>).filter { banned.contains(try peer($0)) }
        #expect(remembered == Array(136..<200))
    }
}
