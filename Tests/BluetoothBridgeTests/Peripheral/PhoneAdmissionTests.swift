import Testing
import WatchLink

@testable import BluetoothBridge

private func peer(_ number: UInt8) throws -> BluetoothPeer {
    BluetoothPeer(try #require(BluetoothAddress(bytes: [0xF0, 0, 0x5E, 0, 0x53, number])), .random)
}

struct ChannelThrottleTests {
    @Test
    func `A phone that never says hello gets a bounded number of channels an hour, and refusals cost nothing else`()
        throws
    {
        let phone = try peer(1)
        var throttle = ChannelThrottle()
        let opened = (0..<36_000 as Range<UInt32>).count {
            throttle.admits(phone, at: .start + .milliseconds($0 * 100))
        }
        #expect(opened == 66)
    }

    @Test func `Four channels that are lost before the hello are no trouble, and a hello makes up for all`() throws {
        let phone = try peer(1)
        var throttle = ChannelThrottle()
        for _ in 0..<10 {
            for _ in 0..<4 {
                let isAdmitted = throttle.admits(phone, at: .start)
                #expect(isAdmitted)
            }
            throttle.greeted(phone)
        }
        #expect(throttle == ChannelThrottle())
    }

    @Test func `Another phone does not wait for a bad one`() throws {
        var throttle = ChannelThrottle()
        let (bad, good) = (try peer(1), try peer(2))
        for _ in 0..<20 { _ = throttle.admits(bad, at: .start) }
        let (isBadAdmitted, isGoodAdmitted) = (throttle.admits(bad, at: .start), throttle.admits(good, at: .start))
        #expect(!isBadAdmitted && isGoodAdmitted)
    }
}

struct BannedPeersTests {
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
