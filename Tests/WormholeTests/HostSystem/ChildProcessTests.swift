import Foundation
import Glibc
import SystemPackage
import Testing

@testable import HostSystem

@Suite(.timeLimit(.minutes(60))) struct ChildProcessTests {
    private func run(_ script: String, _ group: ChildProcess.Group) throws -> (output: String, end: ChildProcess.End) {
        let (reading, writing) = try Descriptors.pipe()
        defer { close(reading) }
        var process: ChildProcess
        do {
            defer { close(writing) }
            process = try ChildProcess(["sh", "-c", script], group: group, descriptors: [(writing, 1), (writing, 2)])
        }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(reading, &buffer, buffer.count), count > 0 { output += buffer[..<count] }
        return (String(decoding: output, as: UTF8.self), process.awaitEnd())
    }

    @Test(arguments: [ChildProcess.Group.own, .shared]) func `an exit status is reported`(
        _ group: ChildProcess.Group
    ) throws {
        let (output, end) = try run("echo out; echo err >&2; read -r line || exit 7", group)
        #expect(output == "out\nerr\n")
        #expect(end == .exited(status: 7))
    }

    @Test(arguments: [ChildProcess.Group.own, .shared]) func `a signal is reported`(
        _ group: ChildProcess.Group
    ) throws {
        #expect(try run("kill -KILL $$", group).end == .killed(signal: SIGKILL))
    }

    @Test func `a group of its own is led by it, a shared one is not`() throws {
        let question = "set -- $(cat /proc/$$/stat); test $5 = $$"
        #expect(try run(question, .own).end == .exited(status: 0))
        #expect(try run(question, .shared).end == .exited(status: 1))
    }

    @Test func `it gets the descriptors that it is given, under their numbers`() throws {
        let (ours, theirs) = try Descriptors.socketPair(SOCK_STREAM)
        defer { close(ours) }
        var process: ChildProcess
        do {
            defer { close(theirs) }
            process = try ChildProcess(["sh", "-c", "cat <&3 >&3"], group: .own, descriptors: [(theirs, 3)])
        }
        #expect(write(ours, "abc", 3) == 3)
        shutdown(ours, CInt(SHUT_WR))
        var heard: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        while case let count = read(ours, &buffer, buffer.count), count > 0 { heard += buffer[..<count] }
        #expect(heard == Array("abc".utf8))
        #expect(process.awaitEnd() == .exited(status: 0))
    }

    @Test func `a program that is not there cannot be started`() throws {
        #expect(throws: HostSystemError("no-such-program", .noSuchFileOrDirectory)) {
            _ = try ChildProcess(["no-such-program"], group: .own, descriptors: [])
        }
    }
}

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
