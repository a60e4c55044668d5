import Foundation
import HostSystem
import Testing
import WatchLink

@testable import BluetoothBridge

/// The virtual machine with real BlueZ. The watch uses hci0, and the phone uses hci1.
enum GuestMachine {
    /// Whether the tests run in the virtual machine, which Tests/bluetooth boots.
    static var isHere: Bool { ProcessInfo.processInfo.environment["TAPLINE_GUEST"] != nil }

    static let watch = "hci0"
    static let phone = "hci1"

    /// Kills a daemon, and waits for its end. The guest's script or `start` has written its process ID to a file.
    static func kill(_ daemon: String) throws {
        let text = try String(contentsOfFile: "/run/\(daemon).number", encoding: .utf8)
        let number = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        // The daemon may have ended already, as bluetoothd does without a bus.
        #expect(Glibc.kill(number, SIGKILL) == 0 || errno == ESRCH)
        // If the daemon is a child of this process, it stays as a zombie. If it is a child of the guest's script, the script
        // waits for it.
        while Glibc.kill(number, 0) == 0, !isZombie(number) { usleep(10_000) }
    }

    private static func isZombie(_ number: pid_t) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ") Z"
        return status.contains(") Z")
    }

    /// Starts the daemon `bus` or `bluetoothd`.
    static func start(_ daemon: String) throws {
        // Foundation's Process would wait for the daemon as well as for the shell that starts it.
        let script = "source Tests/Bluetooth/support; start_\(daemon) && echo \"$\(daemon)\" > /run/\(daemon).number"
        #expect(system("bash -c '\(script)'") == 0, "\(daemon) does not start")
    }
}

/// A watch and a phone in one process. Each has its own connection to the bus and its own pairing agent.
struct TwoSides {
    let watch: BlueZControl
    let phone: BlueZControl
    let watchPeer: BluetoothPeer
    let phonePeer: BluetoothPeer
    /// A second advertisement on the watch's adapter. The kernel alternates between the two, so it starts each one again and
    /// again. btvirt, the virtual controller, reports a device only when its advertising starts or a scan starts.
    private let beacon: BluetoothRegistration

    init(comparison: Microseconds = BluetoothLimits.comparison) async throws {
        watch = try BlueZControl(comparison: comparison)
        phone = try BlueZControl(comparison: comparison)
        try await watch.powerOn(GuestMachine.watch)
        try await phone.powerOn(GuestMachine.phone)
        watchPeer = BluetoothPeer(try await watch.adapter(named: GuestMachine.watch).address, .public)
        phonePeer = BluetoothPeer(try await phone.adapter(named: GuestMachine.phone).address, .public)
        beacon = try await watch.advertise(
            BluetoothAdvertisement(name: "Beacon", service: BluetoothUUID(assigned: 0x1809)), on: GuestMachine.watch)
        try await forgetAll()
    }

    func forgetAll() async throws {
        for device in try await watch.devices(on: GuestMachine.watch) {
            try await watch.forget(device.peer, on: GuestMachine.watch)
        }
        for device in try await phone.devices(on: GuestMachine.phone) {
            try await phone.forget(device.peer, on: GuestMachine.phone)
        }
    }

    func advertise() async throws -> BluetoothRegistration {
        try await watch.advertise(BluetoothAdvertisement(name: "Tapline 7"), on: GuestMachine.watch)
    }

    static func advertised(
        comparison: Microseconds = BluetoothLimits.comparison
    ) async throws -> (TwoSides, BluetoothRegistration) {
        let sides = try await TwoSides(comparison: comparison)
        return (sides, try await sides.advertise())
    }

    func expectNoBonds() async throws {
        let bonds = try await bonds()
        #expect(bonds.watch.isEmpty && bonds.phone.isEmpty)
    }

    func find() async throws -> BluetoothDevice? {
        try await phone.discover(.tapline, on: GuestMachine.phone, for: .seconds(240)) { $0.name != nil }
            .first { $0.name != nil }
    }

    func pair(watch watchSays: PairingDecision = .accept, phone phoneSays: PairingDecision = .accept) async throws -> (
        watch: [String], phone: [String]
    ) {
        let seenByWatch = Published<[String]>([])
        let seenByPhone = Published<[String]>([])
        let answering = try await watch.answerPairing(on: GuestMachine.watch) { request in
            seenByWatch.update { $0.append(request.digits) }
            return watchSays
        }
        let result: Result<Void, BluetoothError>
        do throws(BluetoothError) {
            try await phone.pair(with: watchPeer, on: GuestMachine.phone) { request in
                seenByPhone.update { $0.append(request.digits) }
                return phoneSays
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await answering.end()
        try result.get()
        return (seenByWatch.value, seenByPhone.value)
    }

    func bonds() async throws -> (watch: [BluetoothAddress], phone: [BluetoothAddress]) {
        (
            try await watch.bonds(on: GuestMachine.watch).map(\.peer.address),
            try await phone.bonds(on: GuestMachine.phone).map(\.peer.address)
        )
    }
}
