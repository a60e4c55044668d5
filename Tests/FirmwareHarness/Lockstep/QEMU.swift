import Emulator
import Glibc
import SystemPackage
import TestSupport

/// A QEMU process that runs a program on a Cortex-M4. It starts stopped, before the first instruction.
///
/// With `-singlestep`, QEMU translates each instruction alone. The log of `cpu,fpu` contains the registers before each
/// translation. At a breakpoint of the debugger, QEMU stops before the instruction, and logs nothing.
final class QEMU {
    private let program: SpawnedProgram
    var trace: QEMUTrace
    var debugger: DebuggerLink

    /// The maximum time to wait for QEMU's next event, in milliseconds.
    private static let patience: CInt = 120_000

    /// F_SETPIPE_SZ of fcntl(2), which Swift does not import.
    private static let setPipeSize: CInt = 1_031

    /// - Parameter image: the path of an ELF file, or of a file with the contents of memory from address 0.
    init(image: String) throws(LockstepError) {
        var (pipe, sockets): ([CInt], [CInt]) = ([0, 0], [0, 0])
        guard Glibc.pipe(&pipe) == 0 else { throw .emulator("there is no pipe for it") }
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &sockets) == 0 else {
            for end in pipe { close(end) }
            throw .emulator("there is no socket for it")
        }
        defer {
            close(pipe[1])
            close(sockets[1])
        }
        // 1 MiB is the maximum for an ordinary user. A large pipe needs fewer switches between the processes. If this
        // call fails, the smaller pipe works too.
        _ = fcntl(pipe[0], QEMU.setPipeSize, CInt(1 << 20))
        let words = [
            "/usr/bin/qemu-system-arm", "-M", "mps2-an386", "-nodefaults", "-no-user-config", "-nic", "none",
            "-nographic", "-monitor", "none", "-serial", "none", "-sandbox", "on,spawn=deny", "-kernel", image,
            "-singlestep", "-D", "/dev/stdout", "-S", "-chardev", "socket,id=debugger,fd=0", "-gdb", "chardev:debugger",
        ]
        let link = FileDescriptor(rawValue: sockets[0])
        do throws(Errno) {
            program = try SpawnedProgram(words, input: sockets[1], output: pipe[1])
            trace = QEMUTrace(FileDescriptor(rawValue: pipe[0]))
            debugger = DebuggerLink(link)
        } catch {
            close(pipe[0])
            close(sockets[0])
            throw .emulator("it does not start: \(error)")
        }
    }

    deinit {
        close(trace.descriptor.rawValue)
        close(debugger.descriptor.rawValue)
    }

    enum Event {
        case stops
        case goesOn
    }

    func awaitEvent() throws(LockstepError) -> Event {
        let wanted = Int16(POLLIN)
        var ends = [debugger.descriptor, trace.descriptor].map { pollfd(fd: $0.rawValue, events: wanted, revents: 0) }
        while !trace.isRead {
            let count = poll(&ends, 2, debugger.isReplied ? 0 : QEMU.patience)
            if count < 0, errno == EINTR { continue }
            // QEMU logs the executed instructions before it reports a stop.
            if ends[1].revents & wanted != 0 { return .goesOn }
            if debugger.isReplied { return .stops }
            guard count > 0 else { throw .emulator("it says nothing any more") }
            // QEMU may acknowledge a command while the program runs.
            try debugger.receive()
        }
        return .goesOn
    }
}

/// Reads QEMU's log. Before each instruction, QEMU logs the registers.
struct QEMUTrace {
    let descriptor: FileDescriptor
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    /// The range of `buffer` that was read from the pipe and not used yet.
    private var rest = 0..<0

    /// - Parameter descriptor: the reading end of a pipe, which the caller closes.
    init(_ descriptor: FileDescriptor) {
        self.descriptor = descriptor
    }

    var isRead: Bool { !rest.isEmpty }

    /// Returns the next registers in the log. Waits until QEMU has logged them.
    mutating func next() throws(LockstepError) -> ProgramRegisters {
        var registers = ProgramRegisters()
        var (core, float) = (0, 0)
        while true {
            let line = try line()
            // The lines are R00=01234567 R01=... with four registers; XPSR=01234567 ...; s00=01234567 s01=01234567
            // d00=...; FPSCR: 01234567.
            switch buffer[line.lowerBound] {
            case UInt8(ascii: "R") where core <= 12 && line.count >= 51:
                for place in 0..<4 { registers.core[core + place] = try number(line.lowerBound + 4 + 13 * place) }
                core += 4
            case UInt8(ascii: "X") where line.count >= 13:
                registers.status = try number(line.lowerBound + 5)
            case UInt8(ascii: "s") where float <= 30 && line.count >= 25:
                for place in 0..<2 { registers.numbers[float + place] = try number(line.lowerBound + 4 + 13 * place) }
                float += 2
            case UInt8(ascii: "F") where core == 16 && float == 32 && line.count >= 15:
                registers.floatStatus = try number(line.lowerBound + 7)
                return registers
            case _: throw malformed(line)
            }
        }
    }

    private func number(_ place: Int) throws(LockstepError) -> UInt32 {
        var value: UInt32 = 0
        for index in place..<place + 8 {
            guard let digit = HexadecimalText.digit(buffer[index]) else { throw malformed(place..<place + 8) }
            value = value &<< 4 | digit
        }
        return value
    }

    private func malformed(_ line: Range<Int>) -> LockstepError {
        .emulator("it prints \(String(decoding: buffer[line], as: UTF8.self))")
    }

    /// Waits for the next line. Returns its range in `buffer`, without the newline.
    private mutating func line() throws(LockstepError) -> Range<Int> {
        var place = rest.lowerBound
        while true {
            while place < rest.upperBound {
                if buffer[place] == 10 {
                    let line = rest.lowerBound..<place
                    rest = place + 1..<rest.upperBound
                    return line
                }
                place += 1
            }
            let taken = place - rest.lowerBound
            try readMore()
            place = rest.lowerBound + taken
        }
    }

    private mutating func readMore() throws(LockstepError) {
        // Moves the rest to the beginning, to make room.
        for place in 0..<rest.count { buffer[place] = buffer[rest.lowerBound + place] }
        rest = 0..<rest.count
        let (descriptor, end) = (descriptor, rest.upperBound)
        do {
            let count = try buffer.withUnsafeMutableBytes {
                try descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[end...]))
            }
            guard count > 0 else { throw LockstepError.emulator("it has ended") }
            rest = 0..<end + count
        } catch let error as LockstepError {
            throw error
        } catch {
            throw .emulator("its trace: \(error)")
        }
    }
}
