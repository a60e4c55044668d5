import ArgumentParser
import CommandSupport
import DeviceModel
import Foundation
import HostSystem
import WatchLink

/// Plays all scripts of a directory, each on a new watch.
struct ScriptSuite {
    let directory: ScriptDirectory
    /// The path of the JUnit report; nil for none.
    let junit: String?

    /// Checks the directory and the report's path before any script is played.
    ///
    /// - Throws: `CommandFailure` if the directory has no scripts, or if the report cannot be written.
    init(directory: String, junit: String?) throws(CommandFailure) {
        self.directory = try ScriptDirectory(path: directory)
        self.junit = junit
        if let junit { try ScriptSuite.write("", to: junit) }
    }

    /// Plays the scripts.
    ///
    /// - Parameters:
    ///   - show: called with the result of each script when it has ended.
    ///   - play: plays one script, and passes its output and the final state of its watch to the listeners.
    func run(
        show: (ScriptReport.Script) throws -> Void,
        play: (_ path: String, ScriptListeners) throws -> Void
    ) throws -> ScriptReport {
        var report = ScriptReport(directory: directory.path)
        for name in directory.names {
            let path = directory.path(of: name)
            var script = ScriptReport.Script(name: name, file: path)
            do {
                try play(
                    path,
                    ScriptListeners(
                        printed: { script.output += $0 }, ended: { (script.time, script.taps) = ($0, $1) }))
            } catch {
                script.failure = ScriptReport.Failure(error, of: path)
            }
            report.scripts.append(script)
            try show(script)
        }
        if let junit { try ScriptSuite.write(report.junit, to: junit) }
        return report
    }

    private static func write(_ text: String, to path: String) throws(CommandFailure) {
        do throws(DeviceModelError) {
            try HostFile.write(Array(text.utf8), to: path)
        } catch {
            throw CommandFailure("\(SanitizedLine(path)): the report cannot be written (\(error.reason))")
        }
    }
}

struct ScriptDirectory {
    let path: String
    let names: [String]

    /// Finds the files whose names end with `.script` or `.tapline` and do not begin with a dot. They are sorted by the bytes
    /// of their names.
    init(path: String) throws(CommandFailure) {
        guard let listing = opendir(path) else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure("\(SanitizedLine(path)): the directory of scripts cannot be read (\(reason))")
        }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            // `d_name` ends with a zero byte (readdir(3)), and `entry` is valid until the next call.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if ScriptDirectory.isScript(name) { names.append(name) }
        }
        guard !names.isEmpty else {
            throw CommandFailure("\(SanitizedLine(path)): no script in it: no name ends with .script or .tapline")
        }
        self.path = path
        self.names = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    static func isScript(_ name: String) -> Bool {
        !name.hasPrefix(".") && (name.hasSuffix(".script") || name.hasSuffix(".tapline"))
    }

    func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
}

/// The functions that receive what a script produces.
struct ScriptListeners {
    /// Called with each output of the script.
    var printed: (String) -> Void
    /// Gets the watch's own time and its taps at the end of the script, also after a failure.
    var ended: (Microseconds, [TapHistory]) -> Void = { _, _ in }
}

/// A script that has been read and parsed.
struct ScriptFile {
    let path: String
    let text: String

    /// Reads a script of Tapline's own watch; `-` is the standard input.
    init(path: String) throws {
        self.path = path
        text = try ScriptFile.text(of: path)
        _ = try ScriptParser.ofFiles(path).statements(in: text)
    }

    static func text(of path: String) throws -> String {
        let bytes: [UInt8]
        do throws(DeviceModelError) {
            bytes =
                path == "-" ? Array(FileHandle.standardInput.readDataToEndOfFile()) : try HostFile.read(path)
        } catch {
            throw CommandFailure("\(SanitizedLine(path)): the script cannot be read (\(error.reason))")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func run(on watch: any WatchDevice, phone: (any ScriptPhone)?, listeners: ScriptListeners) throws {
        defer {
            listeners.ended(Microseconds(watch.now.microseconds), watch.snapshot.taps)
        }
        var runner = ScriptRunner(watch, file: path, phone: phone, output: listeners.printed)
        try runner.run(script: text)
    }
}

extension WatchCommand {
    /// Throws if options for scripts contradict each other.
    func validateScripts() throws {
        if json && checkFlash == nil && scripts == nil {
            throw ValidationError("--json needs --check-flash FILE or --scripts DIRECTORY.")
        }
        if headless && (plain || view != nil) {
            throw ValidationError("--headless has no display: leave out --plain and --view.")
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
        if withPhone && speed != .real {
            throw ValidationError("--with-phone runs as fast as it can: leave out --speed.")
        }
    }

    func play(_ script: ScriptFile) throws {
        var failure: OutputError?
        func print(_ text: String) {
            do throws(OutputError) { try StandardOutput.print(text) } catch { failure = failure ?? error }
        }
        let listeners = ScriptListeners(printed: print)
        if withPhone {
            try play(script, listeners: listeners)
        } else {
            try withWatch { try script.run(on: $0, phone: nil, listeners: listeners) }
        }
        if let failure { throw failure }
    }

    /// Plays the scripts of a directory, and prints the result of each.
    func play(_ suite: ScriptSuite) throws {
        let report = try suite.run { script in
            if !json { try StandardOutput.print(script.text) }
        } play: { path, listeners in
            if isMachine {
                try playOnMachine(path, listeners)
            } else {
                try play(ScriptFile(path: path), listeners: listeners)
            }
        }
        if json { try StandardOutput.printJSON(report.object) } else { try StandardOutput.print(report.sum) }
        if report.failed > 0 { throw ExitCode.failure }
    }

    /// Plays a script in a new directory, with a phone if the options ask for one. The directory, the watch and the phone end
    /// with the script.
    private func play(_ script: ScriptFile, listeners: ScriptListeners) throws {
        let directory = try PrivateDirectory()
        defer { directory.remove() }
        if withPhone {
            try withPhoneOfItsOwn(directory) { watch, phone in
                try script.run(on: watch, phone: phone, listeners: listeners)
            }
        } else {
            try withWatch(Surroundings(directory: flash == nil ? directory : nil)) { watch in
                try script.run(on: watch, phone: nil, listeners: listeners)
            }
        }
    }
}
