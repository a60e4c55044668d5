import ArgumentParser
import BluetoothBridge
import DeviceModel
import FirmwareWatch
import Foundation
import HostRadio
import TerminalWatch
import Watch
import WatchLink
import Wormhole

/// `tapline watch`: a watch in this terminal, or on the other end of a pipe, or without either.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Open a watch in this terminal.",
        discussion: """
            Simulates a watch and connects it to the phone that `tapline phone serve` runs. Without a phone the watch \
            works too; it sends check-offs as soon as a phone serves.

            KEYS
              click, 1 to 6       touch the display, tap that row
              arrow keys, wheel   turn the crown
              Enter, s            press the crown, press the side button
              y, a                hold the crown (pair), the side button (let phones pair)
              p, n                pause or resume, single step
              <, >                slower, faster
              PgUp, PgDn          six rows up, down; Home, End: to an end of the list
              v, l                another view, what has happened
              f, ?, q             faults, all keys, quit

            COMMANDS
            Without a terminal, and with --plain, the watch prints its screen as text and reads commands from standard \
            input, one per line. --headless reads them from a file and fails at the first expectation that is not met.

              tap ROW, touch X Y, crown N, press crown, press side, hold crown, hold side
              wait 200ms, wait until synced
              expect title TEXT, expect row N TEXT, expect screen NAME
              describe, screenshot FILE.png
              pause, resume, step, speed N
              \(FaultTable.synopses.map { "fault \($0)" }.joined(separator: "\n  "))
              quit

            A single step ends at the next input, datagram, deadline, stage or mark of a tap. The phone stays in real \
            time: it disconnects a watch that is paused for more than 6 s, and the watch reconnects by itself. Nothing \
            is lost.

            EXAMPLES
              tapline watch
              tapline watch --profile memory-lcd
              printf 'tap 0\\nwait 300ms\\ndescribe\\n' | tapline watch
              printf 'tap 0\\nwait until synced\\n' > taps.txt
              tapline watch --headless --script taps.txt
              Hardware/build && tapline watch --firmware
              tapline watch --package Tests/SampleStopwatch
              tapline watch --link bluetooth
              tapline watch --check-flash watch.flash
            """)

    @Option(
        help: ArgumentHelp(
            "The link to the phone: unix, unix:DIRECTORY, bluetooth, or bluetooth:ADAPTER such as bluetooth:hci0. By "
                + "default unix, where `tapline phone serve` serves.",
            valueName: "link"))
    var link: LinkChoice?

    @Option(help: ArgumentHelp("Short for --link unix:DIRECTORY.", valueName: "directory"))
    var sockets: String?

    @Option(help: ArgumentHelp("The file that holds the watch's flash memory, created if missing.", valueName: "file"))
    var flash: String?

    @Option(
        help: ArgumentHelp(
            "Instead of a watch: print what is in this flash file, what is damaged and what the next start makes of it. "
                + "Changes nothing; the exit status is 0 where nothing is damaged and 1 otherwise.",
            valueName: "file"))
    var checkFlash: String?

    @Flag(help: "Print what --check-flash finds as JSON.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "What a tap on a row does: shipping updates the panel first, legacy does everything else before; with "
                + "--package a type of it. By default shipping, or the only one of the package.",
            valueName: "handler"))
    var handler: String?

    @Option(
        help: ArgumentHelp(
            "Run the firmware with a handler of this package, which has messages and a sheet of its own.",
            valueName: "directory"))
    var package: String?

    @Option(
        help: ArgumentHelp(
            "The device whose timing is simulated: memory-lcd, colour-spi, instant, or a TOML file such as "
                + "Simulator/profile.toml.",
            valueName: "profile"),
        completion: Completions.profiles)
    var profile: String = DeviceProfile.instant.name

    @Option(
        help: ArgumentHelp(
            "The speed of the watch's clock, 0.1 to 1000 times real time. While the watch waits for the phone, which "
                + "stays in real time, its clock runs no faster, so that the link does not time out.",
            valueName: "factor"),
        transform: WatchCommand.speed)
    var speed: ClockSpeed = .real

    @Flag(help: "Run the firmware in QEMU instead of the simulated watch. Its time and its faults cannot be changed.")
    var firmware = false

    @Option(
        help: ArgumentHelp("The firmware's image; by default the one that Hardware/build makes.", valueName: "file"))
    var image: String?

    @Option(help: ArgumentHelp("The name on the watch's case.", valueName: "name"))
    var name: String = "Tapline"

    @Flag(
        help: ArgumentHelp(
            "Let phones pair for two minutes from the start. A watch without a bond does so by itself; otherwise hold the "
                + "side button on its face."))
    var pairing = false

    @Flag(help: "Run the script of --script without a display, then exit.")
    var headless = false

    @Option(
        help: ArgumentHelp("The script to run; - for standard input.", valueName: "file"), completion: .file())
    var script: String?

    @Flag(help: "Print the screen as text, also in a terminal.")
    var plain = false

    @Flag(
        help:
            "Draw the pixels as braille, even in a terminal that may have no such characters: short for --view braille."
    )
    var braille = false

    @Option(
        help: ArgumentHelp(
            "How the panel is drawn: text, braille or pixels, where the terminal can. By default the best one that shows "
                + "all of it. The key v changes it.",
            valueName: "view"))
    var view: ViewKind?

    func validate() throws {
        if json && checkFlash == nil { throw ValidationError("--json needs --check-flash FILE.") }
        if [plain, braille, view != nil].count(where: \.self) > 1 {
            throw ValidationError("Use one of --plain, --braille and --view.")
        }
        if headless && (plain || braille || view != nil) {
            throw ValidationError("--headless has no display: leave out --plain, --braille and --view.")
        }
        if headless && script == nil { throw ValidationError("--headless needs --script FILE.") }
        if !headless && script != nil { throw ValidationError("--script needs --headless.") }
        if image != nil && !firmware { throw ValidationError("--image needs --firmware.") }
        if package != nil && (firmware || image != nil) {
            throw ValidationError("--package builds an image and runs it: leave out --firmware and --image.")
        }
        if let handler, package == nil, HandlerChoice(rawValue: handler) == nil {
            let known = HandlerChoice.allCases.map(\.rawValue).joined(separator: " and ")
            throw ValidationError("There is no handler '\(handler)': there are \(known); --package has others.")
        }
        if firmware && choice != .shipping {
            throw ValidationError("--firmware runs the shipping handler only, the one in its image.")
        }
        if isFirmware && profile != DeviceProfile.instant.name {
            throw ValidationError("--profile is for the simulated watch: leave it out with --firmware and --package.")
        }
        if isFirmware && speed != .real {
            throw ValidationError("--speed is for the simulated watch: leave it out with --firmware and --package.")
        }
        if pairing && !linkIsRadio { throw ValidationError("--pairing needs --link bluetooth.") }
        if sockets != nil && link != nil { throw ValidationError("Use either --link or --sockets, not both.") }
    }

    func run() throws {
        if let checkFlash { return try FlashCheckReport.run(path: checkFlash, json: json) }
        // A broken script is found before a watch is made for it.
        let play = try script.map { try ScriptFile(path: $0) }
        let device = try ProfileChoice(named: profile).profile
        let reach = try makeReach()
        let mode = displayMode
        let notes = RadioNotes(isHeld: play == nil && mode != .plain)
        defer { notes.release() }
        let watch = try makeWatch(device, radio: reach.makeRadio(notes))
        defer { watch.stop() }
        let publication = try reach.publish(watch, name: name, opening: pairing ? .always : .whereNew, notes)
        defer { if let publication { try? runBlocking { await publication.end() } } }
        if let play {
            try play.run(on: watch)
        } else {
            let reason = try show(watch, mode)
            switch reason {
            case .asked: break
            case .watchFailed(let why): throw WatchFailure(reason: why)
            case .signal, .terminalGone: throw ExitCode(reason.exitStatus)
            }
        }
    }

    /// The display mode for the options and this terminal.
    private var displayMode: DisplayMode {
        let wanted = view ?? (braille ? .braille : nil)
        let preference: DisplayMode.Preference =
            plain ? .always(.plain) : wanted.map { .always(.drawn(.always($0))) } ?? .automatic
        return DisplayMode(preference: preference, environment: TerminalSession.Descriptors().environment)
    }

    private func show(_ watch: SimulatedWatch, _ mode: DisplayMode) throws(TerminalError) -> ExitReason {
        try TerminalSession.run(device: watch, label: label, mode: mode)
    }

    /// What is written on the watch's case.
    private var label: WatchLabel {
        let part = isFirmware ? "firmware in QEMU" : profile
        return WatchLabel(name: name, profile: part, handler: handler ?? (package == nil ? choice.rawValue : "its own"))
    }
}

// MARK: The watch

extension WatchCommand {
    /// 64 KB in sixteen sectors: the part of a flash chip that the watch keeps its data in.
    private static let flashGeometry = FlashGeometry(sectorCount: 16)

    private var socketDirectory: String {
        if let sockets { return sockets }
        switch link {
        case .unix(let directory?): return directory
        case .unix(nil), .bluetooth, nil: return Places.usual.sockets
        }
    }

    /// The link to the phone.
    private func makeReach() throws -> PhoneReach {
        switch link {
        case .bluetooth(let adapter):
            .bluetooth(try runBlocking { try await BluetoothPeripheral(adapter: adapter, control: BlueZControl()) })
        case .unix, nil: .socket(path: try socketPath)
        }
    }

    /// The path of the phone's socket. One that is too long is refused here: the radio would try it again for ever.
    private var socketPath: String {
        get throws(WormholeError) {
            let path = "\(socketDirectory)/watch.sock"
            _ = try UnixAddress(path: path)
            return path
        }
    }

    private func makeWatch(_ device: DeviceProfile, radio: sending any RadioPort) throws -> SimulatedWatch {
        if isFirmware { return try makeFirmwareWatch(radio: radio) }
        switch choice {
        case .shipping: return try makeWatch(device, handler: ShippingHandler(), radio: radio)
        case .legacy: return try makeWatch(device, handler: LegacyHandler(), radio: radio)
        }
    }

    private func makeWatch(
        _ device: DeviceProfile, handler: some TapHandler & Sendable, radio: sending any RadioPort
    ) throws -> SimulatedWatch {
        let clock = HostClock()
        clock.control.set(speed)
        let faults = FaultSwitches()
        var generator = SystemRandomNumberGenerator()
        let faulty = FaultyRadio(
            radio, switches: faults, clock: clock.control,
            profile: linkIsRadio ? .instant : device, seed: generator.next())
        let board = try SimulatedBoard(
            flash: try FileFlash(path: try flashPath(usual: Places.usual.flash), geometry: Self.flashGeometry),
            radio: faulty, clock: .real(clock), calendar: .machine, profile: device, faults: faults)
        return try SimulatedWatch(
            running: RuntimeProgram(on: board, handler: handler, seed: generator.next()), faults: faults)
    }

    /// The firmware in an emulator, with this command's flash and a radio.
    private func makeFirmwareWatch(radio: sending any RadioPort) throws -> SimulatedWatch {
        var generator = SystemRandomNumberGenerator()
        let image = try imagePath
        // Before there is a flash for it: its file would stay behind.
        try ImageFile.check(image)
        let program = try FirmwareProgram(
            image: image,
            flash: try FirmwareFlash(path: try flashPath(usual: usualFirmwareFlash)),
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
    private var choice: HandlerChoice { handler.flatMap(HandlerChoice.init(rawValue:)) ?? .shipping }

    /// Whether the watch is the firmware, and not simulated.
    private var isFirmware: Bool { firmware || package != nil }

    /// The firmware's image, which is built first where it is that of a package.
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
    private var linkIsRadio: Bool {
        switch link {
        case .bluetooth: true
        case .unix, nil: false
        }
    }

    /// What `--speed` was given.
    private static func speed(_ argument: String) throws -> ClockSpeed {
        guard let speed = ClockSpeed(text: argument) else {
            throw ValidationError("--speed takes 0.1 to 1000, such as 10, and not '\(argument)'.")
        }
        return speed
    }

    /// The file of the flash. The usual one's directory is made where there is none.
    private func flashPath(usual: String) throws -> String {
        if let flash { return flash }
        // Where it cannot be made, the file's error says so in the words of the system.
        try? FileManager.default.createDirectory(
            atPath: Places.usual.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return usual
    }
}

extension ViewKind: ExpressibleByArgument {}

private struct WatchFailure: Error, CustomStringConvertible {
    let reason: String

    var description: String { reason }
}

/// A script that was read and parsed.
private struct ScriptFile {
    let path: String
    let text: String

    init(path: String) throws {
        self.path = path
        let bytes: [UInt8]
        do throws(DeviceModelError) {
            bytes =
                path == "-" ? Array(FileHandle.standardInput.readDataToEndOfFile()) : try HostFile.read(path)
        } catch {
            throw ScriptFileError.unreadable(path: path, reason: error.reason)
        }
        text = String(decoding: bytes, as: UTF8.self)
        _ = try ScriptParser(file: path).statements(in: text)
    }

    func run(on watch: SimulatedWatch) throws {
        var failure: OutputError?
        var runner = ScriptRunner(watch, file: path) { text in
            do throws(OutputError) { try PhoneReport.write(text) } catch { failure = failure ?? error }
        }
        try runner.run(script: text)
        if let failure { throw failure }
    }
}

/// Why a script was not played.
private enum ScriptFileError: Error, CustomStringConvertible {
    /// There is no such file, or it may not be read.
    case unreadable(path: String, reason: String)

    var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): the script cannot be read (\(reason))"
        }
    }
}
