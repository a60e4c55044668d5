import Foundation
import HostSystem
import TestSupport
import Testing

@testable import BluetoothBridge

/// A D-Bus daemon that only one test uses. The test can stop it, and start it again at the same address.
final class PrivateBus {
    let directory: String
    private var process: SpawnedProgram?

    init() throws {
        directory = "/tmp/tapline-bus-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    var address: String { "unix:path=\(directory)/socket" }

    func start() throws {
        try? FileManager.default.removeItem(atPath: directory + "/socket")
        let (reading, writing) = try Descriptors.pipe()
        defer { close(reading) }
        defer { close(writing) }
        process = try SpawnedProgram(
            [
                "/usr/bin/dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1",
                "--address=\(address)",
            ], output: writing)
        // The daemon prints its address when it listens.
        var byte = UInt8(0)
        #expect(read(reading, &byte, 1) == 1)
    }

    func stop() {
        process = nil
    }

    func connection(named name: String) async throws -> SystemBus {
        let bus = try SystemBus(address: address)
        _ = try await bus.call(.ofBus("RequestName", .string(name), .number("u", 0)))
        return bus
    }

    /// Sends a signal to each connection on the bus separately, as any program can. Returns when the bus has delivered all of
    /// them.
    ///
    /// - Parameter signal: its arguments must be strings. Its `sender` is ignored: the bus enters the unique name of the
    ///   sending program.
    func forge(_ signal: BusSignal) async throws {
        let observer = try SystemBus(address: address)
        let before = try await observer.names()
        for name in before.sorted() where name.hasPrefix(":") {
            let send = try SpawnedProgram(
                [
                    "/usr/bin/dbus-send", "--bus=\(address)", "--type=signal", "--dest=\(name)", signal.path,
                    "\(signal.interface).\(signal.member)",
                ] + signal.body.compactMap(\.text).map { "string:\($0)" })
            #expect(send.awaitEnd() == .exited(0))
        }
        // The bus removes the connection of a sender when it has delivered what the sender sent. Older connections may end
        // meanwhile.
        while try await !before.isSuperset(of: observer.names()) {}
    }
}

extension SystemBus {
    fileprivate func names() async throws -> Set<String> {
        Set(try await call(.ofBus("ListNames")).first?.texts ?? [])
    }
}
