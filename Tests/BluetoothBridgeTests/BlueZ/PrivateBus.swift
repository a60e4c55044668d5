import Foundation
import HostSystem
import TestSupport
import Testing

@testable import BluetoothBridge

/// A message bus of a test's own, which can be ended and started again at the same place.
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
        // It prints its address once it listens.
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

    /// Sends a signal to every connection by itself, as any program on the bus can, and returns when the bus has passed it on.
    ///
    /// - Parameter signal: its sender is a stranger, for any name that it speaks for. Its arguments are texts.
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
        // A connection goes when everything that it said is passed on. Others may go meanwhile.
        while try await !before.isSuperset(of: observer.names()) {}
    }
}

extension SystemBus {
    fileprivate func names() async throws -> Set<String> {
        Set(try await call(.ofBus("ListNames")).first?.texts ?? [])
    }
}
