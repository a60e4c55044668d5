import Testing
import WatchLink

@testable import BluetoothBridge

@Suite("Which phone may have a channel")
struct ChannelThrottleTests {
    private func phone(_ number: UInt8) throws -> BluetoothPeer {
        BluetoothPeer(try #require(BluetoothAddress(bytes: [0xF0, 0, 0x5E, 0, 0x53, number])), .random)
    }

    @Test("A phone that never says hello gets a bounded number of channels an hour, and refusals cost nothing else")
    func bounded() throws {
        let phone = try phone(1)
        var throttle = ChannelThrottle()
        let opened = (0..<36_000 as Range<UInt32>).count {
            throttle.admits(phone, at: .start + .milliseconds($0 * 100))
        }
        #expect(opened == 66)
    }

    @Test("Four channels that are lost before the hello are no trouble, and a hello makes up for all")
    func forgiven() throws {
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

    @Test("Another phone does not wait for a bad one")
    func others() throws {
        var throttle = ChannelThrottle()
        let (bad, good) = (try phone(1), try phone(2))
        for _ in 0..<20 { _ = throttle.admits(bad, at: .start) }
        let (isBadAdmitted, isGoodAdmitted) = (throttle.admits(bad, at: .start), throttle.admits(good, at: .start))
        #expect(!isBadAdmitted && isGoodAdmitted)
    }
}
