import Foundation
import HostSystem
import Testing

@testable import BluetoothBridge

extension GuestTests {
    struct Pairing {
        @Test
        func `both sides show the same six digits, and keep keys whose exchange was authenticated`() async throws {
            let (sides, advertising) = try await TwoSides.advertised()
            let start = ContinuousClock.now
            let digits = try await sides.pair()
            print("measured: pairing by comparison, discovery included: \(ContinuousClock.now - start)")
            #expect(digits.watch.count == 1 && digits.watch == digits.phone)
            #expect(digits.watch.first?.wholeMatch(of: /[0-9]{6}/) != nil)
            await sides.watch.waitForDaemon { $0.devices(on: GuestMachine.watch).contains(where: \.isBonded) }
            let bonds = try await sides.bonds()
            #expect(bonds.watch == [sides.phonePeer.address] && bonds.phone == [sides.watchPeer.address])
            let kept = "/var/lib/bluetooth/\(sides.phonePeer.address)/\(sides.watchPeer.address)/info"
            let info = try String(contentsOfFile: kept, encoding: .utf8)
            // 3 is a key made with P-256 and authenticated (lib/mgmt.h of BlueZ: MGMT_LTK_P256_AUTH).
            #expect(info.contains("Authenticated=3"), "\(info)")
            await advertising.end()
        }

        @Test(arguments: [GuestMachine.watch, GuestMachine.phone])
        func `where either side says no, there are no keys`(by adapter: String) async throws {
            let (sides, advertising) = try await TwoSides.advertised()
            let error = await #expect(throws: BluetoothError.self) {
                _ = try await sides.pair(
                    watch: adapter == GuestMachine.watch ? .reject : .accept,
                    phone: adapter == GuestMachine.phone ? .reject : .accept)
            }
            print("measured: \(adapter) says no: \(error.map(\.description) ?? "nothing")")
            guard case .pairingFailed(sides.watchPeer.address, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            try await sides.expectNoBonds()
            await advertising.end()
        }

        @Test func `who is asked when the pairing is called off learns about it`() async throws {
            let (sides, advertising) = try await TwoSides.advertised()
            let asked = Published(0)
            let voided = Published(0)
            let answer: PairingAnswer = { _ in
                asked.update { $0 += 1 }
                let forever = AsyncStream<Void>.makeStream()
                for await _ in forever.stream {}
                voided.update { $0 += 1 }
                return .accept
            }
            let answering = try await sides.watch.answerPairing(on: GuestMachine.watch, asking: answer)
            let pairing = Task {
                try await sides.phone.pair(with: sides.watchPeer, on: GuestMachine.phone, asking: answer)
            }
            for await count in asked.values() where count == 2 { break }
            pairing.cancel()
            await #expect(throws: BluetoothError.cancelled) { try await pairing.value }
            for await count in voided.values() where count == 2 { break }
            try await sides.expectNoBonds()
            await answering.end()
            _ = try await sides.pair()
            await advertising.end()
        }

        @Test func `a question without an answer is a no`() async throws {
            let (sides, advertising) = try await TwoSides.advertised(comparison: .milliseconds(300))
            let answering = try await sides.watch.answerPairing(on: GuestMachine.watch) { _ in
                // The wearer gives no answer during the test.
                try? await Task.sleep(for: .seconds(600))
                return .accept
            }
            let error = await #expect(throws: BluetoothError.self) {
                try await sides.phone.pair(with: sides.watchPeer, on: GuestMachine.phone) { _ in .accept }
            }
            guard case .pairingFailed(sides.watchPeer.address, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            await answering.end()
            try await sides.expectNoBonds()
            await advertising.end()
        }

        @Test func `a device that asks to pair while pairing is closed is refused`() async throws {
            let (sides, advertising) = try await TwoSides.advertised()
            try await sides.watch.registerAgent(.displayYesNo)
            await #expect(throws: BluetoothError.self) {
                try await sides.phone.pair(with: sides.watchPeer, on: GuestMachine.phone) { _ in .accept }
            }
            try await sides.expectNoBonds()
            await advertising.end()
        }

        @Test func `a phone that cannot show digits is refused by the watch`() async throws {
            let (sides, advertising) = try await TwoSides.advertised()
            let answering = try await sides.watch.answerPairing(on: GuestMachine.watch) { _ in .accept }
            let careless = try await CarelessAgent()
            _ = try await sides.find()
            let path = BlueZ.path(of: sides.watchPeer.address, on: GuestMachine.phone)
            await #expect(throws: BluetoothError.self) { try await careless.link.call(path, BlueZ.device, "Pair") }
            try await sides.expectNoBonds()
            await answering.end()
            await advertising.end()
        }

        @Test func `a watch that shows no digits is refused by the phone`() async throws {
            let (sides, advertising) = try await TwoSides.advertised()
            let careless = try await CarelessAgent()
            try await careless.link.call(
                BlueZ.manager, BlueZ.agentManager, "RequestDefaultAgent", [.objectPath(CarelessAgent.path)])
            let error = await #expect(throws: BluetoothError.self) {
                try await sides.phone.pair(with: sides.watchPeer, on: GuestMachine.phone) { _ in .accept }
            }
            #expect(error == .notCompared(sides.watchPeer.address, .justWorks))
            #expect(try await sides.bonds().phone.isEmpty)
            await advertising.end()
        }

        @Test func `a bond is listed until it is removed; a second pairing reports it`() async throws {
            let (sides, advertising) = try await TwoSides.advertised()
            _ = try await sides.pair()
            await #expect(throws: BluetoothError.alreadyPaired(sides.watchPeer.address)) { try await sides.pair() }
            try await sides.phone.forget(sides.watchPeer, on: GuestMachine.phone)
            try await sides.phone.forget(sides.watchPeer, on: GuestMachine.phone)
            #expect(try await sides.bonds().phone.isEmpty)
            await advertising.end()
        }

        @Test func `a phone that has lost its keys pairs anew`() async throws {
            let (sides, advertising) = try await TwoSides.advertised()
            _ = try await sides.pair()
            try await sides.phone.forget(sides.watchPeer, on: GuestMachine.phone)
            let digits = try await sides.pair()
            #expect(digits.watch.count == 1 && digits.watch == digits.phone)
            let bonds = try await sides.bonds()
            #expect(bonds.watch == [sides.phonePeer.address] && bonds.phone == [sides.watchPeer.address])
            await advertising.end()
        }

        @Test func `a watch that has lost its keys is paired anew once the phone forgets it too`() async throws {
            let (sides, advertising) = try await TwoSides.advertised()
            _ = try await sides.pair()
            try await sides.watch.forget(sides.phonePeer, on: GuestMachine.watch)
            #expect(try await sides.bonds().watch.isEmpty)
            try await sides.phone.forget(sides.watchPeer, on: GuestMachine.phone)
            let digits = try await sides.pair()
            #expect(digits.watch.count == 1 && digits.watch == digits.phone)
            await advertising.end()
        }
    }
}

/// The pairing agent of another program. It can show nothing, and accepts every pairing.
final class CarelessAgent: Sendable {
    static let path = "/org/tapline/careless"
    let link: BlueZLink

    init() async throws {
        link = try BlueZLink(address: SystemBus.systemAddress)
        _ = try await link.tree()
        link.bus.export(
            BusExport(properties: { [:] }) { _, answer in answer(.success([])) }, at: CarelessAgent.path)
        try await link.call(
            BlueZ.manager, BlueZ.agentManager, "RegisterAgent",
            [.objectPath(CarelessAgent.path), .string("NoInputNoOutput")])
    }
}
