import Foundation
import SpawnedPrograms
import Testing

/// A file of Tests/Frozen: what a released version wrote, compressed with gzip where it is binary.
struct FrozenFile: CustomTestStringConvertible {
    /// The number of the version that wrote it: the name of its directory.
    let version: String
    /// Its path within that directory, without ".gz".
    let name: String

    var testDescription: String { "\(version)/\(name)" }

    static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Frozen")
    }

    /// The versions that files were frozen of, in their order.
    static var versions: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return names.filter { Int($0) != nil }.sorted()
    }

    /// The frozen files with this extension in a directory of every version.
    static func all(in directory: String, withExtension ending: String) -> [FrozenFile] {
        versions.flatMap { version in
            let place = root.appending(path: "\(version)/\(directory)").path
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            return names.sorted().compactMap { name in
                let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
                return plain.hasSuffix(".\(ending)") ? FrozenFile(version: version, name: "\(directory)/\(plain)") : nil
            }
        }
    }

    /// The frozen file beside this one with another extension.
    func beside(_ ending: String) -> FrozenFile {
        FrozenFile(version: version, name: (name as NSString).deletingPathExtension + ".\(ending)")
    }

    private var plain: URL { FrozenFile.root.appending(path: "\(version)/\(name)") }
    private var compressed: URL { FrozenFile.root.appending(path: "\(version)/\(name).gz") }

    var exists: Bool {
        FileManager.default.fileExists(atPath: plain.path) || FileManager.default.fileExists(atPath: compressed.path)
    }

    /// The bytes that were frozen.
    func bytes() throws -> [UInt8] {
        guard FileManager.default.fileExists(atPath: compressed.path) else {
            return Array(try Data(contentsOf: plain))
        }
        return Array(try FrozenFile.gzip(["-dc", compressed.path]))
    }

    func text() throws -> String { String(decoding: try bytes(), as: UTF8.self) }

    /// Writes `bytes` compressed.
    func freeze(_ bytes: [UInt8]) throws {
        try FileManager.default.createDirectory(
            at: plain.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: plain)
        _ = try FrozenFile.gzip(["-9nf", plain.path])
    }

    /// Writes `text` as it is.
    func freeze(text: String) throws {
        try FileManager.default.createDirectory(
            at: plain.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: plain)
    }

    private static func gzip(_ arguments: [String]) throws -> Data {
        let output = Pipe()
        let gzip = try SpawnedProgram(
            ["/usr/bin/gzip"] + arguments, output: output.fileHandleForWriting.fileDescriptor)
        try output.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        guard gzip.awaitEnd() == .exited(0) else { throw FrozenFileError.damaged(arguments.last ?? "") }
        return data
    }
}

enum FrozenFileError: Error {
    /// gzip could not read or write this file.
    case damaged(String)
    /// The written notes or the recording have a line that means nothing.
    case unreadable(line: String)
}
