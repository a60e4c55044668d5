import Glibc
import GuestAdapters
import SystemPackage
import Testing
import Wormhole

@testable import BluetoothBridge

extension AdapterTests {
    struct SecurityTests {
        private let air: Air

        init() throws { air = try Air() }

        @Test(arguments: [Air.Pairing.justWorks, .numericComparison])
        func `A phone without keys is refused by the watch if no person confirms numbers`(_ pairing: Air.Pairing)
            async throws
        {
            try air.expect(pairing)
            air.answer(.no)
            let listener = try L2CAPListener(on: air.watch.address)
            await expectRefusal(by: listener)
        }

        @Test func `A phone without keys gets its channel if a person confirms the numbers while it connects`()
            async throws
        {
            try air.expect(.numericComparison)
            let listener = try L2CAPListener(on: air.watch.address)
            let ends = try await Ends(air, listener)
            #expect(ends.phone.security.isSufficient)
            ends.close()
        }

        @Test func `Unconfirmed keys are refused by the watch`() async throws {
            try air.bond(.justWorks)
            let listener = try L2CAPListener(on: air.watch.address)
            await expectRefusal(by: listener)
        }

        @Test(arguments: [false, true])
        func `Unconfirmed keys are refused by the phone if the watch takes them, on a new link too, before a byte`(
            isNewLink: Bool
        ) async throws {
            try air.bond(.justWorks)
            if isNewLink { try air.part() }
            let listener = try L2CAPListener(on: air.watch.address, level: 2)
            try await expectSilence(at: listener, level: 2)
        }

        @Test func `Plaintext is refused by the phone, before a byte`() async throws {
            let listener = try L2CAPListener(on: air.watch.address, level: 1)
            try await expectSilence(at: listener, level: 1)
        }

        @Test func `A watch that takes less than level 4 from its kernel refuses the channel itself`() async throws {
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

        @Test func `A watch that has lost its keys is not talked to`() async throws {
            try air.bond(.numericComparison)
            air.forget(on: air.watch, air.phone)
            let listener = try L2CAPListener(on: air.watch.address)
            await expectRefusal(by: listener)
        }

        /// Expects that the watch refuses the phone's channel. The phone's error depends on which side ends the link first.
        private func expectRefusal(by listener: L2CAPListener) async {
            let expected: [BluetoothError] = [.bondLost(air.watch.address), .cutOff(air.watch.address)]
            do throws(BluetoothError) {
                _ = try await air.connector(to: listener.psm).open()
                Issue.record("the phone has a channel")
            } catch {
                #expect(expected.contains(error))
            }
            let channel = try? listener.acceptWaiting()
            #expect(channel?.device == nil)
        }

        /// Expects that the phone refuses a channel without sending a byte, although the watch accepts the channel.
        private func expectSilence(at listener: L2CAPListener, level: Int) async throws {
            var accepted: CInt = -1
            // The phone may close the channel before the watch accepts it.
            for _ in 0..<50 where accepted < 0 {
                accepted = try await expectRefusal(of: listener, level: level)
            }
            try #require(accepted >= 0)
            defer { Glibc.close(accepted) }
            try BareSocket.wait(accepted)
            var byte: UInt8 = 0
            #expect(recv(accepted, &byte, 1, 0) <= 0)
        }

        /// Expects that the phone refuses the channel. Returns the watch's end, or -1 if the phone closed the channel before
        /// the watch accepted it.
        private func expectRefusal(of listener: L2CAPListener, level: Int) async throws -> CInt {
            let connector = air.connector(to: listener.psm)
            // The attempt closes the write end of this pipe when it ends.
            let attempt = try FileDescriptor.pipe()
            defer { try? attempt.readEnd.close() }
            let opening = Task {
                defer { try? attempt.writeEnd.close() }
                return try await connector.open()
            }
            let accepted = try BareSocket.accept(from: listener, before: attempt.readEnd.rawValue)
            await #expect(throws: BluetoothError.insecure(air.watch.address, level: level)) {
                _ = try await opening.value
            }
            return accepted
        }
    }
}
