import Testing

@testable import BluetoothBridge

extension GuestTests {
    struct Restart {
        @Test func `a bluetoothd that is killed and started again advertises and serves as before`() async throws {
            try await comesBack(after: ["bluetoothd"])
        }

        @Test func `a bus that is killed and started again, and bluetoothd with it, too`() async throws {
            try await comesBack(after: ["bus", "bluetoothd"])
        }

        private func comesBack(after daemons: [String]) async throws {
            let sides = try await TwoSides()
            let services = WatchServices(
                channelNumber: 0x0095,
                information: WatchInformation(manufacturer: "Tapline", model: "Terminal", firmware: "1.0"),
                battery: BatteryLevel(50))
            let serving = try await sides.watch.serve(services, on: GuestMachine.watch)
            let advertising = try await sides.advertise()
            let answering = try await sides.watch.answerPairing(on: GuestMachine.watch) { _ in .accept }
            try await sides.phone.pair(with: sides.watchPeer, on: GuestMachine.phone) { _ in .accept }

            for daemon in daemons { try GuestMachine.kill(daemon) }
            for registration in [serving, advertising, answering] {
                for await state in registration.states() {
                    if case .waiting = state { break }
                }
            }
            // Each side has a connection to the bus of its own, and learns of it by itself.
            await sides.phone.waitForDaemon { !$0.isRunning }
            let gone = await #expect(throws: BluetoothError.self) { try await sides.phone.adapters() }
            #expect(gone == .noDaemon || daemons.contains("bus"), "\(String(describing: gone))")

            for daemon in daemons { try GuestMachine.start(daemon) }
            let start = ContinuousClock.now
            for registration in [serving, advertising, answering] {
                for await state in registration.states() where state == .active { break }
            }
            print("measured: all is registered again \(ContinuousClock.now - start) after \(daemons) started")
            await sides.watch.waitForDaemon { $0.isRunning && $0.runs == 2 }
            try await sides.phone.powerOn(GuestMachine.phone)
            #expect(try await sides.bonds().phone == [sides.watchPeer.address])
            #expect(try await sides.find()?.peer == sides.watchPeer)
            try await sides.phone.connect(to: sides.watchPeer, on: GuestMachine.phone)
            #expect(try await sides.phone.channelNumber(of: sides.watchPeer, on: GuestMachine.phone) == 0x0095)
            for registration in [serving, advertising, answering] { await registration.end() }
        }
    }
}
