import HostSystem
import Testing
import WatchLink
import Wormhole
import WormholeTesting

@testable import BluetoothBridge

private final class Phones: PhoneChannelSource {
    /// A phone's channel, which records the requested priorities. The phone's end is `far`.
    final class Channel: PhoneChannel {
        let device: BluetoothPeer
        let far: InMemoryTransport
        let requests = Published<[ConnectionPriority]>([])
        let transport: any DatagramTransport
        private let outcome: PriorityRequestOutcome

        init(_ device: BluetoothPeer, _ outcome: PriorityRequestOutcome) {
            self.device = device
            self.outcome = outcome
            (transport, far) = InMemoryTransport.pair(peers: (.bondedDevice(address: device.description), .unknown))
        }

        func request(_ priority: ConnectionPriority) throws(BluetoothError) -> PriorityRequestOutcome {
            requests.update { $0.append(priority) }
            return outcome
        }
    }

    private enum Arrival {
        case channel(Channel)
        case failure(BluetoothError)
    }

    private let arrivals = WaitableState<[Arrival]?>([])

    func open(_ device: BluetoothPeer, _ outcome: PriorityRequestOutcome = .requested) -> Channel {
        let channel = Channel(device, outcome)
        arrivals.change { $0?.append(.channel(channel)) }
        return channel
    }

    func fail(_ error: BluetoothError) { arrivals.change { $0?.append(.failure(error)) } }

    func nextChannel() async throws(BluetoothError) -> any PhoneChannel {
        let next: Arrival? = try await arrivals.wait { arrivals throws(BluetoothError) in
            guard arrivals != nil else { throw .ended }
            return arrivals?.isEmpty == false ? arrivals?.removeFirst() : nil
        }
        switch next {
        case .channel(let channel)?: return channel
        case .failure(let error)?: throw error
        case nil: throw .ended
        }
    }

    func close() { arrivals.change { $0 = nil } }
}

@Suite(.timeLimit(.minutes(60)))
struct PhoneListenerTests {
    private let phones = Phones()
    private let clock = ManualClock()
    private let phone = Published<BluetoothPeer?>(nil)
    private let banned = BannedPeers()
    private let notes = Published<[BluetoothError]>([])
    private let listener: PhoneListener
    private let one = PhoneListenerTests.device(1)
    private let other = PhoneListenerTests.device(2)

    init() {
        listener = PhoneListener(phones, phone: phone, banned: banned, clock: clock) { [notes] note in
            notes.update { $0.append(note) }
        }
    }

    private static func device(_ number: UInt8) -> BluetoothPeer {
        // Six bytes are always a valid address.
        BluetoothPeer(BluetoothAddress(bytes: [0, 0xAA, 1, 0, 0, number])!, .public)
    }

    private static func frame(_ kind: FrameKind) -> [UInt8] { [kind.rawValue, 0] }

    private func wait(for device: BluetoothPeer?) async {
        for await phone in phone.values() where phone == device { return }
    }

    @Test
    func `A channel carries both ways under the phone's address, and is the phone's until it ends`() async throws {
        let far = phones.open(one).far
        let channel = try await listener.accept()
        #expect(channel.peer == .bondedDevice(address: one.description))
        #expect(phone.value == one)
        try await channel.send([1, 2])
        #expect(try await far.receive() == [1, 2])
        try await far.send([3])
        #expect(try await channel.receive() == [3])
        #expect(try channel.receiveAtOnce() == nil)
        far.close()
        await #expect(throws: WormholeError.closed) { _ = try await channel.receive() }
        await wait(for: nil)
    }

    @Test func `The end of an older channel leaves the newer one its phone`() async throws {
        _ = phones.open(one)
        let older = try await listener.accept()
        let far = phones.open(other).far
        let newer = try await listener.accept()
        older.close()
        try await newer.send([1])
        #expect(try await far.receive() == [1])
        for _ in 0..<20 { await Task.yield() }
        #expect(phone.value == other)
        newer.close()
        await wait(for: nil)
    }

    @Test func `A banned device gets no channel`() async throws {
        banned.ban(one)
        let refused = phones.open(one).far
        _ = phones.open(other)
        #expect(try await listener.accept().peer == .bondedDevice(address: other.description))
        await #expect(throws: WormholeError.closed) { _ = try await refused.receive() }
    }

    @Test func `A phone that opens channels without a hello waits for the next, and one that says hello does not`()
        async throws
    {
        for _ in 0..<20 {
            let far = phones.open(one).far
            let channel = try await listener.accept()
            try await far.send(Self.frame(.hello))
            _ = try await channel.receive()
            channel.close()
        }
        for _ in 0...ChannelThrottle.free {
            _ = phones.open(one)
            try await listener.accept().close()
        }
        let refused = phones.open(one).far
        _ = phones.open(other)
        #expect(try await listener.accept().peer == .bondedDevice(address: other.description))
        await #expect(throws: WormholeError.closed) { _ = try await refused.receive() }
        clock.advance(by: ChannelThrottle.shortestPause)
        _ = phones.open(one)
        #expect(try await listener.accept().peer == .bondedDevice(address: one.description))
    }

    @Test func `A phone that is refused is told of and keeps no other waiting; an error of the system is passed on`()
        async throws
    {
        let refusal = BluetoothError.insecure(one.address, level: 2)
        phones.fail(refusal)
        _ = phones.open(other)
        #expect(try await listener.accept().peer == .bondedDevice(address: other.description))
        #expect(notes.value == [refusal])
        phones.fail(.noAdapter(name: nil))
        await #expect(throws: WormholeError.transport("\(BluetoothError.noAdapter(name: nil))")) {
            _ = try await listener.accept()
        }
        listener.close()
        await #expect(throws: WormholeError.closed) { _ = try await listener.accept() }
    }

    @Test
    func
        `The link is fast while something is carried but pings, and slow five seconds later; a channel that has ended asks for nothing`()
        async throws
    {
        let far = phones.open(one)
        let channel = try await listener.accept()
        #expect(far.requests.value == [.fast])
        let quiet = ConnectionParameterPolicy.quietTime
        clock.advance(by: .seconds(2))
        try await channel.send(Self.frame(.ping))
        await clock.waitForSleeper(until: .start + quiet)
        clock.advance(by: .seconds(3))
        for await requests in far.requests.values() where requests.count == 2 { break }
        #expect(far.requests.value == [.fast, .slow])
        clock.advance(by: .seconds(60))
        try await channel.send(Self.frame(.queued))
        #expect(far.requests.value == [.fast, .slow, .fast])
        // A received frame also keeps the link fast.
        clock.advance(by: .seconds(4))
        try await far.far.send(Self.frame(.queued))
        _ = try await channel.receive()
        await clock.waitForSleeper(until: .start + .seconds(70))
        clock.advance(by: .seconds(1))
        await clock.waitForSleeper(until: .start + .seconds(74))
        #expect(far.requests.value == [.fast, .slow, .fast])
        channel.close()
        await wait(for: nil)
        #expect(clock.nextDeadline == nil)
    }

    @Test func `If the system allows no requests, that is told once`() async throws {
        for _ in 0..<3 {
            let channel = phones.open(one, .notAllowed)
            let accepted = try await listener.accept()
            try await channel.far.send(Self.frame(.hello))
            _ = try await accepted.receive()
            accepted.close()
            await wait(for: nil)
        }
        #expect(notes.value == [.parametersKept])
    }
}
