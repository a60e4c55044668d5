import Testing
import WatchLink

@testable import BluetoothBridge

struct LinkPolicyTests {
    private let stranger: BluetoothPeer
    private let phone: BluetoothPeer

    init() throws {
        stranger = BluetoothPeer(try #require(BluetoothAddress("F0:00:5E:00:53:02")), .random)
        phone = BluetoothPeer(try #require(BluetoothAddress("00:AA:01:01:00:24")), .public)
    }

    private func device(_ peer: BluetoothPeer, isConnected: Bool = true) -> BluetoothDevice {
        BluetoothDevice(
            peer: peer, name: nil, presence: .unheard, trust: peer == phone ? .bonded : .stranger,
            connection: isConnected ? .connected : .none, services: [])
    }

    /// Returns the seconds at which the policy disconnects a device. The policy is updated once a second.
    private func drops(
        _ devices: [BluetoothDevice], channel: BluetoothPeer? = nil, pairing: LinkPolicy.Pairing = .closed,
        during seconds: UInt32 = 30
    ) -> [UInt32] {
        var policy = LinkPolicy()
        return (0..<seconds).filter { second in
            !policy.update(devices, channel: channel, pairing: pairing, at: .start + .seconds(second)).isEmpty
        }
    }

    @Test func `A device without keys has five seconds to begin a pairing`() {
        #expect(drops([device(stranger)]).first == 5)
        #expect(drops([device(stranger)], pairing: .open).first == 5)
        #expect(drops([device(stranger)], pairing: .comparing(phone)).first == 5)
        #expect(drops([device(stranger, isConnected: false)]).isEmpty)
    }

    @Test func `While the wearer compares its digits it stays, and has its seconds again afterwards`() {
        #expect(drops([device(stranger)], pairing: .comparing(stranger)).isEmpty)
        var policy = LinkPolicy()
        for second in 0..<20 as Range<UInt32> {
            _ = policy.update(
                [device(stranger)], channel: nil, pairing: .comparing(stranger), at: .start + .seconds(second))
        }
        for second in 20..<25 as Range<UInt32> {
            let drops = policy.update([device(stranger)], channel: nil, pairing: .open, at: .start + .seconds(second))
            #expect(drops.isEmpty)
        }
        let drops = policy.update([device(stranger)], channel: nil, pairing: .open, at: .start + .seconds(25))
        #expect(drops.map(\.reason) == [.didNotPair])
    }

    @Test func `A bonded phone has ten seconds for its channel, and twice as long after each visit without one`() {
        #expect(drops([device(phone)], during: 80) == [10, 30, 70])
        #expect(drops([device(phone)], channel: phone).isEmpty)
        var policy = LinkPolicy()
        for second in 0...10 as ClosedRange<UInt32> {
            _ = policy.update([device(phone)], channel: nil, pairing: .closed, at: .start + .seconds(second))
        }
        _ = policy.update([device(phone)], channel: phone, pairing: .closed, at: .start + .seconds(11))
        _ = policy.update([device(phone)], channel: nil, pairing: .closed, at: .start + .seconds(12))
        let after = policy.update([device(phone)], channel: nil, pairing: .closed, at: .start + .seconds(22))
        #expect(after.map(\.reason) == [.openedNoChannel], "a channel makes it ten seconds again")
    }

    @Test func `An idle phone that comes again and again waits at most five minutes`() {
        let seconds = drops([device(phone)], during: 3_600)
        let gaps = zip(seconds.dropFirst(), seconds).map { $0 - $1 }
        #expect(gaps.max() == 320)
    }

    @Test func `A device without keys makes way for a bonded phone at once, unless it is pairing or may begin to`() {
        let both = [device(stranger), device(phone)]
        #expect(drops(both, channel: phone).first == 0)
        #expect(drops(both).first == 0)
        #expect(drops(both, channel: phone, pairing: .comparing(stranger)).isEmpty)
        #expect(drops(both, channel: phone, pairing: .open).first == 5)
    }

    @Test func `A device that leaves and comes back has its seconds anew, and nothing is kept of those that left`() {
        var policy = LinkPolicy()
        _ = policy.update([device(stranger)], channel: nil, pairing: .closed, at: .start)
        _ = policy.update([], channel: nil, pairing: .closed, at: .start + .seconds(4))
        #expect(policy == LinkPolicy())
        let drops = policy.update([device(stranger)], channel: nil, pairing: .closed, at: .start + .seconds(6))
        #expect(drops.isEmpty)
    }
}
