import Foundation
import Synchronization

/// Runs the built `tapline phone` with a database and sockets of its own.
final class PhoneTool: Sendable {
    /// What a run left.
    struct Result {
        var status: Int32
        var output: String
        var error: String

        /// The lines of the output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// A host that serves.
    struct Host {
        fileprivate let process: Process
        fileprivate let ended: AsyncStream<Int32>

        /// Sends a signal and waits for the end: the status, or the signal that ended it as a negative number.
        func end(_ signal: Int32) async -> Int32 {
            kill(process.processIdentifier, signal)
            for await status in ended { return status }
            return .min
        }

        var identifier: Int32 { process.processIdentifier }
    }

    let directory: String
    private let counter = Mutex(0)
    private static let starting = Mutex(())

    init() throws {
        // Short, because a socket's path has 107 bytes.
        directory = "\(FileManager.default.temporaryDirectory.path)/tl-\(UInt32.random(in: 1 ... .max))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    var database: String { "\(directory)/data/phone.sqlite" }
    var sockets: String { "\(directory)/sockets" }

    /// The command beside the program of the tests.
    static var executable: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "tapline")
    }

    /// Runs `tapline phone` with these arguments to its end.
    func run(_ arguments: String..., input: String = "", database: String? = nil) async throws -> Result {
        let places = ["--database", database ?? self.database, "--sockets", sockets]
        return try await launch(["phone"] + arguments + places, input: input)
    }

    /// Runs `tapline` with exactly these arguments to its end.
    func launch(_ arguments: [String], input: String = "", through prefix: [String] = []) async throws -> Result {
        let number = counter.withLock { counter in
            counter += 1
            return counter
        }
        let (output, error, inputFile) = (
            "\(directory)/\(number).out", "\(directory)/\(number).err", "\(directory)/\(number).in"
        )
        try Data(input.utf8).write(to: URL(filePath: inputFile))
        let (process, ended) = try start(
            prefix + [PhoneTool.executable.path] + arguments, input: inputFile, output: output, error: error)
        _ = process
        for await status in ended {
            return Result(
                status: status, output: try String(contentsOfFile: output, encoding: .utf8),
                error: try String(contentsOfFile: error, encoding: .utf8))
        }
        return Result(status: .min, output: "", error: "")
    }

    /// How to run a program as one who is not root: nothing in front of it where we are not. Nil where that cannot be done.
    static var unprivileged: [String]? {
        guard geteuid() == 0 else { return [] }
        let prefix = ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        guard FileManager.default.isExecutableFile(atPath: prefix[0]) else { return nil }
        let probe = Process()
        probe.executableURL = URL(filePath: prefix[0])
        probe.arguments = prefix.dropFirst() + ["/usr/bin/test", "-x", executable.path]
        guard (try? probe.run()) != nil else { return nil }
        probe.waitUntilExit()
        return probe.terminationStatus == 0 ? prefix : nil
    }

    /// Starts a host and returns once it has said that watches can connect.
    func serve(_ arguments: String...) async throws -> (Host, ready: String) {
        let pipe = Pipe()
        let process = Process()
        process.executableURL = PhoneTool.executable
        process.arguments = ["phone", "serve", "--database", database, "--sockets", sockets] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        let ended = try PhoneTool.run(process)
        return (Host(process: process, ended: ended), try await PhoneTool.firstLine(pipe.fileHandleForReading))
    }

    /// The first line that comes, without its end.
    private static func firstLine(_ file: FileHandle) async throws -> String {
        let (parts, continuation) = AsyncStream.makeStream(of: Data.self)
        file.readabilityHandler = { file in
            let part = file.availableData
            guard part.isEmpty else { return _ = continuation.yield(part) }
            file.readabilityHandler = nil
            continuation.finish()
        }
        defer { file.readabilityHandler = nil }
        var text = Data()
        for await part in parts {
            text += part
            if let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                return String(decoding: text[..<end], as: UTF8.self)
            }
        }
        throw CocoaError(.fileReadUnknown)
    }

    private func start(
        _ command: [String], input: String, output: String, error: String
    ) throws -> (Process, AsyncStream<Int32>) {
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command[1...])
        for path in [output, error] { try Data().write(to: URL(filePath: path)) }
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: input))
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: error))
        return (process, try PhoneTool.run(process))
    }

    private static func run(_ process: Process) throws -> AsyncStream<Int32> {
        let (ended, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            switch process.terminationReason {
            case .exit: continuation.yield(process.terminationStatus)
            case .uncaughtSignal: continuation.yield(-process.terminationStatus)
            @unknown default: continuation.yield(.min)
            }
            continuation.finish()
        }
        // One at a time: a program that is started meanwhile would get the socket that says when this one ends.
        try PhoneTool.starting.withLock { _ in try process.run() }
        return ended
    }
}
