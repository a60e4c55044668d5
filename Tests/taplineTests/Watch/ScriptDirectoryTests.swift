import Foundation
import Testing

@testable import tapline

@Suite struct ScriptDirectoryTests {
    private func directory(_ names: [String]) throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/tapline-scripts-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for name in names { try Data().write(to: URL(filePath: "\(path)/\(name)")) }
        return path
    }

    @Test func `scripts are in the order of their names, and other files are none`() throws {
        let path = try directory([
            "b.tapline", "a.script", "B.script", "part", ".hidden.script", "c.script~", "list.png",
        ])
        defer { try? FileManager.default.removeItem(atPath: path) }
        let found = try ScriptDirectory(path: path)
        #expect(found.names == ["B.script", "a.script", "b.tapline"])
        #expect(found.path(of: "a.script") == "\(path)/a.script")
        #expect(try ScriptDirectory(path: path + "/").path(of: "a.script") == "\(path)/a.script")
    }

    @Test func `a directory without scripts, and none, are errors of one line`() throws {
        let path = try directory(["part"])
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: ScriptFileError.noScripts(directory: path)) { try ScriptDirectory(path: path) }
        #expect(throws: ScriptFileError.unreadableDirectory(path: "\(path)/no", reason: "No such file or directory")) {
            try ScriptDirectory(path: "\(path)/no")
        }
        #expect(throws: ScriptFileError.unreadableDirectory(path: "\(path)/part", reason: "Not a directory")) {
            try ScriptDirectory(path: "\(path)/part")
        }
    }
}
