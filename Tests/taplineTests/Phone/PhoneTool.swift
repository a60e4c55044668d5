import Foundation
import Synchronization
import TestSupport

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
        fileprivate let program: SpawnedProgram

        /// Sends a signal and waits for the end: the status, or the signal that ended it as a negative number.
        func end(_ signal: Int32) async -> Int32 {
            program.signal(signal)
            return await program.end.status
        }

        var identifier: Int32 { program.identifier }
    }

    let directory: String
    private let counter = Mutex(0)

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
        for path in [output, error] { try Data().write(to: URL(filePath: path)) }
        let files = (
            try FileHandle(forReadingFrom: URL(filePath: inputFile)),
            try FileHandle(forWritingTo: URL(filePath: output)),
            try FileHandle(forWritingTo: URL(filePath: error))
        )
        let program = try SpawnedProgram(
            prefix + [PhoneTool.executable.path] + arguments, input: files.0.fileDescriptor,
            output: files.1.fileDescriptor, error: files.2.fileDescriptor)
        withExtendedLifetime(files) {}
        return Result(
            status: await program.end.status, output: try String(contentsOfFile: output, encoding: .utf8),
            error: try String(contentsOfFile: error, encoding: .utf8))
    }

    /// How to run a program as one who is not root: nothing in front of it where we are not. Nil where that cannot be done.
    static var unprivileged: [String]? {
        guard geteuid() == 0 else { return [] }
        let prefix = ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        guard FileManager.default.isExecutableFile(atPath: prefix[0]) else { return nil }
        let probe = try? SpawnedProgram(prefix + ["/usr/bin/test", "-x", executable.path])
        return probe?.awaitEnd() == .exited(0) ? prefix : nil
    }

    /// Starts a host and returns once it has said that watches can connect.
    ///
    /// - Parameter log: where its log goes; nil for nowhere.
    func serve(_ arguments: String..., log: CInt? = nil) async throws -> (Host, ready: String) {
        let pipe = Pipe()
        let program = try SpawnedProgram(
            [PhoneTool.executable.path, "phone", "serve", "--database", database, "--sockets", sockets] + arguments,
            output: pipe.fileHandleForWriting.fileDescriptor, error: log)
        try pipe.fileHandleForWriting.close()
        return (Host(program: program), try await PhoneTool.firstLine(pipe.fileHandleForReading))
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
}

extension SpawnedProgram.End {
    /// The exit status, or the signal as a negative number.
    fileprivate var status: Int32 {
        switch self {
        case .exited(let status): status
        case .killed(let signal): -signal
        }
    }
}
