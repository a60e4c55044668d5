import Glibc
import HostSystem
import Testing

@testable import FirmwareWatch

struct ChildProcessTests {
    /// Starts a shell with a script, and returns what it printed and how it ended.
    private func run(_ script: String) throws -> (output: String, end: MachineEnd) {
        var other = CInt(-1)
        var line = try MachineLine(.both, other: &other)
        var process = try ChildProcess(["sh", "-c", script], output: other, descriptors: [])
        close(other)
        var output: [UInt8] = []
        while !line.hasEnded {
            var watched = [line.interest].compactMap { $0 }
            PolledDescriptor.wait(for: &watched, microseconds: 60_000_000)
            output += line.hear()
        }
        return (String(decoding: output, as: UTF8.self), process.awaitEnd())
    }

    @Test func `an exit status is reported`() throws {
        let (output, end) = try run("echo out; echo err >&2; exit 7")
        #expect(output == "out\nerr\n")
        #expect(end == .exited(status: 7))
        #expect("\(end)" == "the firmware's machine ended with status 7")
    }

    @Test func `a signal is reported`() throws {
        let (_, end) = try run("kill -KILL $$")
        #expect(end == .killed(signal: SIGKILL))
        #expect("\(end)" == "the firmware's machine was ended by signal 9")
    }

    @Test func `it gets the descriptors that it is given, under their numbers`() throws {
        var other = CInt(-1)
        var line = try MachineLine(.both, other: &other)
        var output = CInt(-1)
        let messages = try MachineLine(.both, other: &output)
        var process = try ChildProcess(["sh", "-c", "cat <&3 >&3"], output: output, descriptors: [(other, 3)])
        close(other)
        close(output)
        line.send([1, 2, 0])
        var heard: [UInt8] = []
        while heard.count < 3, !line.hasEnded {
            var watched = [line.interest].compactMap { $0 }
            PolledDescriptor.wait(for: &watched, microseconds: 60_000_000)
            heard += line.hear()
        }
        #expect(heard == [1, 2, 0])
        let isRunning = !messages.hasEnded
        #expect(isRunning)
        _ = consume line
        #expect(process.awaitEnd() == .exited(status: 0))
    }

    @Test func `a program that is not there cannot be started`() throws {
        #expect(throws: FirmwareError.systemCall("no-such-program", errno: ENOENT)) {
            _ = try ChildProcess(["no-such-program"], output: 1, descriptors: [])
        }
    }
}
