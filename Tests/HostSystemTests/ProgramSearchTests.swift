import Foundation
import Testing

@testable import HostSystem

@Suite struct ProgramSearchTests {
    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data("#!/bin/sh\n".utf8).write(to: directory.appendingPathComponent("script"))
    }

    private func fault(_ name: String, in directories: String? = nil) -> ProgramSearch.Fault? {
        do throws(ProgramSearch.Fault) { try ProgramSearch.check(name, in: directories) } catch { return error }
        return nil
    }

    private func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    private func makeExecutable() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path("script"))
    }

    @Test func `what has a slash is a path`() throws {
        #expect(fault("/bin/sh") == nil)
        #expect(fault(path("missing")) == .missing)
        #expect(fault(path("script")) == .notExecutable)
        #expect(fault("/bin/") == .notExecutable, "a directory")
        try makeExecutable()
        #expect(fault(path("script")) == nil)
    }

    @Test func `anything else is looked for in PATH`() throws {
        #expect(fault("sh") == nil)
        #expect(fault("sh", in: "/nowhere:/bin") == nil)
        #expect(fault("sh", in: "/nowhere") == .notInPath)
        #expect(fault("", in: "/bin") == .notInPath)
        #expect(fault("script", in: directory.path) == .notInPath, "it may not be executed")
        try makeExecutable()
        #expect(fault("script", in: directory.path) == nil)
        #expect(fault("bin", in: "/") == .notInPath, "a directory")
    }
}
