import Glibc
import SpawnedPrograms
import SystemPackage

/// QEMU's Cortex-M4 with a program, stopped before the first instruction.
///
/// `-singlestep` translates each instruction alone, and its log of `cpu,fpu` has the registers before each translation that it
/// runs. A breakpoint of the debugger stops it before the instruction, which is not printed.
final class Emulator {
    private let program: SpawnedProgram
    var trace: EmulatorTrace
    var debugger: DebuggerLink

    /// The longest that it may take to the next thing that it says, in milliseconds.
    private static let patience: CInt = 120_000

    /// F_SETPIPE_SZ of fcntl(2), which Swift does not see.
    private static let setPipeSize: CInt = 1_031

    /// - Parameter image: an ELF file, or a file whose first byte is that at address 0.
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
        // The most that a user may have: fewer changes from one process to the other. It works without.
        _ = fcntl(pipe[0], Emulator.setPipeSize, CInt(1 << 20))
        let words = [
            "/usr/bin/qemu-system-arm", "-M", "mps2-an386", "-nodefaults", "-no-user-config", "-nic", "none",
            "-nographic", "-monitor", "none", "-serial", "none", "-sandbox", "on,spawn=deny", "-kernel", image,
            "-singlestep", "-D", "/dev/stdout", "-S", "-chardev", "socket,id=debugger,fd=0", "-gdb", "chardev:debugger",
        ]
        let link = FileDescriptor(rawValue: sockets[0])
        do throws(Errno) {
            program = try SpawnedProgram(words, input: sockets[1], output: pipe[1])
            trace = EmulatorTrace(FileDescriptor(rawValue: pipe[0]))
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

    /// What it does next.
    enum Event {
        case stops
        /// It executes an instruction.
        case goesOn
    }

    /// Waits for what it does next.
    func awaitEvent() throws(LockstepError) -> Event {
        let wanted = Int16(POLLIN)
        var ends = [debugger.descriptor, trace.descriptor].map { pollfd(fd: $0.rawValue, events: wanted, revents: 0) }
        while !trace.isRead {
            let count = poll(&ends, 2, debugger.isReplied ? 0 : Emulator.patience)
            if count < 0, errno == EINTR { continue }
            // What it has executed was printed before it stops.
            if ends[1].revents & wanted != 0 { return .goesOn }
            if debugger.isReplied { return .stops }
            guard count > 0 else { throw .emulator("it says nothing any more") }
            // An acknowledgement comes while it goes on.
            try debugger.receive()
        }
        return .goesOn
    }
}
