import ArgumentParser
import BluetoothBridge
import CommandSupport
import DeviceModel
import Foundation
import HostRadio
import HostSystem
import Watch
import WatchLink
import Wormhole

extension WatchCommand {
    /// The simulated flash chip has sixteen sectors of 4 KB, and none of them is for files from the phone.
    private static let flashGeometry = FlashGeometry(sectorCount: 16)

    struct Surroundings {
        /// The temporary directory for the watch's flash file; nil if the options choose the file.
        var directory: PrivateDirectory?
        /// Whether the terminal shows the watch. If so, the terminal session handles the signals that end the program.
        /// Lines about Bluetooth are printed only after the session.
        var isDrawn = false
    }

    func withWatch(
        _ surroundings: Surroundings = Surroundings(), _ body: (any WatchDevice) throws -> Void
    ) throws {
        let device = try DeviceProfile(option: profile)
        // Reads the state before a watch or a flash file exists.
        let state = try load.map { path in try naming(path) { try WatchState(contentsOf: path) } }
        let peripheral = try peripheral
        let notes = RadioNotes(isHeld: surroundings.isDrawn)
        defer { notes.release() }
        // A watch that continues from a state file gets a temporary flash, unless the options name one.
        let copy =
            try options.flash == nil && state != nil && surroundings.directory == nil
            ? PrivateDirectory(isCleanedUp: !surroundings.isDrawn) : nil
        defer { copy?.remove() }
        let (clock, faults) = (HostClock(), FaultSwitches())
        clock.control.set(speed)
        var generator = SystemRandomNumberGenerator()
        let radio = LinkedRadio(
            try makeRadio(peripheral, notes), switches: faults, clock: clock.control,
            profile: options.linkIsRadio ? .instant : device, seed: generator.next())
        let watch = try makeWatch(
            device, surroundings.directory ?? copy, radio, .real(clock), .machine, faults, seed: generator.next())
        defer { watch.stop() }
        if let load, let state {
            try naming(load) { try watch.loadState(state) }
            if speed != .real { watch.control?.set(speed) }
        }
        let (name, pairing) = (name, pairing)
        // Phones can discover the watch until the publication ends.
        let publication = try peripheral.map { peripheral in
            try runBlocking {
                try await peripheral.publish(
                    DeviceWearer(of: watch), name: name, battery: BatteryLevel(of: watch), letsPhonesPair: pairing
                ) {
                    notes.write($0)
                }
            }
        }
        defer { if let publication { try? runBlocking { await publication.end() } } }
        // A script's watch takes no commands from other shells.
        let server = surroundings.directory == nil ? serve(watch, notes) : nil
        let files = surroundings.isDrawn ? [] : server?.files ?? []
        files.forEach(ExitCleanup.remove)
        defer {
            if let server {
                // Ends a recording that a shell has started, and then the waits of attached shells.
                if case .notWritten(let reason, let path) = watch.endRecording() {
                    notes.write("cannot write \(path): \(reason)")
                }
                watch.stop()
                try? runBlocking { await server.end() }
                files.forEach(ExitCleanup.forget)
            }
        }
        try body(watch)
    }

    /// Calls `body` with a new watch and a new phone, which share one virtual clock. With the same options, the same script
    /// prints the same bytes on every machine.
    func withPhoneOfItsOwn(_ directory: PrivateDirectory, _ body: (any WatchDevice, OwnPhone) throws -> Void) throws {
        let device = try DeviceProfile(option: profile)
        let state = try load.map { path in try naming(path) { try WatchState(contentsOf: path) } }
        let (clock, faults, start) = (VirtualClock(), FaultSwitches(), BoardCalendar.example)
        let host = try InMemoryPhone(
            named: "Script", cost: device.phone, calendar: .set(start, at: .start), faults: faults)
        defer { host.end() }
        let radio = VirtualRadio(to: host, clock: clock, cost: device.radio, opening: .byItself(faults))
        let watch = try makeWatch(
            device, options.flash == nil ? directory : nil, radio, .virtual(clock), .set(start, at: .start), faults,
            seed: 1)
        defer { watch.stop() }
        if let load, let state { try naming(load) { try watch.loadState(state) } }
        _ = watch.wait(patiently: Self.meetingLimit, for: \.description.isSynchronized)
        try body(watch, OwnPhone(host: host, radio: radio))
    }

    /// The maximum time that a script waits at its start for the watch to be in sync with its phone. After that time, the
    /// script begins anyway.
    private static let meetingLimit = Microseconds.seconds(10)

    /// Lets `tapline watch --attach` control the watch from other shells. If that fails, prints a note and returns nil; the
    /// watch still runs.
    private func serve(_ watch: any WatchDevice, _ notes: RadioNotes) -> WatchControl? {
        do throws(WormholeError) {
            return try WatchControl(watch, in: options.socketDirectory)
        } catch {
            notes.write("no shell can attach to this watch: \(error)")
            return nil
        }
    }

    private func naming<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw CommandFailure("\(SanitizedLine(path)): \(error)") }
    }

    /// The watch's end of a Bluetooth link; nil if the link is over sockets.
    private var peripheral: BluetoothPeripheral? {
        get throws {
            guard case .bluetooth(let adapter) = options.link else { return nil }
            return try runBlocking { try await BluetoothPeripheral(adapter: adapter, control: BlueZControl()) }
        }
    }

    private func makeRadio(_ peripheral: BluetoothPeripheral?, _ notes: RadioNotes) throws -> sending any RadioPort {
        if let peripheral { return peripheral.makeRadio { notes.write($0) } }
        return SocketRadio(path: try options.socketPath)
    }

    private func makeWatch(
        _ device: DeviceProfile, _ directory: PrivateDirectory?, _ radio: sending any RadioPort,
        _ clock: SimulatedClock, _ calendar: BoardCalendar, _ faults: FaultSwitches, seed: UInt64
    ) throws -> any WatchDevice {
        let flash = directory?.file("flash") ?? flashPath
        let board = try SimulatedBoard(
            flash: try FileFlash(path: flash, geometry: Self.flashGeometry), radio: radio, clock: clock,
            calendar: calendar, profile: device, faults: faults)
        return switch choice {
        case .shipping: try start(RuntimeProgram(on: board, handler: ShippingHandler(), seed: seed), faults)
        case .legacy: try start(RuntimeProgram(on: board, handler: LegacyHandler(), seed: seed), faults)
        }
    }

    private func start<Program: WatchProgram & ~Copyable>(
        _ program: consuming sending Program, _ faults: FaultSwitches
    ) throws -> any WatchDevice {
        switch program.surface.clock {
        case .real: try SimulatedWatch(running: program, faults: faults, battery: BatteryControl())
        case .virtual: try VirtualWatch(running: program, faults: faults, battery: BatteryControl())
        }
    }

    var choice: HandlerChoice { handler.flatMap(HandlerChoice.init(rawValue:)) ?? .shipping }

    static func speed(_ argument: String) throws -> ClockSpeed {
        guard let speed = ClockSpeed(text: argument) else {
            throw ValidationError("--speed takes 0.1 to 1000, such as 10, and not '\(argument)'.")
        }
        return speed
    }

    /// The path of the flash file. Without `--flash`, this is the usual file, and its directory is created if it is
    /// missing.
    private var flashPath: String {
        if let flash = options.flash { return flash }
        // If this fails, opening the file reports the reason.
        try? FileManager.default.createDirectory(
            atPath: Places.usual.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return Places.usual.flash
    }
}
