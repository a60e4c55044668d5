import Testing
import WatchLink

@testable import BluetoothBridge

struct ChannelThrottleTests {
    private func phone(_ number: UInt8) throws -> BluetoothPeer {
        BluetoothPeer(try #require(BluetoothAddress(bytes: [0xF0, 0, 0x5E, 0, 0x53, number])), .random)
    }

    @Test
    func `A phone that never says hello gets a bounded number of channels an hour, and refusals cost nothing else`()
        throws
    {
        let phone = try phone(1)
        var throttle = ChannelThrottle()
        let opened = (0..<36_000 as Range<UInt32>).count {
            throttle.admits(phone, at: .start + .milliseconds($0 * 100))
        }
        #expect(opened == 66)
    }

    @Test func `Four channels that are lost before the hello are no trouble, and a hello makes up for all`() throws {
        let phone = try phone(1)
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
        let (bad, good) = (try phone(1), try phone(2))
        for _ in 0..<20 { _ = throttle.admits(bad, at: .start) }
        let (isBadAdmitted, isGoodAdmitted) = (throttle.admits(bad, at: .start), throttle.admits(good, at: .start))
        #expect(!isBadAdmitted && isGoodAdmitted)
    }
}
