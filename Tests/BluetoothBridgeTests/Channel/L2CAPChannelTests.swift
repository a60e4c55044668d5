import Glibc
import GuestAdapters
import Testing
import WatchLink
import Wormhole

@testable import BluetoothBridge

extension AdapterTests {
    struct ChannelTests {
        private let air: Air

        /// The dynamic PSMs of LE (Bluetooth Core Specification 5.4, volume 3, part A, section 4.22). Any user may listen on
        /// them, and the kernel assigns one to each listener.
        private static let dynamicPSMs: ClosedRange<UInt16> = 0x80...0xFF

        init() throws {
            air = try Air()
            try air.bond(.numericComparison)
        }

        @Test
        func `Datagrams pass both ways at level 4, as long as the other side takes, and each end knows the other`()
            async throws
        {
            let listener = try L2CAPListener(on: air.watch.address, largestArriving: 700)
            #expect(ChannelTests.dynamicPSMs.contains(listener.psm))
            let ends = try await Ends(air, listener, largestArriving: 1_000)
            defer { ends.close() }
            for end in [ends.watch, ends.phone] { #expect(end.security == ChannelSecurity(level: 4, keyLength: 16)) }
            #expect(ends.watch.device == air.phonePeer)
            #expect(ends.phone.device == air.watchPeer)
            #expect(ends.watch.transport.peer == .bondedDevice(address: air.phonePeer.description))
            #expect(ends.phone.transport.peer == .bondedDevice(address: air.watchPeer.description))
            #expect(ends.phone.transport.largestDatagram == 700)
            #expect(ends.watch.transport.largestDatagram == 1_000)
            for count in [1, 2, 187, 188, 189, 699, 700] {
                let datagram = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
                try await ends.phone.transport.send(datagram)
                #expect(try await ends.watch.transport.receive() == datagram)
            }
            let longest = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
            try await ends.watch.transport.send(longest)
            #expect(try await ends.phone.transport.receive() == longest)
        }

        @Test func `A datagram that is too long is refused, by the kernel too, and the next one passes`() async throws {
            let listener = try L2CAPListener(on: air.watch.address, largestArriving: 200)
            let ends = try await Ends(air, listener)
            defer { ends.close() }
            let datagram = [UInt8](repeating: 1, count: 201)
            await #expect(throws: WormholeError.datagramTooLong(bytes: 201, limit: 200)) {
                try await ends.phone.transport.send(datagram)
            }
            #expect(throws: WormholeError.datagramTooLong(bytes: 201, limit: nil)) {
                try ends.phone.socket.send(datagram.span)
            }
            try await ends.phone.transport.send([2])
            #expect(try await ends.watch.transport.receive() == [2])
        }

        @Test func `A peer that takes less than the longest control frame is refused, on either side`() async throws {
            let narrow = Int(LinkLimits.smallestSDU) - 1
            let listener = try L2CAPListener(on: air.watch.address, largestArriving: narrow)
            await #expect(throws: BluetoothError.tooNarrow(air.watch.address, bytes: narrow)) {
                _ = try await air.connector(to: listener.psm).open()
            }
            let wide = try L2CAPListener(on: air.watch.address)
            let accepting = Task { try await wide.accept() }
            let bare = try BareSocket.connect(air, to: wide.psm, largestArriving: narrow)
            defer { Glibc.close(bare) }
            await #expect(throws: WormholeError(.tooNarrow(air.phone.address, bytes: narrow))) {
                _ = try await accepting.value
            }
        }

        @Test(arguments: [4, 4_096])
        func `A peer that does not read makes the sender wait, and then everything arrives, in order`(size: Int)
            async throws
        {
            let listener = try L2CAPListener(on: air.watch.address)
            let ends = try await Ends(air, listener)
            defer { ends.close() }
            var sent = 0
            // The kernel sends in the background, so the channel counts as full only if it stays busy for 200 ms.
            while sent < 20_000 {
                let datagram = Numbered(sent, size).bytes
                if try ends.phone.socket.send(datagram.span) {
                    sent += 1
                } else {
                    var entry = pollfd(
                        fd: try #require(ends.phone.socket.fileDescriptor), events: Int16(POLLOUT), revents: 0)
                    if poll(&entry, 1, 200) == 0 { break }
                }
            }
            try #require(sent > 0 && sent < 20_000)
            for number in 0..<sent {
                let bytes = try await ends.watch.transport.receive()
                try #require(bytes == Numbered(number, size).bytes, "number \(number)")
            }
            try await ends.phone.transport.send(Numbered(sent, size).bytes)
            #expect(try await ends.watch.transport.receive() == Numbered(sent, size).bytes)
        }

        @Test func `Twice as many datagrams as the link has under way arrive in order, however late they are read`()
            async throws
        {
            let listener = try L2CAPListener(on: air.watch.address)
            let ends = try await Ends(air, listener)
            defer { ends.close() }
            let window = 2 * Int(LinkLimits.largestWindow)
            let datagrams = (0..<4 * window).map { Numbered($0, L2CAPChannel.usualLargestArriving).bytes }
            let phone = ends.phone
            let sending = Task {
                for (number, datagram) in datagrams.enumerated() {
                    // The watch asks for a window of datagrams when it has read the last window.
                    if number % window == 0 { _ = try await phone.transport.receive() }
                    try await phone.transport.send(datagram)
                }
            }
            for (number, datagram) in datagrams.enumerated() {
                if number % window == 0 {
                    try await ends.watch.transport.send([1])
                    // The watch begins to read late: the datagrams already wait in the kernel, or are on their way.
                    try BareSocket.wait(try #require(ends.watch.socket.fileDescriptor))
                }
                try #require(try await ends.watch.transport.receive() == datagram, "number \(number)")
            }
            try await sending.value
        }

        @Test func `Closing ends the other side's channel once it has received all that was sent`() async throws {
            let listener = try L2CAPListener(on: air.watch.address)
            for order in 0..<12 {
                let ends = try await Ends(air, listener)
                defer { ends.close() }
                let (near, far) = order % 2 == 0 ? (ends.phone, ends.watch) : (ends.watch, ends.phone)
                // In half of the rounds, the side that closes has unread data.
                if order % 4 >= 2 { try await far.transport.send([9]) }
                for number in 0..<5 { try await near.transport.send(Numbered(number).bytes) }
                near.transport.close()
                for number in 0..<5 { #expect(try await far.transport.receive() == Numbered(number).bytes) }
                await #expect(throws: WormholeError.closed) { _ = try await far.transport.receive() }
                await #expect(throws: WormholeError.closed) { try await far.transport.send([1]) }
                await #expect(throws: WormholeError.closed) { _ = try await near.transport.receive() }
            }
        }

        @Test func `A link that is lost is the end on both sides, again and again`() async throws {
            let listener = try L2CAPListener(on: air.watch.address)
            let ends = try await Ends(air, listener)
            try await ends.phone.transport.send([1])
            #expect(try await ends.watch.transport.receive() == [1])
            try air.part()
            for end in [ends.watch, ends.phone] {
                for _ in 0..<2 { await #expect(throws: WormholeError.closed) { _ = try await end.transport.receive() } }
                await #expect(throws: WormholeError.closed) { try await end.transport.send([1]) }
            }
        }

        @Test func `A wait on a channel that this side closes ends`() async throws {
            let listener = try L2CAPListener(on: air.watch.address)
            let ends = try await Ends(air, listener)
            let receiving = Task { try await ends.phone.transport.receive() }
            ends.phone.transport.close()
            await #expect(throws: WormholeError.closed) { _ = try await receiving.value }
            let accepting = Task { try await listener.accept() }
            listener.close()
            await #expect(throws: WormholeError.closed) { _ = try await accepting.value }
            #expect(throws: BluetoothError.ended) { _ = try listener.acceptWaiting() }
        }

        @Test func `A wish for another pace reaches the controller`() async throws {
            let listener = try L2CAPListener(on: air.watch.address)
            let ends = try await Ends(air, listener)
            defer { ends.close() }
            #expect(try ends.phone.request(.slow) == .requested)
            #expect(try ends.phone.request(.fast) == .requested)
            try await ends.phone.transport.send([1])
            #expect(try await ends.watch.transport.receive() == [1])
            ends.phone.transport.close()
            #expect(throws: BluetoothError.ended) { try ends.phone.request(.slow) }
        }
    }
}

private struct Numbered {
    let bytes: [UInt8]

    init(_ number: Int, _ size: Int = 300) {
        bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 < 4 ? number >> ($0 * 8) : $0 &* 31 &+ number) }
    }
}

struct ChannelSecurityTests {
    // This text is a valid address.
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

struct ConnectionPriorityTests {
    @Test(arguments: [ConnectionPriority.fast, .slow])
    func `The parameters are those that a controller takes`(_ pace: ConnectionPriority) {
        let parameters = pace.parameters
        #expect((6...3_200).contains(parameters.shortestInterval))
        #expect((parameters.shortestInterval...3_200).contains(parameters.longestInterval))
        #expect(parameters.latency <= 499)
        // The specification's rule: the time-out is more than twice the longest silence.
        let silence = Double(parameters.longestInterval) * 1.25 * Double(parameters.latency + 1)
        #expect(Double(parameters.supervisionTimeout) * 10 > 2 * silence)
    }

    @Test func `Fast is every 15 ms`() {
        #expect(Double(ConnectionPriority.fast.parameters.longestInterval) * 1.25 == 15)
    }

    @Test func `The settling time is six events of a slow link that the watch must not skip`() {
        let slow = ConnectionPriority.slow.parameters
        let interval = Microseconds(UInt64(slow.longestInterval) * 1_250)
        #expect(
            ConnectionParameterPolicy.settlingTime
                == ConnectionParameterPolicy.settlingTime(interval: interval, latency: Int(slow.latency)))
        #expect(ConnectionParameterPolicy.settlingTime == .milliseconds(1_080))
    }
}
