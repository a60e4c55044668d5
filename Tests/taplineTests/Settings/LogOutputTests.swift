import Glibc
import Testing

@testable import tapline

@Suite struct LogOutputTests {
    @Test func `lines without room are left out and counted, and the others are whole`() throws {
        let pipe = try UnreadPipe()
        let log = LogOutput(pipe.writing)
        for number in 0..<3 { log.write("lost \(number)\n") }
        #expect(pipe.drain().allSatisfy { $0 == "." })
        log.write("first\n")
        log.write("second\n")
        #expect(pipe.drain() == "tapline: the log was not read, and lacks this many lines here: 3\nfirst\nsecond\n")
    }

    @Test func `a line of any length does not wait for the reader`() throws {
        let pipe = try UnreadPipe()
        _ = pipe.drain()
        let log = LogOutput(pipe.writing)
        log.write(String(repeating: "x", count: 1 << 20) + "\n")
        #expect(pipe.drain().count == 1 << 16, "as much as the pipe holds")
        log.write("next\n")
        #expect(pipe.drain() == "tapline: the log was not read, and lacks this many lines here: 1\nnext\n")
    }

    @Test func `a terminal that has stopped does not keep a line waiting`() throws {
        var (master, terminal) = (CInt(-1), CInt(-1))
        try #require(openpty(&master, &terminal, nil, nil, nil) == 0)
        defer {
            close(master)
            close(terminal)
        }
        let log = LogOutput(terminal)
        // More than the terminal and whoever shows it have room for.
        for number in 0..<10_000 { log.write("line \(number) of many that nobody reads\n") }
        #expect(fcntl(terminal, F_GETFL) & O_NONBLOCK == 0, "the terminal of others is as it was")
    }
}
