import ArgumentParser
import CommandSupport
import DeviceModel
import Emulator
import Foundation
import HostRadio
import HostSystem
import TerminalWatch
import WatchLink

struct FirmwareWatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Execute the firmware of a watch in this terminal.",
        discussion: """
            Executes an image for the nRF52832 of a PineTime, cycle by cycle, with its display, touch, flash and radio. Nothing has \
            to be compiled anew. Without --firmware, --board executes Tapline's own firmware, whose serial line leads to the phone.

            In a terminal the mouse is the finger, b presses the button, c is the charger, p pauses, q quits. Without one, and \
            with --plain, commands come from standard input. Time passes only while a command runs, or in real time if the serial \
            line leads to a served phone.

            COMMANDS
              \(MachineCommand.synopses.joined(separator: "\n  "))

            Simulator/SCRIPTS.md says what each command does.

            EXAMPLES
              tapline watch --firmware firmware.elf
              printf 'wait until drawn\\ntap 120,120\\nexpect updated within 60ms\\n' > tap.script
              tapline watch --firmware firmware.elf --headless --script tap.script
              tapline watch --firmware firmware.elf --gdb 3333
              Hardware/build && tapline watch --board reference
              tapline watch --package Tests/Examples --handler StopwatchHandler
            """)

    @OptionGroup var firmware: FirmwareOptions

    @Option(
        help: ArgumentHelp(
            "The handler of a tap on a row, a type of the package. By default the package's only handler.",
            valueName: "handler"))
    var handler: String?

    @OptionGroup var options: WatchOptions

    @Flag(help: "Print the results of --scripts as JSON.")
    var json = false

    func validate() throws {
        if json && options.scripts == nil { throw ValidationError("--json needs --scripts DIRECTORY.") }
        try options.check()
        try firmware.check(options, handler: handler, hasOthers: false)
        if !firmware.isMachine { throw ValidationError("A firmware is needed: --firmware, --board or --package.") }
    }

    func run() throws {
        if let scripts = options.scripts {
            return try ScriptSuite(directory: scripts, junit: options.junit).run(json: json, play: play)
        }
        var failure: OutputError?
        func write(_ text: String) {
            do throws(OutputError) { try StandardOutput.print(text) } catch { failure = failure ?? error }
        }
        if let script = options.script {
            try play(script, ScriptListeners(printed: write))
        } else {
            switch displayMode {
            case .plain:
                guard firmware.gdb == nil else { throw ValidationError("--gdb needs --script FILE, or a terminal.") }
                try obey(write)
            case .drawn: try draw()
            }
        }
        if let failure { throw failure }
    }

    private var displayMode: DisplayMode {
        DisplayMode(
            preference: options.plain ? .always(.plain) : .automatic,
            environment: TerminalSession.Descriptors().environment)
    }

    private var seed: UInt64 { firmware.seed ?? 0 }

    private var board: BoardChoice { firmware.board ?? (firmware.package == nil ? .pinetime : .reference) }

    /// Whether the machine's serial line leads to a phone. On a PineTime, firmware from --firmware uses the line as a console,
    /// unless the options give a link or sockets.
    private var hasPhoneOnLine: Bool {
        firmware.firmware == nil || board == .reference || options.link != nil || options.sockets != nil
    }

    private func play(_ path: String, _ listeners: ScriptListeners) throws {
        let text = try ScriptFile.text(of: path)
        _ = try ScriptReader<MachineCommand>(file: path).statements(in: text)
        let own = try options.withPhone ? ownPhone() : nil
        defer { own?.phone.host.end() }
        var runner = MachineRunner(
            try machine(), phone: try own?.line ?? servedPhone()?.line,
            file: path == "-" ? "standard input" : path, seed: seed, debugger: try debugger,
            hasConsole: firmware.console, output: listeners.printed)
        defer { listeners.ended(Microseconds(runner.machine.now / 64), []) }
        let result = Result { try runner.run(script: text) }
        try keepFlash(of: runner.machine)
        try result.get()
    }

    /// Runs the commands from standard input. If a command fails, throws its error. At a terminal, prints the error
    /// instead, and continues with the next command.
    private func obey(_ write: @escaping (String) -> Void) throws {
        let phone = try servedPhone()
        var runner = MachineRunner(
            try machine(), phone: phone?.line, file: "standard input", seed: seed, hasConsole: firmware.console,
            output: write)
        let isStrict = isatty(STDIN_FILENO) != 1
        var input = CommandInput()
        while true {
            do throws(ScriptError) {
                let next = try input.next(every: phone.map { _ in 10_000 }) { () throws(ScriptError) in
                    if let clock = phone?.clock { try runner.advance(to: clock.outside.microseconds * 64) }
                }
                guard let next, try runner.run(line: next) == .continues else { break }
            } catch {
                guard !isStrict else {
                    try keepFlash(of: runner.machine)
                    throw error
                }
                write("\(error.problem)\n")
            }
        }
        try runner.finish()
        try keepFlash(of: runner.machine)
    }

    private func draw() throws {
        let (reason, last) = try MachineSession.run(
            try machine(), phone: servedPhone()?.line, seed: seed, debugger: try debugger, hasConsole: firmware.console)
        try keepFlash(of: last)
        switch reason {
        case .asked: break
        case .watchFailed(let why): throw CommandFailure(why)
        case .signal, .terminalGone: throw ExitCode(reason.exitStatus)
        }
    }

    /// Makes a serial line to the phone that `tapline phone serve` runs. Returns the line with its real-time clock; nil if the
    /// machine's serial line does not lead to a phone.
    private func servedPhone() throws -> (line: PhoneLine, clock: HostClock)? {
        guard hasPhoneOnLine else { return nil }
        let clock = HostClock()
        return (PhoneLine(SocketRadio(path: try options.socketPath), .real(clock)), clock)
    }

    /// Makes a phone in this process for the script, and a serial line to this phone. The machine advances the phone's virtual
    /// clock.
    private func ownPhone() throws -> (line: PhoneLine, phone: OwnPhone) {
        let (clock, faults, cost) = (VirtualClock(), FaultSwitches(), DeviceProfile.instant)
        let host = try InMemoryPhone(named: "Script", cost: cost.phone, faults: faults)
        let radio = VirtualRadio(to: host, clock: clock, cost: cost.radio, opening: .byItself(faults))
        let phone = OwnPhone(host: host, radio: radio)
        return (PhoneLine(radio, .virtual(clock), phone: phone), phone)
    }

    private var debugger: DebuggerPort? {
        get throws {
            guard let gdb = firmware.gdb else { return nil }
            do throws(HostSystemError) { return try DebuggerPort(port: gdb) } catch {
                throw CommandFailure("--gdb: \(error): choose another port, or 0 for a free one")
            }
        }
    }

    private func machine() throws -> Machine {
        let path = try imagePath
        let file: [UInt8]
        do throws(DeviceModelError) { file = try HostFile.readWhole(path, atMost: 64 << 20) } catch {
            throw CommandFailure("\(SanitizedLine(path)): the firmware cannot be read (\(error.reason))")
        }
        let image: Emulator.FirmwareImage
        do throws(EmulatorError) { image = try Emulator.FirmwareImage(file, at: firmware.at?.value) } catch {
            throw CommandFailure("\(SanitizedLine(path)): \(error)")
        }
        let devices = BoardDevices(board.parts.model, flash: try flashChip())
        var machine = Machine(image, on: devices, seed: seed)
        machine.part.isStrict = firmware.strict
        return machine
    }

    private var imagePath: String {
        get throws {
            if let file = firmware.firmware { return file }
            guard let package = firmware.package else {
                let path = board.parts.image.usualPath
                guard FileManager.default.fileExists(atPath: path) else {
                    throw CommandFailure("no firmware image at \(SanitizedLine(path)): run Hardware/build")
                }
                return path
            }
            return try ProgressLine.during { progress in
                progress.show(0, of: 1, "building the firmware of \(package)")
                let package = try HandlerPackage(directory: package)
                return try ExecutableHandlers(of: package, only: handler, on: board.parts.package).firmware()
            }
        }
    }

    /// Makes the board's flash chip with the contents of the --flash file. Without --flash, or if the file does not exist yet,
    /// the chip is erased.
    private func flashChip() throws -> SerialFlash {
        guard let flash = options.flash, FileManager.default.fileExists(atPath: flash) else { return SerialFlash() }
        let contents: [UInt8]
        do throws(DeviceModelError) { contents = try HostFile.readWhole(flash) } catch {
            throw CommandFailure("\(SanitizedLine(flash)): the flash file cannot be read (\(error.reason))")
        }
        do throws(EmulatorError) { return try SerialFlash(contents: contents) } catch {
            throw CommandFailure("\(SanitizedLine(flash)): \(error)")
        }
    }

    private func keepFlash(of machine: Machine) throws {
        guard let flash = options.flash else { return }
        do throws(DeviceModelError) { try HostFile.replace(flash, with: machine.board.flash.contents) } catch {
            throw CommandFailure("\(SanitizedLine(flash)): the flash file cannot be written (\(error.reason))")
        }
    }
}

extension BoardChoice {
    fileprivate var parts: (image: CommandSupport.FirmwareImage, model: BoardModel, package: TapImagePackage.Board) {
        switch self {
        case .pinetime: (.pineTime, .pineTime, .pineTime)
        case .reference: (.reference, .reference, .reference)
        }
    }
}

private struct CommandInput {
    private var reader = LineReader()
    private var lines: [String] = []
    private var hasEnded = false

    /// Returns the next line; nil at the end of the input. Calls `pass` before it waits, and then every `period` microseconds
    /// until input arrives. If `period` is nil, calls `pass` only once for each wait.
    mutating func next(
        every period: UInt64?, _ pass: () throws(ScriptError) -> Void
    ) throws(ScriptError) -> String? {
        while lines.isEmpty, !hasEnded {
            try pass()
            var input = [PolledDescriptor(STDIN_FILENO, .readable)]
            guard PolledDescriptor.wait(for: &input, microseconds: period), input[0].isReady else { continue }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0 {
                lines = reader.take(bytes[..<count])
            } else if count == 0 || errno != EINTR && errno != EAGAIN {
                hasEnded = true
                lines = [reader.end()].compactMap(\.self)
            }
        }
        return lines.isEmpty ? nil : lines.removeFirst()
    }
}
