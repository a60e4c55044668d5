import ArgumentParser
import CommandSupport
import DeviceModel
import Foundation
import Glibc
import WatchControl

/// `tapline watch --attach`: the words of scripts for a watch that runs in another process. Each answer is a line of JSON.
struct AttachedShell {
    /// Where the words come from.
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

    /// - Throws: `ExitCode(1)` where a line was not done; `WatchControlError`.
    func run() async throws {
        let script = try wholeScript
        let watch = try await AttachedWatch(in: sockets, process: process)
        defer { watch.close() }
        if let script {
            let outcome = try await run(script.text, name: script.name, on: watch)
            guard outcome == .done else { throw ExitCode.failure }
        } else {
            try await runStandardInput(on: watch)
        }
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
    private func runStandardInput(on watch: AttachedWatch) async throws {
        let isPerson = isatty(STDIN_FILENO) == 1
        var number = 0
        while let line = readLine() {
            number += 1
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            if words == ["quit"] { return }
            // The watch counts lines from the first one that it is given.
            let numbered = String(repeating: "\n", count: number - 1) + line
            let outcome = try await run(numbered, name: "standard input", on: watch)
            guard outcome == .done || isPerson else { throw ExitCode.failure }
        }
    }

    private func run(
        _ text: String, name: String, on watch: AttachedWatch
    ) async throws -> ControlAnswer.Outcome {
        let directory = FileManager.default.currentDirectoryPath
        let (line, outcome) = try await watch.run(text, name: name, directory: directory)
        try StandardOutput.write(String(decoding: line, as: UTF8.self) + "\n")
        return outcome
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
