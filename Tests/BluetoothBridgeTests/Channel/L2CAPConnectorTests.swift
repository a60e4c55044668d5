import Glibc
import GuestAdapters
import Testing
import WatchLink
import Wormhole

@testable import BluetoothBridge

extension AdapterTests {
    struct ConnectorTests {
        private let air: Air

        init() throws {
            air = try Air()
            try air.bond(.numericComparison)
        }

        @Test func `Keys of an earlier link bring a new one to level 4`() async throws {
            try air.part()
            let listener = try L2CAPListener(on: air.watch.address)
            let ends = try await Ends(air, listener)
            for end in [ends.watch, ends.phone] { #expect(end.security == ChannelSecurity(level: 4, keyLength: 16)) }
            try await ends.expectToWork()
            ends.close()
        }

        @Test func `Channels that the watch's machine opens a moment later leave ours what it is`() async throws {
            try air.part()
            let listener = try L2CAPListener(on: air.watch.address)
            let ends = try await Ends(air, listener)
            defer { ends.close() }
            let bearers = try openBearers(4)
            defer { for bearer in bearers { Glibc.close(bearer) } }
            try await ends.expectToWork()
        }

        @Test func `A link that carries such channels gives us ours again and again`() async throws {
            try air.part()
            let listener = try L2CAPListener(on: air.watch.address)
            let first = try await Ends(air, listener)
            let bearers = try openBearers(2)
            defer { for bearer in bearers { Glibc.close(bearer) } }
            first.close()
            for _ in 0..<12 {
                // If a response is lost, the attempt waits for longer than a test may take.
                let ends = try await Ends(air, listener, timeLimit: .seconds(1_000))
                try await ends.expectToWork()
                ends.close()
            }
        }

        /// Opens channels from the watch to the phone, as bluetoothd does for Enhanced ATT. Returns the descriptors of both
        /// ends.
        private func openBearers(_ count: Int) throws -> [CInt] {
            try air.stopAdvertising()
            let listener = try L2CAPListener(on: air.phone.address)
            var ends: [CInt] = []
            for _ in 0..<count {
                ends.append(try BareSocket.connect(air.watch, to: air.phonePeer, psm: listener.psm))
                ends.append(try BareSocket.accept(from: listener))
            }
            return ends
        }

        @Test func `A number without a listener differs from a watch that does not answer`() async throws {
            await #expect(throws: BluetoothError.notListening(air.watch.address, psm: 0xF3)) {
                _ = try await air.connector(to: 0xF3).open()
            }
            let transport: any TransportConnector = air.connector(to: 0xF3)
            await #expect(throws: WormholeError(.notListening(air.watch.address, psm: 0xF3))) {
                _ = try await transport.connect()
            }
        }

        @Test
        func `A watch that is not there costs the time limit and no more, and does not stand in the way of the next`()
            async throws
        {
            let nobody = BluetoothPeer(try #require(BluetoothAddress("00:AA:01:FF:00:99")), .public)
            let clock = SystemClock()
            let started = clock.now
            await #expect(throws: BluetoothError.outOfReach(nobody.address)) {
                _ = try await L2CAPConnector(
                    to: nobody, psm: 0x80, from: air.phone.address, timeLimit: .milliseconds(300)
                ).open()
            }
            #expect(clock.now - started >= .milliseconds(300))
            let listener = try L2CAPListener(on: air.watch.address)
            try await Ends(air, listener).close()
        }

        @Test func `An attempt that is cancelled ends at once`() async throws {
            let nobody = BluetoothPeer(try #require(BluetoothAddress("00:AA:01:FF:00:99")), .public)
            let connector = L2CAPConnector(
                to: nobody, psm: 0x80, from: air.phone.address, timeLimit: .seconds(100_000))
            let opening = Task { try await connector.open() }
            opening.cancel()
            await #expect(throws: BluetoothError.ended) { _ = try await opening.value }
        }

        @Test func `A number is served once, and free again when its listener is closed`() throws {
            let listener = try L2CAPListener(on: air.watch.address)
            #expect(throws: BluetoothError.system(call: "bind", .addressInUse)) {
                _ = try L2CAPListener(on: air.watch.address, psm: listener.psm)
            }
            let other = try L2CAPListener(on: air.watch.address)
            #expect(other.psm != listener.psm)
            listener.close()
            #expect(try L2CAPListener(on: air.watch.address, psm: listener.psm).psm == listener.psm)
        }

        @Test func `A phone that is off says so, and a channel ends with it`() async throws {
            let listener = try L2CAPListener(on: air.watch.address)
            let ends = try await Ends(air, listener)
            try air.power(false, air.phone)
            #expect(try LocalAdapter.at(air.phone.address).isOn == false)
            await #expect(throws: WormholeError.closed) { _ = try await ends.phone.transport.receive() }
            await #expect(throws: WormholeError.closed) { try await ends.phone.transport.send([1]) }
            await #expect(throws: BluetoothError.adapterDown(name: "hci1")) {
                _ = try await air.connector(to: listener.psm).open()
            }
            ends.close()
            try air.power(true, air.phone)
            try await Ends(air, listener).close()
        }

        @Test func `A watch that was off serves its number again without being asked to`() async throws {
            let listener = try L2CAPListener(on: air.watch.address)
            let ends = try await Ends(air, listener)
            try air.power(false, air.watch)
            await #expect(throws: WormholeError.closed) { _ = try await ends.watch.transport.receive() }
            await #expect(throws: WormholeError.closed) { try await ends.watch.transport.send([1]) }
            await #expect(throws: BluetoothError.self) {
                _ = try await air.connector(to: listener.psm, timeLimit: .milliseconds(300)).open()
            }
            ends.close()
            try air.power(true, air.watch)
            try await Ends(air, listener).close()
        }

        /// Opens the phone's channel. Runs in a child process, whose parent has put the watch's PSM into TAPLINE_PSM.
        private static func openInChildProcess() async throws -> L2CAPChannel {
            let psm = UInt16(getenv("TAPLINE_PSM").map { String(cString: $0) } ?? "") ?? 0
            let watch = try LocalAdapter.named("hci0")
            let phone = try LocalAdapter.named("hci1")
            return try await L2CAPConnector(
                to: BluetoothPeer(watch.address, .public), psm: psm, from: phone.address, timeLimit: .seconds(240)
            ).open()
        }

        @Test func `A process that is killed is heard to its last datagram`() async throws {
            let listener = try L2CAPListener(on: air.watch.address)
            setenv("TAPLINE_PSM", "\(listener.psm)", 1)
            let hearing = Task {
                let channel = try await listener.accept()
                var heard: [[UInt8]] = []
                do throws(WormholeError) {
                    while true { heard.append(try await channel.receive()) }
                } catch {
                    #expect(error == .closed)
                }
                return heard
            }
            await #expect(processExitsWith: .signal(SIGKILL)) {
                let channel = try await ConnectorTests.openInChildProcess()
                for number in 0..<10 { try await channel.transport.send([UInt8(number), 1, 2, 3]) }
                kill(getpid(), SIGKILL)
            }
            let heard = try await hearing.value
            #expect(heard == (0..<10).map { [UInt8($0), 1, 2, 3] })
        }

        @Test func `A user without rights opens a channel, and may not ask for another pace`() async throws {
            let listener = try L2CAPListener(on: air.watch.address)
            setenv("TAPLINE_PSM", "\(listener.psm)", 1)
            let accepting = Task { try await listener.accept().receive() }
            await #expect(processExitsWith: .success) {
                try #require(setuid(65_534) == 0)
                let channel = try await ConnectorTests.openInChildProcess()
                #expect(try channel.request(.fast) == .notAllowed)
                try await channel.transport.send([1])
            }
            #expect(try await accepting.value == [1])
        }
    }
}
