import Foundation
import Testing

@testable import tapline

@Suite struct DoctorReportTests {
    @Test func `a complete machine lacks nothing`() {
        let report = DoctorReport(on: MadeUpMachine.complete)
        #expect(report.findings.compactMap(\.remedy) == [])
        #expect(report.findings.count == DoctorChecks.all.count)
        #expect(report.simulatorCanRun)
    }

    @Test func `an empty machine lacks everything, and each line says the remedy`() {
        let report = DoctorReport(on: MadeUpMachine())
        // A radio without a switch cannot be off.
        #expect(report.findings.filter { $0.remedy == nil }.map(\.subject) == ["Bluetooth radio", "Bluetooth access"])
        #expect(!report.simulatorCanRun)
    }

    @Test func `the simulator runs without Bluetooth, emulator and terminal`() {
        var machine = MadeUpMachine.complete
        machine.directories = [:]
        machine.terminal = nil
        #expect(DoctorReport(on: machine).simulatorCanRun)
    }

    @Test func `the simulator does not run without its libraries`() {
        var machine = MadeUpMachine.complete
        machine.sqliteVersion = nil
        #expect(!DoctorReport(on: machine).simulatorCanRun)
        machine = .complete
        machine.files["/proc/self/maps"] = "7f00-7f01 r-xp 0000 fe:01 12    /usr/lib/libc.so.6"
        #expect(!DoctorReport(on: machine).simulatorCanRun)
    }

    @Test func `every finding is a line with its mark, and each group begins with what is lacking`() {
        var machine = MadeUpMachine.complete
        machine.sqliteVersion = nil
        let lines = DoctorReport(on: machine).text(marks: .plain).split(separator: "\n")
        #expect(lines.count == DoctorChecks.all.count + Finding.Purpose.allCases.count)
        #expect(lines.filter { $0.hasPrefix("  ok  ") }.count == DoctorChecks.all.count - 1)
        #expect(lines.filter { !$0.hasPrefix(" ") } == ["Simulator", "Display", "Bluetooth"])
        #expect(lines[1].hasPrefix("  BAD  SQLite"))
        #expect(lines[2].hasPrefix("  ok   sockets"))
    }

    @Test func `JSON has a row for every finding`() throws {
        var machine = MadeUpMachine.complete
        machine.terminal = nil
        let json = try JSONEncoder().encode(DoctorReport(on: machine).findings.map(\.object))
        let rows = try #require(try JSONSerialization.jsonObject(with: json) as? [[String: String]])
        #expect(rows.count == DoctorChecks.all.count)
        let terminal = try #require(rows.first { $0["subject"] == "terminal" })
        #expect(terminal["state"] == "lacking")
        #expect(terminal["purpose"] == "display")
        #expect(terminal["remedy"] == "tapline watch  # in a terminal, without a pipe")
        #expect(rows.first { $0["subject"] == "SQLite" }?["remedy"] == nil)
    }
}

@Suite struct HostMachineTests {
    let machine = HostMachine()
    let folder = FileManager.default.temporaryDirectory.appending(path: "tapline-doctor-\(UUID().uuidString)").path

    @Test func `a directory that exists tells its mode`() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        #expect(machine.directory(folder) == .writable(owner: machine.user, mode: 0o700))
        try Data("one\ntwo\n".utf8).write(to: URL(filePath: folder + "/file"))
        #expect(machine.names(in: folder) == ["file"])
        #expect(machine.text(of: folder + "/file") == "one\ntwo")
        #expect(machine.directory(folder + "/file") == .notDirectory)
        #expect(machine.directory(folder + "/a/b") == .absent(nearest: folder, isWritable: true))
    }

    @Test func `what does not exist is not found, and files of the kernel are read to their end`() {
        #expect(machine.text(of: folder) == nil)
        #expect(machine.names(in: folder) == [])
        #expect(machine.variable("NO_VARIABLE_HAS_THIS_NAME") == nil)
        #expect(machine.text(of: "/proc/self/maps")?.isEmpty == false)
    }
}
