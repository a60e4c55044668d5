import Foundation
import Testing

@testable import BluetoothBridge

/// A message bus of a test's own, which can be ended and started again at the same place.
final class PrivateBus {
    let directory: String
    private var process: Process?

    init() throws {
        directory = "/tmp/tapline-bus-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    var address: String { "unix:path=\(directory)/socket" }

    /// Starts the bus, and returns when it listens.
    func start() throws {
        try? FileManager.default.removeItem(atPath: directory + "/socket")
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        process.arguments = ["--session", "--nofork", "--nopidfile", "--print-address=1", "--address=\(address)"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // It prints its address once it listens.
        _ = output.fileHandleForReading.availableData
        self.process = process
    }

    /// Ends it at once.
    func stop() {
        guard let process else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// A connection that has a name on the bus.
    func connection(named name: String) async throws -> SystemBus {
        let bus = try SystemBus(address: address)
        _ = try await bus.call(
            BusCall(
                destination: SystemBus.name, path: "/org/freedesktop/DBus", interface: SystemBus.name,
                member: "RequestName", body: [.string(name), .uint32(0)]))
        return bus
    }

    /// Sends a signal to every connection by itself, as any program on the bus can, and returns when the bus has passed it on.
    ///
    /// - Parameter signal: its sender is a stranger, whoever it speaks for. Its arguments are texts.
    func forge(_ signal: BusSignal) async throws {
        let observer = try SystemBus(address: address)
        let before = try await observer.names()
        for name in before where name.hasPrefix(":") {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-send")
            process.arguments =
                [
                    "--bus=\(address)", "--type=signal", "--dest=\(name)", signal.path,
                    "\(signal.interface).\(signal.member)",
                ] + signal.body.compactMap(\.text).map { "string:\($0)" }
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        // A connection goes when everything that it said is passed on.
        while try await observer.names() != before {}
    }
}

extension SystemBus {
    /// All names on the bus, sorted.
    fileprivate func names() async throws -> [String] {
        let call = BusCall(
            destination: SystemBus.name, path: "/org/freedesktop/DBus", interface: SystemBus.name, member: "ListNames")
        return try await self.call(call).first?.texts?.sorted() ?? []
    }
}
