import DeviceModel
import Glibc
import GuestAdapters
import Testing
import Watch
import WatchLink
import Wormhole

@testable import BluetoothBridge
@testable import HostRadio

@Suite(
    .serialized,
    .enabled(if: Air.isHere, "the guest of Tests/bluetooth has adapters"),
    .timeLimit(.minutes(60)))
struct BluetoothRadioTests {
    private let air: Air
    private let listener: L2CAPListener
    private let radio: BluetoothRadio
    private let clock = SystemClock()

    init() throws {
        air = try Air()
        try air.bond(.numericComparison)
        listener = try L2CAPListener(on: air.watch.address)
        radio = BluetoothRadio(listener)
    }

    @Test func `A phone that connects is heard, answered, and noticed when it goes`() async throws {
        #expect(radio.state == .down)
        let phone = try await connect()
        try wait { radio.state == .up(connection: 1, maximumSDU: phone.transport.largestDatagram) }
        try await phone.transport.send([1, 2, 3])
        #expect(try receive() == [1, 2, 3])
        #expect(radio.send([4].span) == .sent)
        #expect(try await phone.transport.receive() == [4])
        phone.transport.close()
        try wait {
            var buffer = [UInt8](repeating: 0, count: 512)
            var bytes = buffer.mutableSpan
            #expect(radio.receive(into: &bytes) == nil)
            return radio.state == .down
        }
        #expect(radio.send([5].span) == .refused)
    }

    @Test func `A phone that connects takes the place of the one that is connected`() async throws {
        let older = try await connect()
        try wait { radio.state != .down }
        let newer = try await connect()
        try wait { radio.state == .up(connection: 2, maximumSDU: newer.transport.largestDatagram) }
        await #expect(throws: WormholeError.closed) { _ = try await older.transport.receive() }
        #expect(radio.send([1].span) == .sent)
        #expect(try await newer.transport.receive() == [1])
        radio.disconnect()
        await #expect(throws: WormholeError.closed) { _ = try await newer.transport.receive() }
        #expect(radio.state == .down)
        let last = try await connect()
        try wait { radio.state == .up(connection: 3, maximumSDU: last.transport.largestDatagram) }
    }

    @Test func `A phone that does not read makes the radio busy until it reads`() async throws {
        let phone = try await connect()
        try wait { radio.state != .down }
        let datagram = [UInt8](repeating: 1, count: 512)
        var sent = 0
        while radio.send(datagram.span) != .busy {
            sent += 1
            try #require(sent < 10_000)
        }
        guard case .readableOrWritable = radio.interest.watching else {
            Issue.record("the radio does not wait for room")
            return
        }
        for _ in 0..<sent { #expect(try await phone.transport.receive() == datagram) }
        try wait { radio.send(datagram.span) == .sent }
        guard case .readable = radio.interest.watching else {
            Issue.record("the radio waits for room that it has")
            return
        }
    }

    @Test func `A phone with unconfirmed keys is refused, and the reason noted`() throws {
        try air.bond(.justWorks)
        var notes: [BluetoothError] = []
        let lenient = try L2CAPListener(on: air.watch.address, level: 2)
        let radio = BluetoothRadio(lenient) { notes.append($0) }
        let bare = try BareSocket.connect(air, to: lenient.psm)
        defer { Glibc.close(bare) }
        try Self.wait(for: radio) { !notes.isEmpty }
        #expect(!notes.contains { !$0.isRefusal })
        #expect(radio.state == .down)
    }

    @Test
    func `The controllers meet often while something is carried or the wearer acts, and seldom otherwise`() async throws
    {
        let changes = try PaceChanges(of: air.phone)
        let phone = try await connect()
        // The radio uses only the times that the test passes, so a slow machine changes nothing.
        let opened = clock.now
        try Self.wait(for: radio, at: opened) { radio.state != .down }
        let fast = PaceChanges.Change(interval: 12, latency: 0, supervisionTimeout: 600)
        #expect(try changes.next() == fast)

        radio.service(at: opened + .seconds(4))
        #expect(radio.interest.wakeAt == opened + .seconds(5))
        radio.service(at: opened + .seconds(5))
        let slow = try changes.next()
        #expect((24...36).contains(slow.interval) && slow.latency == 3)
        #expect(radio.interest.wakeAt == nil)

        // A ping keeps the link slow. A frame of another kind makes it fast.
        radio.service(at: opened + .seconds(60))
        #expect(radio.send([FrameKind.ping.rawValue].span) == .sent)
        #expect(try await phone.transport.receive() == [FrameKind.ping.rawValue])
        #expect(radio.interest.wakeAt == nil && changes.waiting().isEmpty)
        #expect(radio.send([FrameKind.queued.rawValue].span) == .sent)
        #expect(try changes.next() == fast)

        radio.service(at: opened + .seconds(65))
        #expect(try changes.next() == slow)
        radio.wearerActed(at: opened + .seconds(70))
        #expect(try changes.next() == fast)
        #expect(try await phone.transport.receive() == [FrameKind.queued.rawValue])
    }

    @Test func `A process that may not request parameters reports it once, and the link works`() async throws {
        listener.close()
        await #expect(processExitsWith: .success) {
            try #require(setuid(65_534) == 0)
            let watch = try LocalAdapter.named("hci0")
            let phone = try LocalAdapter.named("hci1")
            let listener = try L2CAPListener(on: watch.address)
            var notes: [BluetoothError] = []
            let radio = BluetoothRadio(listener) { notes.append($0) }
            for number in UInt8(1)...2 {
                let channel = try await L2CAPConnector(
                    to: BluetoothPeer(watch.address, .public), psm: listener.psm, from: phone.address,
                    timeLimit: .seconds(240)
                ).open()
                try BluetoothRadioTests.wait(for: radio) {
                    radio.state == .up(connection: UInt32(number), maximumSDU: channel.transport.largestDatagram)
                }
                #expect(radio.send([number].span) == .sent)
                #expect(try await channel.transport.receive() == [number])
            }
            #expect(notes == [.parametersKept])
        }
    }

    private func connect() async throws -> L2CAPChannel {
        try await L2CAPConnector(
            to: air.watchPeer, psm: listener.psm, from: air.phone.address, timeLimit: .seconds(240)
        ).open()
    }

    private func receive() throws -> [UInt8] {
        var received: [UInt8] = []
        try wait {
            var buffer = [UInt8](repeating: 0, count: 512)
            var bytes = buffer.mutableSpan
            guard let count = radio.receive(into: &bytes) else { return false }
            received = Array(buffer.prefix(count))
            return true
        }
        return received
    }

    /// Serves the radio as a board does, until `condition` holds: waits for events on the radio's descriptors, and lets the
    /// radio handle them.
    private func wait(until condition: () throws -> Bool) throws {
        try Self.wait(for: radio, until: condition)
    }

    private static func wait(
        for radio: BluetoothRadio, at moment: WatchLink.Instant? = nil, until condition: () throws -> Bool
    ) throws {
        let clock = SystemClock()
        while true {
            radio.service(at: moment ?? clock.now)
            if try condition() { return }
            var watched = radio.interest.listening.map { [pollfd(fd: $0, events: Int16(POLLIN), revents: 0)] } ?? []
            switch radio.interest.watching {
            case .nothing: break
            case .readable(let descriptor):
                watched.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            case .readableOrWritable(let descriptor):
                watched.append(pollfd(fd: descriptor, events: Int16(POLLIN | POLLOUT), revents: 0))
            }
            try #require(poll(&watched, nfds_t(watched.count), 240_000) > 0)
        }
    }
}
