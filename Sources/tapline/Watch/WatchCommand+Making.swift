import ArgumentParser
import BluetoothBridge
import CommandSupport
import DeviceModel
import FirmwareWatch
import Foundation
import HostRadio
import HostSystem
import TerminalWatch
import Watch
import WatchLink
import Wormhole

extension WatchCommand {
    /// 64 KB in sixteen sectors: the part of a flash chip that the watch keeps its data in.
    private static let flashGeometry = FlashGeometry(sectorCount: 16)

    /// The memory of a watch, unless the options name another.
    struct Surroundings {
        /// The directory for the watch's flash; nil for the usual place.
        var directory: PrivateDirectory?
        /// Whether a session draws on the terminal. It handles the signals that end the program, and the radio's notes wait until it
        /// has ended.
        var isDrawn = false
    }

    /// Runs something on a watch, which is gone afterwards.
    func withWatch(
        _ surroundings: Surroundings = Surroundings(), _ body: (any WatchDevice) throws -> Void
    ) throws {
        let device = try ProfileChoice(named: profile).profile
        // Before there is a watch or a file for it.
        let state = try load.map { path in try naming(path) { try WatchState(contentsOf: path) } }
        let peripheral = try peripheral
        let notes = RadioNotes(isHeld: surroundings.isDrawn)
        defer { notes.release() }
        // A watch that goes on from a file does not do so in the usual flash, unless that is asked for.
        let copy =
            try flash == nil && state != nil && surroundings.directory == nil
            ? PrivateDirectory(isCleanedUp: !surroundings.isDrawn) : nil
        defer { copy?.remove() }
        let (clock, faults) = (HostClock(), FaultSwitches())
        clock.control.set(speed)
        var generator = SystemRandomNumberGenerator()
        var radio: any RadioPort = try makeRadio(peripheral, notes)
        if !isFirmware {
            radio = LinkedRadio(
                radio, switches: faults, clock: clock.control, profile: linkIsRadio ? .instant : device,
                seed: generator.next())
        }
        let watch = try makeWatch(
            device, surroundings.directory ?? copy, radio, .real(clock), .machine, faults, seed: generator.next())
        defer { watch.stop() }
        if let load, let state {
            try naming(load) { try watch.loadState(state) }
            if speed != .real { watch.control?.set(speed) }
        }
        let (name, opening) = (name, pairing ? BluetoothPeripheral.Opening.always : .whereNew)
        // Phones find the watch until the publication ends.
        let publication = try peripheral.map { peripheral in
            try runBlocking {
                try await peripheral.publish(
                    DeviceWearer(of: watch), name: name, battery: BatteryLevel(of: watch), opening: opening
                ) {
                    notes.write($0)
                }
            }
        }
        defer { if let publication { try? runBlocking { await publication.end() } } }
        // No other shell drives a script that has everything to itself.
        let server = surroundings.directory == nil ? serve(watch, notes) : nil
        let files = surroundings.isDrawn ? [] : server?.files ?? []
        files.forEach(ExitCleanup.remove)
        defer {
            if let server {
                // First the recording that a shell has begun, then the waits of shells that are attached.
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

    /// Runs something on a watch with a phone of its own, on one virtual clock: the same options and the same script give the
    /// same bytes on every machine. Both are gone afterwards.
    func withPhoneOfItsOwn(_ directory: PrivateDirectory, _ body: (any WatchDevice, OwnPhone) throws -> Void) throws {
        let device = try ProfileChoice(named: profile).profile
        let state = try load.map { path in try naming(path) { try WatchState(contentsOf: path) } }
        let (clock, faults, start) = (VirtualClock(), FaultSwitches(), BoardCalendar.example)
        let host = try ScriptPhoneHost(clock: clock, start: start, cost: device.phone, faults: faults)
        defer { host.end() }
        let radio = VirtualRadio(to: host, clock: clock, cost: device.radio, opening: .byItself(faults))
        let watch = try makeWatch(
            device, flash == nil ? directory : nil, radio, .virtual(clock), .set(start, at: .start), faults, seed: 1)
        defer { watch.stop() }
        if let load, let state { try naming(load) { try watch.loadState(state) } }
        _ = watch.wait(patiently: Self.meetingLimit, for: \.description.isSynchronized)
        try body(watch, OwnPhone(host: host, radio: radio))
    }

    /// How long a watch may take to meet the script's own phone before the script begins anyway: 10 s.
    private static let meetingLimit = Microseconds.seconds(10)

    /// Lets other shells drive a watch. One that cannot be driven goes on without, and says so.
    private func serve(_ watch: any WatchDevice, _ notes: RadioNotes) -> WatchControl? {
        do throws(WormholeError) {
            return try WatchControl(watch, in: socketDirectory)
        } catch {
            notes.write("no shell can attach to this watch: \(error)")
            return nil
        }
    }

    var socketDirectory: String {
        if let sockets { return sockets }
        switch link {
        case .unix(let directory?): return directory
        case .unix(nil), .bluetooth, nil: return Places.usual.sockets
        }
    }

    /// Names a file in the error of what is done with it.
    private func naming<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw CommandFailure("\(SanitizedLine(path)): \(error)") }
    }

    /// What phones find over Bluetooth; nil over sockets.
    private var peripheral: BluetoothPeripheral? {
        get throws {
            guard case .bluetooth(let adapter) = link else { return nil }
            return try runBlocking { try await BluetoothPeripheral(adapter: adapter, control: BlueZControl()) }
        }
    }

    /// The watch's end of the link.
    private func makeRadio(_ peripheral: BluetoothPeripheral?, _ notes: RadioNotes) throws -> sending any RadioPort {
        if let peripheral { return peripheral.makeRadio { notes.write($0) } }
        return SocketRadio(path: try socketPath)
    }

    /// The path of the phone's socket. One that is too long is refused here: the radio would try it again for ever.
    private var socketPath: String {
        get throws(WormholeError) {
            let path = "\(socketDirectory)/watch.sock"
            _ = try UnixAddress(path: path)
            return path
        }
    }

    private func makeWatch(
        _ device: DeviceProfile, _ directory: PrivateDirectory?, _ radio: sending any RadioPort,
        _ clock: SimulatedClock, _ calendar: BoardCalendar, _ faults: FaultSwitches, seed: UInt64
    ) throws -> any WatchDevice {
        let usual = isFirmware ? usualFirmwareFlash : Places.usual.flash
        let flash = try directory?.file("flash") ?? flashPath(usual: usual)
        if isFirmware {
            let image = try imagePath
            // Before there is a flash for it: its file would stay behind.
            try ImageFile.check(image)
            return try start(
                FirmwareProgram(
                    image: image, flash: try FirmwareFlash(path: flash), radio: radio, clock: clock,
                    calendar: calendar.time(at: .start), seed: seed))
        }
        let board = try SimulatedBoard(
            flash: try FileFlash(path: flash, geometry: Self.flashGeometry), radio: radio, clock: clock,
            calendar: calendar, profile: device, faults: faults)
        return switch choice {
        case .shipping:
            try start(RuntimeProgram(on: board, handler: ShippingHandler(), seed: seed), faults, BatteryControl())
        case .legacy:
            try start(RuntimeProgram(on: board, handler: LegacyHandler(), seed: seed), faults, BatteryControl())
        }
    }

    private func start<Program: WatchProgram & ~Copyable>(
        _ program: consuming sending Program, _ faults: FaultSwitches? = nil, _ battery: BatteryControl? = nil
    ) throws -> any WatchDevice {
        switch program.surface.clock {
        case .real: try SimulatedWatch(running: program, faults: faults, battery: battery)
        case .virtual: try VirtualWatch(running: program, faults: faults, battery: battery)
        }
    }

    /// Each package has a flash of its own: another handler's messages are unreadable to it.
    private var usualFirmwareFlash: String {
        guard let package else { return Places.usual.firmwareFlash }
        let name = URL(filePath: package).standardizedFileURL.lastPathComponent
        return "\(Places.usual.data)/\(name).flash"
    }

    /// The handler of the product's own that is chosen.
    var choice: HandlerChoice { handler.flatMap(HandlerChoice.init(rawValue:)) ?? .shipping }

    /// Whether the watch is the firmware, and not simulated.
    var isFirmware: Bool { firmware || package != nil }

    /// The firmware's image. That of a package is built first.
    private var imagePath: String {
        get throws {
            guard let package else { return image ?? FirmwareImage.watch.usualPath }
            let progress = ProgressLine()
            defer { progress.end() }
            progress.show(0, of: 1, "building the firmware of \(package)")
            return try ExecutableHandlers(of: HandlerPackage(directory: package), only: handler, on: .watch).firmware()
        }
    }

    /// Whether the link is a real radio, which takes its time by itself.
    var linkIsRadio: Bool {
        switch link {
        case .bluetooth: true
        case .unix, nil: false
        }
    }

    static func speed(_ argument: String) throws -> ClockSpeed {
        guard let speed = ClockSpeed(text: argument) else {
            throw ValidationError("--speed takes 0.1 to 1000, such as 10, and not '\(argument)'.")
        }
        return speed
    }

    /// The file of the flash. The directory of the usual one is created if it is missing.
    private func flashPath(usual: String) throws -> String {
        if let flash { return flash }
        // If it cannot be created, opening the file fails with the system's reason.
        try? FileManager.default.createDirectory(
            atPath: Places.usual.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return usual
    }
}

/// Runs something asynchronous to its end for a caller that is not, and returns its result. Not to be called from a
/// task, whose thread it would take.
func runBlocking<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = WaitableState<Result<Value, any Error>?>(nil)
    Task.detached {
        do {
            let value = try await body()
            outcome.change { $0 = .success(value) }
        } catch {
            outcome.change { $0 = .failure(error) }
        }
    }
    return try outcome.block { outcome in
        outcome.map { .finish($0) } ?? .wait(microseconds: nil)
    }.get()
}
