import Testing

@testable import BluetoothBridge

/// Tests that need real BlueZ. They run one at a time, because they share two adapters.
@Suite(.serialized, .enabled(if: GuestMachine.isHere, "the guest of Tests/bluetooth has BlueZ"))
struct GuestTests {
    struct Devices {
        @Test func `the adapters are there, on, and with addresses of their own`() async throws {
            let sides = try await TwoSides()
            let adapters = try await sides.watch.adapters()
            #expect(adapters.map(\.name) == [GuestMachine.watch, GuestMachine.phone])
            #expect(adapters.allSatisfy { $0.isOn } && adapters[0].address != adapters[1].address)
            await #expect(throws: BluetoothError.noAdapter(name: "hci9")) { try await sides.watch.powerOn("hci9") }
        }

        @Test func `a watch is found by its service, with name and signal strength`() async throws {
            let (sides, advertising) = try await TwoSides.advertised()
            let start = ContinuousClock.now
            let device = try #require(try await sides.find())
            print("measured: discovery: \(ContinuousClock.now - start), \(device.presence)")
            #expect(device.peer == sides.watchPeer && device.name == "Tapline 7")
            #expect(device.isHeard && device.trust == .stranger)
            #expect(device.services.contains(.tapline))
            await advertising.end()
        }

        @Test func `who advertises another service is not found`() async throws {
            let sides = try await TwoSides()
            let advertising = try await sides.watch.advertise(
                BluetoothAdvertisement(name: "Another", service: BluetoothUUID(assigned: 0x180D)),
                on: GuestMachine.watch)
            #expect(try await sides.phone.discover(.tapline, on: GuestMachine.phone, for: .seconds(1)).isEmpty)
            await advertising.end()
        }

        @Test func `a bonded phone reads the PSM and what the watch is, and hears of the battery`() async throws {
            let sides = try await TwoSides()
            let battery = BatteryLevel(88)
            let services = WatchServices(channelNumber: 0x0093, battery: battery)
            let serving = try await sides.watch.serve(services, on: GuestMachine.watch)
            let advertising = try await sides.advertise()
            _ = try await sides.pair()
            try await sides.phone.disconnect(from: sides.watchPeer, on: GuestMachine.phone)
            let start = ContinuousClock.now
            try await sides.phone.connect(to: sides.watchPeer, on: GuestMachine.phone)
            let connected = ContinuousClock.now
            #expect(try await sides.phone.channelNumber(of: sides.watchPeer, on: GuestMachine.phone) == 0x0093)
            print("measured: connect \(connected - start), read PSM \(ContinuousClock.now - connected)")
            let model = try await sides.phone.value(
                of: .modelNumber, in: .deviceInformation, of: sides.watchPeer, on: GuestMachine.phone)
            #expect(model == Array("Tapline watch".utf8))
            let path = BlueZ.path(of: sides.watchPeer.address, on: GuestMachine.phone)
            for level: UInt8 in [88, 42] {
                battery.set(level)
                let heard = try await sides.phone.link.wait(within: .seconds(240)) { tree in
                    tree[path, "org.bluez.Battery1"]?["Percentage"]?.number == Int(level) ? true : nil
                }
                #expect(heard == true, "\(level) %")
            }
            await serving.end()
            await advertising.end()
        }

        @Test func `a device that is no watch of ours has no channel; one that is away does not answer`() async throws {
            let (sides, advertising) = try await TwoSides.advertised()
            _ = try await sides.pair()
            try await sides.phone.connect(to: sides.watchPeer, on: GuestMachine.phone)
            await #expect(throws: BluetoothError.noService(sides.watchPeer.address)) {
                try await sides.phone.channelNumber(of: sides.watchPeer, on: GuestMachine.phone)
            }
            try await sides.phone.disconnect(from: sides.watchPeer, on: GuestMachine.phone)
            await #expect(throws: BluetoothError.outOfReach(sides.watchPeer.address)) {
                try await sides.phone.channelNumber(of: sides.watchPeer, on: GuestMachine.phone)
            }
            await advertising.end()
        }
    }
}

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
            let services = WatchServices(channelNumber: 0x0095, battery: BatteryLevel(50))
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
            // Each side has its own connection to the bus, so the phone may notice the end of the daemon later.
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
