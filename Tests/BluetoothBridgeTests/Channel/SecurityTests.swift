import Glibc
import Testing
import Wormhole

@testable import BluetoothBridge

extension GuestTests {
    @Suite("Who gets a channel")
    struct SecurityTests {
        private let air: Air

        init() throws { air = try Air() }

        @Test("A phone without keys is refused by the watch, which hears nothing of it")
        func notPaired() async throws {
            let listener = try L2CAPListener(on: air.watch.address)
            await expectRefusal(by: listener, .bondLost(air.watch.address))
        }

        @Test("Keys that nobody has confirmed are refused by the watch")
        func justWorks() async throws {
            try air.bond(.justWorks)
            let listener = try L2CAPListener(on: air.watch.address)
            await expectRefusal(by: listener, .bondLost(air.watch.address))
        }

        @Test("Keys that nobody has confirmed are refused by the phone where the watch takes them, before a byte")
        func justWorksAtThePhone() async throws {
            try air.bond(.justWorks)
            let listener = try L2CAPListener(on: air.watch.address, level: 2)
            try await expectSilence(at: listener, level: 2)
        }

        @Test("Plaintext is refused by the phone, before a byte")
        func plaintext() async throws {
            let listener = try L2CAPListener(on: air.watch.address, level: 1)
            try await expectSilence(at: listener, level: 1)
        }

        @Test("A watch that takes less than level 4 from its kernel refuses the channel itself")
        func refusedAtTheWatch() async throws {
            let listener = try L2CAPListener(on: air.watch.address, level: 1)
            let accepting = Task { try await listener.accept() }
            let bare = try BareSocket.connect(air, to: listener.psm)
            defer { Glibc.close(bare) }
            await #expect(throws: WormholeError(.insecure(air.phone.address, level: 1))) {
                _ = try await accepting.value
            }
            try BareSocket.wait(bare)
            var byte: UInt8 = 0
            #expect(recv(bare, &byte, 1, 0) <= 0)
        }

        @Test("A watch that has lost its keys is not talked to")
        func watchForgot() async throws {
            try air.bond(.numericComparison)
            air.forget(on: air.watch, air.phone)
            let listener = try L2CAPListener(on: air.watch.address)
            await expectRefusal(by: listener, .bondLost(air.watch.address))
        }

        private func expectRefusal(by listener: L2CAPListener, _ expected: BluetoothError) async {
            await #expect(throws: expected) { _ = try await air.connector(to: listener.psm).open() }
            let channel = try? listener.acceptWaiting()
            #expect(channel?.peer == nil)
        }

        /// The watch sends at once and hears nothing.
        private func expectSilence(at listener: L2CAPListener, level: Int) async throws {
            let connector = air.connector(to: listener.psm)
            let opening = Task { try await connector.open() }
            let accepted = try BareSocket.accept(from: listener)
            defer { Glibc.close(accepted) }
            await #expect(throws: BluetoothError.insecure(air.watch.address, level: level)) {
                _ = try await opening.value
            }
            try BareSocket.wait(accepted)
            var byte: UInt8 = 0
            #expect(recv(accepted, &byte, 1, 0) <= 0)
        }
    }
}
