import ArgumentParser
import CommandSupport
import DeviceModel
import Emulator
import Foundation
import HostSystem
import TerminalWatch
import WatchLink

/// The board on which a firmware runs.
enum BoardChoice: String, ExpressibleByArgument, CaseIterable {
    case pinetime, reference, mps2
}

extension WatchCommand {
    /// Whether the watch is an emulated board that executes the image of the options.
    var isMachine: Bool { firmware != nil && board != .mps2 }

    func validateMachine() throws {
        if board != nil && board != .mps2 && firmware == nil {
            throw ValidationError("--board needs --firmware FILE, except for mps2.")
        }
        if !isMachine && (at != nil || strict || seed != nil || gdb != nil || console) {
            throw ValidationError(
                "--at, --strict, --seed, --gdb and --console need --firmware FILE and a board that is not mps2.")
        }
        guard isMachine else { return }
        if gdb != nil && scripts != nil { throw ValidationError("--gdb needs one --script FILE, or a terminal.") }
        if withPhone {
            throw ValidationError("--firmware has a phone in its scripts (phone connect NAME): leave out --with-phone.")
        }
        let isOfOwnWatch =
            handler != nil || profile != DeviceProfile.instant.name || load != nil || checkFlash != nil
            || speed != .real
            || link != nil || sockets != nil || pairing || view != nil
        if isOfOwnWatch {
            throw ValidationError(
                "--firmware takes --board, --at, --strict, --seed, --gdb, --console, --flash, --plain and the options for scripts; "
                    + "the others are for Tapline's own watch.")
        }
    }

    /// Runs the firmware in this terminal, with a script, or with commands from standard input.
    func runMachine() throws {
        var failure: OutputError?
        func write(_ text: String) {
            do throws(OutputError) { try StandardOutput.print(text) } catch { failure = failure ?? error }
        }
        if let script {
            try playOnMachine(script, ScriptListeners(printed: write))
        } else {
            switch displayMode {
            case .plain:
                guard gdb == nil else { throw ValidationError("--gdb needs --script FILE, or a terminal.") }
                try obey(write)
            case .drawn: try draw()
            }
        }
        if let failure { throw failure }
    }

    /// Plays a script on a new machine.
    func playOnMachine(_ path: String, _ listeners: ScriptListeners) throws {
        let text = try ScriptFile.text(of: path)
        _ = try ScriptReader<MachineCommand>.ofFiles(path).statements(in: text)
        var runner = MachineRunner(
            try machine(), file: path == "-" ? "standard input" : path, seed: seed ?? 0, debugger: try debugger,
            hasConsole: console, output: listeners.printed)
        defer { listeners.ended(Microseconds(runner.machine.now / 64), []) }
        do { try runner.run(script: text) } catch {
            try keepFlash(of: runner.machine)
            throw error
        }
        try keepFlash(of: runner.machine)
    }

    /// Runs commands from standard input. A wrong one ends a pipe, and a person can correct it.
    private func obey(_ write: @escaping (String) -> Void) throws {
        var runner = MachineRunner(
            try machine(), file: "standard input", seed: seed ?? 0, hasConsole: console, output: write)
        let isStrict = isatty(STDIN_FILENO) != 1
        while let line = readLine() {
            do throws(ScriptError) {
                if try runner.run(line: line) == .quit { break }
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
            try machine(), seed: seed ?? 0, debugger: try debugger, hasConsole: console)
        try keepFlash(of: last)
        switch reason {
        case .asked: break
        case .watchFailed(let why): throw CommandFailure(why)
        case .signal, .terminalGone: throw ExitCode(reason.exitStatus)
        }
    }

    private var debugger: DebuggerPort? {
        get throws {
            guard let gdb else { return nil }
            do throws(HostSystemError) { return try DebuggerPort(port: gdb) } catch {
                throw CommandFailure("--gdb: \(error): choose another port, or 0 for a free one")
            }
        }
    }

    private func machine() throws -> Emulator.Machine {
        guard let path = firmware else { throw CommandFailure("no firmware is named: --firmware FILE") }
        let file: [UInt8]
        do throws(DeviceModelError) { file = try HostFile.readWhole(path, atMost: 64 << 20) } catch {
            throw CommandFailure("\(SanitizedLine(path)): the firmware cannot be read (\(error.reason))")
        }
        let image: Emulator.FirmwareImage
        do throws(EmulatorError) { image = try Emulator.FirmwareImage(file, at: at?.value) } catch {
            throw CommandFailure("\(SanitizedLine(path)): \(error)")
        }
        let model: BoardModel = board == .reference ? .reference : .pineTime
        var machine = Emulator.Machine(image, on: BoardDevices(model, flash: try flashChip()), seed: seed ?? 0)
        machine.part.isStrict = strict
        return machine
    }

    /// The board's flash chip: erased without --flash, and if its file does not exist yet.
    private func flashChip() throws -> SerialFlash {
        guard let flash, FileManager.default.fileExists(atPath: flash) else { return SerialFlash() }
        let contents: [UInt8]
        do throws(DeviceModelError) { contents = try HostFile.readWhole(flash) } catch {
            throw CommandFailure("\(SanitizedLine(flash)): the flash file cannot be read (\(error.reason))")
        }
        do throws(BoardError) { return try SerialFlash(contents: contents) } catch {
            throw CommandFailure("\(SanitizedLine(flash)): \(error)")
        }
    }

    private func keepFlash(of machine: Emulator.Machine) throws {
        guard let flash else { return }
        do throws(DeviceModelError) { try HostFile.replace(flash, with: machine.board.flash.contents) } catch {
            throw CommandFailure("\(SanitizedLine(flash)): the flash file cannot be written (\(error.reason))")
        }
    }
}
