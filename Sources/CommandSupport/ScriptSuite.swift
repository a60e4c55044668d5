import ArgumentParser
import DeviceModel
import Foundation
import HostSystem
import WatchLink

package struct ScriptSuite {
    let directory: ScriptDirectory
    let junit: String?

    /// Finds the scripts, and creates an empty file for the report at `junit`, so that errors show before any script runs.
    /// Throws if the directory has no scripts, or if the file cannot be written.
    package init(directory: String, junit: String?) throws(CommandFailure) {
        self.directory = try ScriptDirectory(path: directory)
        self.junit = junit
        if let junit { try ScriptSuite.write("", to: junit) }
    }

    /// Plays every script, and then throws `ExitCode.failure` if one has failed. Prints each result as soon as its script ends,
    /// or all results at the end as JSON.
    /// - Parameter play: plays one script, and calls the listeners. Throws if the script fails.
    package func run(json: Bool, play: (_ path: String, ScriptListeners) throws -> Void) throws {
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
            if !json { try StandardOutput.print(script.text) }
        }
        if let junit { try ScriptSuite.write(report.junit, to: junit) }
        if json { try StandardOutput.printJSON(report.object) } else { try StandardOutput.print(report.sum) }
        if report.failed > 0 { throw ExitCode.failure }
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

    /// Finds the files whose names end with `.script` or `.tapline` and do not begin with a dot, sorted by the bytes of their
    /// names.
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

package struct ScriptListeners {
    package let printed: (String) -> Void
    /// Called at the end of each script that has begun, even if the script fails. Receives the time on the watch's clock, and
    /// the watch's last taps. Executed firmware reports no taps.
    package let ended: (Microseconds, [TapHistory]) -> Void

    package init(
        printed: @escaping (String) -> Void, ended: @escaping (Microseconds, [TapHistory]) -> Void = { _, _ in }
    ) {
        (self.printed, self.ended) = (printed, ended)
    }
}

package struct ScriptFile {
    let path: String
    package let text: String

    /// Reads a script for the simulated watch, from standard input if `path` is `-`. Throws if a statement cannot be parsed.
    package init(path: String) throws {
        self.path = path
        text = try ScriptFile.text(of: path)
        _ = try ScriptParser(file: path).statements(in: text)
    }

    package static func text(of path: String) throws -> String {
        let bytes: [UInt8]
        do throws(DeviceModelError) {
            bytes =
                path == "-" ? Array(FileHandle.standardInput.readDataToEndOfFile()) : try HostFile.read(path)
        } catch {
            throw CommandFailure("\(SanitizedLine(path)): the script cannot be read (\(error.reason))")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    package func run(on watch: any WatchDevice, phone: (any ScriptPhone)?, listeners: ScriptListeners) throws {
        defer {
            listeners.ended(Microseconds(watch.now.microseconds), watch.snapshot.taps)
        }
        var runner = ScriptRunner(watch, file: path, phone: phone, output: listeners.printed)
        try runner.run(script: text)
    }
}
