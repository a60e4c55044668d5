import Foundation
import Testing

@testable import tapline

@Suite struct HostMachineTests {
    let machine = HostMachine()
    let folder = FileManager.default.temporaryDirectory.appending(path: "tapline-doctor-\(UUID().uuidString)").path

    @Test func directoryThatIsThereTellsItsMode() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        #expect(machine.directory(folder) == .writable(owner: machine.user, mode: 0o700))
        try Data("one\ntwo\n".utf8).write(to: URL(filePath: folder + "/file"))
        #expect(machine.names(in: folder) == ["file"])
        #expect(machine.text(of: folder + "/file") == "one\ntwo")
        #expect(machine.directory(folder + "/file") == .notDirectory)
        #expect(machine.directory(folder + "/a/b") == .absent(nearest: folder, .writable))
    }

    @Test func whatIsNotThereIsNotFound() {
        #expect(machine.text(of: folder) == nil)
        #expect(machine.names(in: folder) == [])
        #expect(machine.command("no-command-has-this-name") == nil)
        #expect(machine.variable("NO_VARIABLE_HAS_THIS_NAME") == nil)
    }

    @Test func filesOfTheKernelAreReadToTheirEnd() {
        #expect(machine.text(of: "/proc/self/maps")?.isEmpty == false)
        #expect(machine.command("sh")?.hasSuffix("/sh") == true)
    }
}
