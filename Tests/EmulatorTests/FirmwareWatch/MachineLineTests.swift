import Glibc
import HostSystem
import Testing

@testable import FirmwareWatch

struct MachineLineTests {
    @Test func `a machine that reads nothing makes a megabyte wait at most`() throws {
        var other = CInt(-1)
        var line = try MachineLine(.both, other: &other)
        defer { close(other) }
        let bytes = [UInt8](repeating: 7, count: 10_000)
        for _ in 0..<1_000 { line.send(bytes) }
        let waiting = line.unsent.count
        #expect(waiting > 0 && waiting <= MachineLine.mostUnsent)
    }

    @Test func `a machine that never stops is heard a megabyte at a time`() throws {
        var other = CInt(-1)
        var line = try MachineLine(.both, other: &other)
        let writer = CInt(other)
        let thread = try SystemThread {
            let bytes = [UInt8](repeating: 7, count: 65_536)
            while send(writer, bytes, bytes.count, CInt(MSG_NOSIGNAL)) > 0 {}
            close(writer)
        }
        var most = 0
        for _ in 0..<64 {
            var watched = [line.interest].compactMap { $0 }
            PolledDescriptor.wait(for: &watched, microseconds: 60_000_000)
            most = max(most, line.hear().count)
        }
        #expect(most > 0 && most <= MachineLine.mostHeard)
        _ = consume line
        thread.join()
    }
}
