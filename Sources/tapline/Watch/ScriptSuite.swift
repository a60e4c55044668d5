import DeviceModel
import Foundation
import Synchronization

/// Plays the scripts of a directory, each on a watch of its own.
struct ScriptSuite {
    let directory: ScriptDirectory
    /// The file of the report for continuous integration, nil for none.
    let junit: String?

    /// - Throws: `ScriptFileError` where the directory has no scripts, or the file cannot be written, before anything is played.
    init(directory: String, junit: String?) throws(ScriptFileError) {
        self.directory = try ScriptDirectory(path: directory)
        self.junit = junit
        if let junit { try ScriptSuite.write("", to: junit) }
    }

    /// Plays all of them.
    ///
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

/// What a script has printed.
private final class Printout: Sendable {
    private let contents = Mutex("")

    var text: String { contents.withLock { $0 } }

    func append(_ text: String) {
        contents.withLock { $0 += text }
    }
}
