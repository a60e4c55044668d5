import ArgumentParser
import CommandSupport
import DeviceModel
import Foundation
import Glibc
import Wormhole

/// Sends script commands to a watch in another process, and prints each answer as a line of JSON.
struct AttachedShell {
    enum Source {
        case words([String])
        /// The watch runs the script as a whole.
        case script(path: String)
        /// The watch runs the standard input line by line.
        case standardInput
    }

    let sockets: String
    /// The process ID of the watch; nil means the only running watch.
    let process: Int32?
    let source: Source

    /// Runs the commands of `source`. Throws `ExitCode(1)` if a command failed.
    func run() async throws {
        let script = try wholeScript
        let watch = try await AttachedShell.connect(to: process, in: sockets)
        defer { watch.close() }
        if let script {
            guard try await run(script.text, name: script.name, on: watch) else { throw ExitCode.failure }
        } else {
            try await runStandardInput(on: watch)
        }
    }

    /// Connects to the watch with the process ID `chosen`; nil means the only running watch. `path` is the directory of the
    /// sockets.
    static func connect(to chosen: Int32?, in path: String) async throws -> ControlChannel {
        // Checks the directory first, because `SocketDirectory` would create a missing one.
        let none = CommandFailure("no watch is running with sockets in \(path): start one with tapline watch")
        guard access(path, F_OK) == 0 else { throw none }
        let directory = try SocketDirectory(path: path)
        let running = ControlSocket.simulatedWatches(in: directory).filter { process in
            let path = ControlSocket.simulatedWatch(process: process).path(in: directory)
            return (try? DatagramSocket.connect(toPath: path)) != nil
        }
        let known = running.map { "\($0)" }.joined(separator: ", ")
        if let chosen, !running.contains(chosen) {
            throw CommandFailure(
                "process \(chosen) is no watch"
                    + (running.isEmpty
                        ? ", and no other process is: start one with tapline watch"
                        : ": choose one with --process \(known)"))
        }
        guard let process = chosen ?? running.first else { throw none }
        guard chosen != nil || running.count == 1 else {
            throw CommandFailure("\(running.count) watches are running: choose one with --process \(known)")
        }
        return try await ControlChannel(to: .simulatedWatch(process: process), in: directory)
    }

    private var wholeScript: (text: String, name: String)? {
        get throws {
            switch source {
            case .words(let words): (words.joined(separator: " "), "command line")
            case .script(let path): (try ScriptFile(path: path).text, path)
            case .standardInput: nil
            }
        }
    }

    /// Runs each line of the standard input. A failed line ends the command, unless the user types the lines at a terminal.
    private func runStandardInput(on watch: ControlChannel) async throws {
        let isPerson = isatty(STDIN_FILENO) == 1
        var number = 0
        while let line = readLine() {
            number += 1
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            if words == ["quit"] { return }
            // Empty lines in front give the line its number in the input, which the watch then names in errors.
            let numbered = String(repeating: "\n", count: number - 1) + line
            let isDone = try await run(numbered, name: "standard input", on: watch)
            guard isDone || isPerson else { throw ExitCode.failure }
        }
    }

    /// Runs a script, prints the watch's answer, and returns whether every line succeeded.
    private func run(_ text: String, name: String, on watch: ControlChannel) async throws -> Bool {
        _ = try ".".resolvedPath()
        let directory = FileManager.default.currentDirectoryPath
        let (json, isDone) = try await AttachedShell.run(text, name: name, directory: directory, on: watch)
        try StandardOutput.write(json + "\n")
        return isDone
    }

    /// Runs a script. Returns the watch's answer as a line of JSON, and whether every line of the script succeeded.
    static func run(
        _ script: String, name: String, directory: String, on watch: ControlChannel
    ) async throws -> (json: String, isDone: Bool) {
        let reply: ControlReply
        do throws(WormholeError) {
            try await watch.send(.run(script: script, name: name, directory: directory))
            reply = try await watch.receive()
        } catch .closed {
            throw CommandFailure("the watch has ended")
        } catch .coding(.tooLarge) {
            throw CommandFailure(
                "\(script.utf8.count + name.utf8.count + directory.utf8.count) bytes are too long for a watch, which takes "
                    + "\(ControlSocket.largestDatagram) at once: send them in parts, or put them into a file and send "
                    + "include FILE")
        }
        guard case .ran(let json, let isDone) = reply else {
            throw CommandFailure(
                "the watch answers in a way that this version does not know: use the same version of tapline")
        }
        return (json, isDone)
    }
}

extension WatchCommand {
    func validateAttachment() throws {
        guard attach else {
            if process != nil { throw ValidationError("--process needs --attach.") }
            guard let word = words.first else { return }
            throw ValidationError("'\(word)' needs --attach: tapline watch --attach \(words.joined(separator: " "))")
        }
        let isOfItsOwn =
            options.headless || options.plain || view != nil || firmware.isMachine || options.flash != nil
        if isOfItsOwn || options.withPhone || options.scripts != nil || checkFlash != nil || load != nil {
            throw ValidationError(
                "--attach drives a running watch: it takes only the options --sockets, --script and --process.")
        }
        if options.script != nil, !words.isEmpty { throw ValidationError("Use either --script or words, not both.") }
    }

    var shell: AttachedShell {
        let source: AttachedShell.Source =
            if let script = options.script {
                .script(path: script)
            } else {
                words.isEmpty ? .standardInput : .words(words)
            }
        return AttachedShell(sockets: options.socketDirectory, process: process, source: source)
    }
}
