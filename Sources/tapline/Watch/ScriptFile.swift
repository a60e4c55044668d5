import CommandSupport
import DeviceModel
import Foundation
import HostSystem
import TerminalWatch

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

    /// The kinds of recordings that a script makes.
    static var formats: [any RecordingFormat] { RecordingFormats.all }

    /// Writes the recording that goes on where a watch ends.
    ///
    /// - Returns: why it could not be written, nil where it was, or there was none.
    static func endRecording(of watch: any WatchDevice) -> String? {
        switch watch.endRecording() {
        case .none, .written: nil
        case .notWritten(let reason, let path): "cannot write \(path): \(reason)"
        }
    }

    /// Plays it, and prints what it prints.
    func run(on watch: any WatchDevice, phone: (any ScriptPhone)?) throws {
        var failure: OutputError?
        var runner = ScriptRunner(watch, file: path, phone: phone, formats: ScriptFile.formats) { text in
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
