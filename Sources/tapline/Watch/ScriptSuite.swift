import ArgumentParser
import CommandSupport
import DeviceModel
import Foundation
import HostSystem
import Synchronization

/// Plays the scripts of a directory, each on a watch of its own.
struct ScriptSuite {
    let directory: ScriptDirectory
    /// The file of the report for continuous integration, nil for none.
    let junit: String?

    /// - Throws: `ScriptFileError` if the directory has no scripts, or the file cannot be written, before anything is played.
    init(directory: String, junit: String?) throws(ScriptFileError) {
        self.directory = try ScriptDirectory(path: directory)
        self.junit = junit
        if let junit { try ScriptSuite.write("", to: junit) }
    }

    /// - Parameters:
    ///   - show: takes the text of each script when it has ended.
    ///   - play: plays one, and gives what it prints to its second argument.
    func run(
        show: (ScriptReport.Script) throws -> Void,
        play: (ScriptFile, @escaping @Sendable (String) -> Void) throws -> Void
    ) throws -> ScriptReport {
        var report = ScriptReport(directory: directory.path)
        for name in directory.names {
            let path = directory.path(of: name)
            let printed = Printout()
            let clock = ContinuousClock()
            let begin = clock.now
            var failure: ScriptReport.Failure?
            do {
                try play(try ScriptFile(path: path)) { printed.append($0) }
            } catch {
                failure = ScriptReport.Failure(error, of: path)
            }
            let script = ScriptReport.Script(
                name: name, file: path, seconds: (clock.now - begin) / .seconds(1), output: printed.text,
                failure: failure)
            report.scripts.append(script)
            try show(script)
        }
        if let junit { try ScriptSuite.write(report.junit, to: junit) }
        return report
    }

    private static func write(_ text: String, to path: String) throws(ScriptFileError) {
        do throws(DeviceModelError) {
            try HostFile.write(Array(text.utf8), to: path)
        } catch {
            throw .unwritable(path: path, reason: error.reason)
        }
    }
}

private final class Printout: Sendable {
    private let contents = Mutex("")

    var text: String { contents.withLock { $0 } }

    func append(_ text: String) {
        contents.withLock { $0 += text }
    }
}

/// The scripts in a directory.
struct ScriptDirectory {
    let path: String
    /// Their names, in order.
    let names: [String]

    /// Lists a directory: every name that ends with `.script` or `.tapline` and does not begin with a dot, in the order of its
    /// bytes.
    init(path: String) throws(ScriptFileError) {
        guard let listing = opendir(path) else {
            throw .unreadableDirectory(path: path, reason: String(cString: strerror(errno)))
        }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            // `d_name` ends with a zero (readdir(3)), and `entry` is there until the next call.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if ScriptDirectory.isScript(name) { names.append(name) }
        }
        guard !names.isEmpty else { throw .noScripts(directory: path) }
        self.path = path
        self.names = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    static func isScript(_ name: String) -> Bool {
        !name.hasPrefix(".") && (name.hasSuffix(".script") || name.hasSuffix(".tapline"))
    }

    func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
}

/// A script that was read and parsed.
struct ScriptFile {
    let path: String
    let text: String

    /// Reads a file; `-` is the standard input.
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
        _ = try ScriptParser.ofFiles(path).statements(in: text)
    }

    /// Writes the recording that goes on when a watch ends.
    ///
    /// - Returns: why it could not be written; nil if it was, or if there was none.
    static func endRecording(of watch: any WatchDevice) -> String? {
        switch watch.endRecording() {
        case .none, .written: nil
        case .notWritten(let reason, let path): "cannot write \(path): \(reason)"
        }
    }

    func run(on watch: any WatchDevice, phone: (any ScriptPhone)?) throws {
        var failure: OutputError?
        var runner = ScriptRunner(watch, file: path, phone: phone) { text in
            do throws(OutputError) { try StandardOutput.print(text) } catch { failure = failure ?? error }
        }
        try runner.run(script: text)
        if let failure { throw failure }
    }
}

/// Why a script was not played.
enum ScriptFileError: Error, Equatable, CustomStringConvertible {
    /// There is no such file, or it may not be read.
    case unreadable(path: String, reason: String)
    /// There is no such directory, or it may not be read.
    case unreadableDirectory(path: String, reason: String)
    /// No name in the directory is that of a script.
    case noScripts(directory: String)
    /// The file of the report may not be written.
    case unwritable(path: String, reason: String)

    var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(PlainLine(path)): the script cannot be read (\(reason))"
        case .unreadableDirectory(let path, let reason):
            "\(PlainLine(path)): the directory of scripts cannot be read (\(reason))"
        case .noScripts(let directory):
            "\(PlainLine(directory)): no script in it: no name ends with .script or .tapline"
        case .unwritable(let path, let reason): "\(PlainLine(path)): the report cannot be written (\(reason))"
        }
    }
}

extension WatchCommand {
    /// Refuses options for scripts that do not fit together.
    func validateScripts() throws {
        if json && checkFlash == nil && scripts == nil {
            throw ValidationError("--json needs --check-flash FILE or --scripts DIRECTORY.")
        }
        if headless && (plain || braille || view != nil) {
            throw ValidationError("--headless has no display: leave out --plain, --braille and --view.")
        }
        if headless && script == nil && scripts == nil {
            throw ValidationError("--headless needs --script FILE or --scripts DIRECTORY.")
        }
        if script != nil && scripts != nil { throw ValidationError("Use either --script or --scripts, not both.") }
        if !headless && !attach && script != nil { throw ValidationError("--script needs --headless.") }
        if !headless && scripts != nil { throw ValidationError("--scripts needs --headless.") }
        if !headless && withPhone { throw ValidationError("--with-phone needs --headless.") }
        if junit != nil && scripts == nil { throw ValidationError("--junit needs --scripts DIRECTORY.") }
        if scripts != nil && flash != nil {
            throw ValidationError("--scripts plays each script on a new watch: leave out --flash.")
        }
        if withPhone && (link != nil || sockets != nil) {
            throw ValidationError("--with-phone brings its own phone: leave out --link and --sockets.")
        }
    }

    /// Plays a script on a watch that is there for it.
    func play(_ script: ScriptFile) throws {
        if withPhone {
            try withSurroundings { surroundings in
                try withWatch(surroundings) { watch in try script.run(on: watch, phone: surroundings.phone) }
            }
        } else {
            try withWatch { try script.run(on: $0, phone: nil) }
        }
    }

    /// Plays the scripts of a directory, and says what came of each.
    func play(_ suite: ScriptSuite) throws {
        let report = try suite.run { script in
            if !json { try StandardOutput.print(script.text) }
        } play: { script, output in
            try withSurroundings { surroundings in
                try withWatch(surroundings) { watch in
                    var runner = ScriptRunner(
                        watch, file: script.path, phone: surroundings.phone, output: output
                    )
                    try runner.run(script: script.text)
                }
            }
        }
        if json { try StandardOutput.printJSON(report) } else { try StandardOutput.print(report.sum) }
        if report.failed > 0 { throw ExitCode.failure }
    }

    /// Runs something with a directory of its own, and a phone if one is asked for. Both are gone afterwards.
    private func withSurroundings(_ body: (Surroundings) throws -> Void) throws {
        let directory = try PrivateDirectory()
        defer { directory.remove() }
        let phone = withPhone ? try OwnPhone(in: directory) : nil
        defer { phone?.end() }
        try body(Surroundings(directory: flash == nil ? directory : nil, phone: phone))
    }
}
