import Testing

@testable import Emulator

struct DebuggedRunTests {
    private struct Bench {
        var run = DebuggedRun()
        var machine: Machine

        init() throws {
            var program = RegisterProgram()
            program.write(0x1234_5678, to: RegisterProgram.ram + 0x40)
            program.write(0x9ABC_DEF0, to: RegisterProgram.ram + 0x44)
            machine = try program.machine
        }

        /// Sends a packet of the GDB remote protocol. Returns all that comes back: the acknowledgement, and the answer
        /// with its checksum.
        mutating func send(_ packet: String) -> String {
            let sum = packet.utf8.reduce(0) { ($0 + Int($1)) & 0xFF }
            let digits = String(sum, radix: 16)
            let bytes = Array("$\(packet)#\(digits.count == 1 ? "0" : "")\(digits)".utf8)
            return String(decoding: run.receive(bytes, &machine).reply, as: UTF8.self)
        }

        mutating func go() -> String {
            String(decoding: run.run(&machine, until: machine.now + 64_000).reply, as: UTF8.self)
        }
    }

    @Test
    func `A debugger reads registers and memory, and a packet with a wrong sum is asked for again`() throws {
        var bench = try Bench()
        // The program counter, lowest byte first.
        #expect(bench.send("pf") == "+$00020000#82")
        #expect(bench.send("m0,8") == "+$0000012001020000#06")
        #expect(bench.send("mf0000000,4") == "+$E01#a6")
        let wrong = bench.run.receive(Array("$pf#00".utf8), &bench.machine)
        #expect(wrong.reply == Array("-".utf8))
    }

    @Test
    func `A breakpoint, a step and a watchpoint stop the machine`() throws {
        var bench = try Bench()
        #expect(bench.send("Z0,20c,2") == "+$OK#9a")
        #expect(bench.send("c") == "+")
        #expect(bench.go() == "$S05#b8")
        #expect(bench.machine.register(15) == 0x20C)
        #expect(bench.send("s") == "+$S05#b8")
        #expect(bench.machine.register(15) == 0x20E)
        #expect(bench.machine.bytes(at: 0x2000_0040, count: 4) == [0x78, 0x56, 0x34, 0x12])
        #expect(bench.send("z0,20c,2") == "+$OK#9a")
        #expect(bench.send("Z2,20000044,4") == "+$OK#9a")
        #expect(bench.send("vCont;c") == "+")
        #expect(bench.go().hasPrefix("$T05watch:20000044;#"))
        // The word is already stored, because GDB looks for a changed value.
        #expect(bench.machine.bytes(at: 0x2000_0044, count: 4) == [0xF0, 0xDE, 0xBC, 0x9A])
    }

    @Test
    func `A running machine is interrupted by Ctrl-C, and goes on without a debugger`() throws {
        var bench = try Bench()
        _ = bench.send("c")
        #expect(bench.go().isEmpty)
        let (reply, _) = bench.run.receive([3], &bench.machine)
        #expect(reply == Array("$S02#b5".utf8))
        #expect(!bench.run.isRunning)
        #expect(bench.send("D") == "+$OK#9a")
        #expect(bench.run.isRunning)
    }

    @Test
    func `What a program prints through RTT is read as it is written`() throws {
        var bench = try Bench()
        var console = TransferConsole()
        #expect(console.take(from: &bench.machine).isEmpty)
        let start: UInt32 = 0x2000_1000
        func words(_ words: [UInt32]) -> [UInt8] {
            words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
        }
        // One up-buffer of 8 bytes at 0x20001080. Its text wraps around the end.
        let block = Array("SEGGER RTT".utf8) + [0, 0, 0, 0, 0, 0] + words([1, 0, 0, 0x2000_1080, 8, 2, 6, 0])
        _ = bench.machine.write(block, at: start)
        _ = bench.machine.write(Array("lo....He".utf8), at: 0x2000_1080)
        _ = bench.machine.run(until: 10_000_000)
        #expect(console.take(from: &bench.machine) == Array("Helo".utf8))
        #expect(console.take(from: &bench.machine).isEmpty)
        #expect(bench.machine.bytes(at: start + 24 + 16, count: 4) == [2, 0, 0, 0])
    }
}
