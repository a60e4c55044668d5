import ArgumentParser
import CommandSupport
import DeviceModel
import Foundation
import Glibc
import Wormhole

/// Why a running watch cannot be driven.
enum AttachmentError: Error, Equatable, CustomStringConvertible {
    /// No watch of this user runs in the directory.
    case noWatch(directory: String)
    /// Several do, in these processes, and none was chosen.
    case severalWatches([Int32])
    case notAWatch(process: Int32, running: [Int32])
    case ended
    case otherVersion
    /// A script has more bytes than a watch takes at once.
    case tooLong(bytes: Int)

    var description: String {
        switch self {
        case .noWatch(let directory): "no watch is running with sockets in \(directory): start one with tapline watch"
        case .severalWatches(let processes):
            "\(processes.count) watches are running: choose one with --process \(AttachmentError.list(processes))"
        case .notAWatch(let process, let running) where running.isEmpty:
            "process \(process) is no watch, and no other process is: start one with tapline watch"
        case .notAWatch(let process, let running):
            "process \(process) is no watch: choose one with --process \(AttachmentError.list(running))"
        case .ended: "the watch has ended"
        case .otherVersion:
            "the watch answers in a way that this version does not know: use the same version of tapline"
        case .tooLong(let bytes):
            "\(bytes) bytes are too long for a watch, which takes \(ControlSocket.largestDatagram) at once: send them in "
                + "parts, or put them into a file and send include FILE"
        }
    }

    private static func list(_ processes: [Int32]) -> String {
        processes.map { "\($0)" }.joined(separator: ", ")
    }
}

/// `tapline watch --attach`: the words of scripts for a watch that runs in another process. Each answer is a line of JSON.
struct AttachedShell {
    enum Source {
        /// The arguments: one line.
        case words([String])
        /// A script, which runs as a whole.
        case script(path: String)
        /// The standard input, line by line.
        case standardInput
    }

    /// The directory of the watch's sockets.
    let sockets: String
    /// The process of the watch; nil for the only one.
    let process: Int32?
    let source: Source

    /// - Throws: `ExitCode(1)` if a line was not done; `AttachmentError`; `WormholeError`.
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

    /// - Parameters:
    ///   - chosen: the process of the watch; nil for the only one there is.
    ///   - path: the directory of its socket.
    static func connect(to chosen: Int32?, in path: String) async throws -> ControlChannel {
        // A directory that is missing is not made for that.
        guard access(path, F_OK) == 0 else { throw AttachmentError.noWatch(directory: path) }
        let directory = try SocketDirectory(path: path)
        let running = ControlSocket.simulatedWatches(in: directory).filter { process in
            let path = ControlSocket.simulatedWatch(process: process).path(in: directory)
            return (try? DatagramSocket.connect(toPath: path)) != nil
        }
        if let chosen, !running.contains(chosen) {
            throw AttachmentError.notAWatch(process: chosen, running: running)
        }
        guard let process = chosen ?? running.first else { throw AttachmentError.noWatch(directory: path) }
        guard chosen != nil || running.count == 1 else { throw AttachmentError.severalWatches(running) }
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

    /// A person who makes a mistake can try again; for a program the first mistake is the end.
    private func runStandardInput(on watch: ControlChannel) async throws {
        let isPerson = isatty(STDIN_FILENO) == 1
        var number = 0
        while let line = readLine() {
            number += 1
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            if words == ["quit"] { return }
            // The watch counts lines from the first one that it is given.
            let numbered = String(repeating: "\n", count: number - 1) + line
            let isDone = try await run(numbered, name: "standard input", on: watch)
            guard isDone || isPerson else { throw ExitCode.failure }
        }
    }

    /// Prints the answer. Returns whether every line was done.
    private func run(_ text: String, name: String, on watch: ControlChannel) async throws -> Bool {
        let directory = FileManager.default.currentDirectoryPath
        let (json, isDone) = try await AttachedShell.run(text, name: name, directory: directory, on: watch)
        try StandardOutput.write(json + "\n")
        return isDone
    }

    /// Has a watch run a script.
    ///
    /// - Returns: its answer, one line of JSON, and whether every line of the script was done.
    static func run(
        _ script: String, name: String, directory: String, on watch: ControlChannel
    ) async throws -> (json: String, isDone: Bool) {
        let reply: ControlReply
        do throws(WormholeError) {
            try await watch.send(.run(script: script, name: name, directory: directory))
            reply = try await watch.receive()
        } catch .closed {
            throw AttachmentError.ended
        } catch .coding(.tooLarge) {
            throw AttachmentError.tooLong(bytes: script.utf8.count + name.utf8.count + directory.utf8.count)
        }
        guard case .ran(let json, let isDone) = reply else { throw AttachmentError.otherVersion }
        return (json, isDone)
    }
}

extension WatchCommand {
    /// Refuses options that do not fit a watch that runs already.
    func validateAttachment() throws {
        guard attach else {
            if process != nil { throw ValidationError("--process needs --attach.") }
            guard let word = words.first else { return }
            throw ValidationError("'\(word)' needs --attach: tapline watch --attach \(words.joined(separator: " "))")
        }
        let isOfItsOwn = headless || plain || braille || view != nil || firmware || package != nil || flash != nil
        if isOfItsOwn || withPhone || scripts != nil || checkFlash != nil || load != nil {
            throw ValidationError(
                "--attach drives a watch that runs: of other options it takes --sockets, --script and --process.")
        }
        if script != nil, !words.isEmpty { throw ValidationError("Use either --script or words, not both.") }
    }

    /// What drives the watch of another process.
    var shell: AttachedShell {
        let source: AttachedShell.Source =
            if let script { .script(path: script) } else { words.isEmpty ? .standardInput : .words(words) }
        return AttachedShell(sockets: socketDirectory, process: process, source: source)
    }
}
