import Testing

@testable import Emulator

struct SemihostingTests {
    /// The operations are SYS_OPEN, SYS_WRITE, SYS_READ, SYS_REMOVE, SYS_RENAME and SYS_SYSTEM (Arm semihosting
    /// specification 2.0).
    @Test(arguments: [0x01, 0x05, 0x06, 0x0E, 0x0F, 0x12] as [UInt32])
    func `a program opens, writes, reads and removes no file of the host and runs no command`(operation: UInt32) {
        var bench = CoreBench([0xBEAB])
        bench.core.registers[0] = operation
        #expect(Semihosting.call(bench.core) == .other)
    }
}
