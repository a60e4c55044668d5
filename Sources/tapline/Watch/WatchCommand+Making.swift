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

    /// The memory and the phone of a watch, unless the options name others.
    struct Surroundings {
        /// The directory for the watch's flash; nil for the usual place.
        var directory: PrivateDirectory?
        /// The script's own phone.
        var phone: OwnPhone?
        /// Whether a session draws on the terminal. It handles the signals that end the program, and the radio's notes wait until it
        /// has ended.
        var isDrawn = false
    }

    /// Runs something on a watch, which is gone afterwards.
    func withWatch(
        _ surroundings: Surroundings = Surroundings(), _ body: (SimulatedWatch) throws -> Void
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
        let radio = try makeRadio(peripheral, surroundings.phone, notes)
        let watch = try makeWatch(device, surroundings.directory ?? copy, radio: radio)
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
        let isPrivate = surroundings.phone != nil || surroundings.directory != nil
        let server = isPrivate ? nil : serve(watch, notes)
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
        if surroundings.phone != nil { _ = watch.wait(patiently: Self.meetingLimit, for: \.description.isSynchronized) }
        try body(watch)
    }

    /// How long a watch may take to meet the script's own phone before the script begins anyway: 10 s.
    private static let meetingLimit = Microseconds.seconds(10)

    /// Lets other shells drive a watch. One that cannot be driven goes on without, and says so.
    private func serve(_ watch: SimulatedWatch, _ notes: RadioNotes) -> WatchControl? {
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
    private func makeRadio(
        _ peripheral: BluetoothPeripheral?, _ phone: OwnPhone?, _ notes: RadioNotes
    ) throws -> sending any RadioPort {
        if let peripheral { return peripheral.makeRadio { notes.write($0) } }
        return SocketRadio(path: try phone?.socketPath ?? socketPath)
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
        _ device: DeviceProfile, _ directory: PrivateDirectory?, radio: sending any RadioPort
    ) throws -> SimulatedWatch {
        let usual = isFirmware ? usualFirmwareFlash : Places.usual.flash
        let flash = try directory?.file("flash") ?? flashPath(usual: usual)
        if isFirmware { return try makeFirmwareWatch(flash, radio: radio) }
        switch choice {
        case .shipping: return try makeWatch(device, flash, handler: ShippingHandler(), radio: radio)
        case .legacy: return try makeWatch(device, flash, handler: LegacyHandler(), radio: radio)
        }
    }

    private func makeWatch(
        _ device: DeviceProfile, _ flash: String, handler: some TapHandler & Sendable, radio: sending any RadioPort
    ) throws -> SimulatedWatch {
        let clock = HostClock()
        clock.control.set(speed)
        let faults = FaultSwitches()
        var generator = SystemRandomNumberGenerator()
        let faulty = LinkedRadio(
            radio, switches: faults, clock: clock.control,
            profile: linkIsRadio ? .instant : device, seed: generator.next())
        let board = try SimulatedBoard(
            flash: try FileFlash(path: flash, geometry: Self.flashGeometry),
            radio: faulty, clock: .real(clock), calendar: .machine, profile: device, faults: faults)
        return try SimulatedWatch(
            running: RuntimeProgram(on: board, handler: handler, seed: generator.next()), faults: faults,
            battery: BatteryControl())
    }

    /// The firmware in an emulator, with this command's flash and a radio.
    private func makeFirmwareWatch(_ flash: String, radio: sending any RadioPort) throws -> SimulatedWatch {
        var generator = SystemRandomNumberGenerator()
        let image = try imagePath
        // Before there is a flash for it: its file would stay behind.
        try ImageFile.check(image)
        let program = try FirmwareProgram(
            image: image,
            flash: try FirmwareFlash(path: flash),
            radio: radio, clock: .real(HostClock()),
            calendar: BoardCalendar.machine.time(at: .start), seed: generator.next())
        return try SimulatedWatch(running: program)
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
