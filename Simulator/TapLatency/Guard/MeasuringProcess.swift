import Glibc
import HostSystem

/// A child process that measures: a copy of this one, which ends by itself, by a trap, or when it is killed.
///
/// The copy has one thread. The memory allocator and the standard streams free their locks in the copy; a lock of the
/// Swift runtime that another thread held at the moment of the copy stays locked. The copy can do nothing about that,
/// so its parent kills a process that sleeps where nothing sleeps, or computes where nothing does for long, and starts it
/// anew.
///
/// The copy is killed when the thread that started it ends, so it never outlives its parent.
struct MeasuringProcess {
    /// What the process did between two checks.
    enum Activity {
        /// It computed, or would have if the processor had been free.
        case computing
        /// It slept.
        case sleeping
    }

    private let id: pid_t
    /// The end of a pipe from which the result is read.
    private let results: CInt
    private(set) var received: [UInt8] = []

    /// Starts a process that sends what `body` returns.
    ///
    /// - Throws: `.board` when the system has no process or descriptor left.
    init(_ progress: StageProgress, _ body: () -> [UInt8]) throws(TapLatencyError) {
        guard let ends = try? Descriptors.pipe() else {
            throw .board("there is no descriptor for a measuring process")
        }
        // Otherwise both processes would write what is in the buffer.
        SystemCalls.flushOutput()
        // What a child needs first is initialised here, where no lock can be left behind.
        _ = StageProgress.current
        let parent = getpid()
        id = SystemCalls.fork()
        if id == 0 { MeasuringProcess.live(of: parent, writingTo: ends.writing, progress, body) }
        close(ends.writing)
        results = ends.reading
        guard id > 0 else {
            close(results)
            throw .board("no measuring process can be started")
        }
    }

    /// Kills the process if it still runs, and frees what it held.
    func end() {
        kill(id, SIGKILL)
        while waitpid(id, nil, 0) == -1, errno == EINTR {}
        close(results)
    }

    // MARK: Watching

    /// What became of waiting for the result.
    enum Arrival {
        /// Nothing more came within the time.
        case pending
        /// All of the result is in `received`.
        case complete
        /// The process has ended before.
        case ended
    }

    /// Waits for more of the result, at most `milliseconds`.
    mutating func receive(milliseconds: CInt) -> Arrival {
        var waiting = [PolledDescriptor(results, .readable)]
        PolledDescriptor.wait(for: &waiting, microseconds: UInt64(milliseconds) * 1_000)
        guard waiting[0].isReady else { return .pending }
        let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64 << 10) { chunk in
            let count = read(results, chunk.baseAddress, chunk.count)
            if count > 0 { received += chunk.prefix(count) }
            return count
        }
        if count == 0 || (count < 0 && errno != EINTR) { return .ended }
        guard let length = ResultLength(received) else { return .pending }
        guard received.count == ResultLength.size + length.count else { return .pending }
        received.removeFirst(ResultLength.size)
        return .complete
    }

    /// The processor time that the process has taken, in seconds.
    var processorTime: Double {
        var clock = clockid_t()
        guard clock_getcpuclockid(id, &clock) == 0 else { return 0 }
        return SystemCalls.seconds(of: clock)
    }

    /// What the process is doing now.
    var activity: Activity {
        guard let file = try? Descriptors.open("/proc/\(id)/stat", O_RDONLY) else { return .computing }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 256)
        let count = read(file, &text, text.count)
        // "12 (name) S 1 ...": a name may hold anything.
        guard count > 0, let name = text[..<count].lastIndex(of: UInt8(ascii: ")")), name + 2 < count else {
            return .computing
        }
        return text[name + 2] == UInt8(ascii: "S") ? .sleeping : .computing
    }
}

// MARK: In the child

extension MeasuringProcess {
    private static func live(
        of parent: pid_t, writingTo results: CInt, _ progress: StageProgress, _ body: () -> [UInt8]
    ) -> Never {
        SystemCalls.dieWithParent()
        // It may have ended before that.
        guard getppid() == parent else { _exit(1) }
        beAlone(with: results)
        beQuiet()
        progress.becomeCurrent()
        let result = body()
        SystemCalls.flushOutput()
        send(ResultLength(count: result.count).bytes + result)
        _exit(0)
    }

    /// The descriptor that the child writes its result to.
    private static let resultDescriptor: CInt = 3

    /// Closes the parent's descriptors: their peers could not see the parent close them while a child still has them.
    private static func beAlone(with results: CInt) {
        if results != resultDescriptor { dup2(results, resultDescriptor) }
        SystemCalls.closeAll(from: resultDescriptor + 1)
    }

    /// Has a trap end the child without a message, a core file or a debugger: its parent reports it.
    private static func beQuiet() {
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] { Glibc.signal(signal, SIG_DFL) }
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        var size = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &size)
        let nowhere = open("/dev/null", O_WRONLY)
        if nowhere >= 0, nowhere != STDERR_FILENO {
            dup2(nowhere, STDERR_FILENO)
            close(nowhere)
        }
    }

    private static func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(resultDescriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
        }
    }
}

/// The length of a result, which is sent before it: a result that was cut off is none.
private struct ResultLength {
    static let size = MemoryLayout<UInt64>.size

    let count: Int

    init(count: Int) { self.count = count }

    /// The length at the start of `received`; nil where not all of it is there.
    init?(_ received: [UInt8]) {
        guard received.count >= ResultLength.size else { return nil }
        count = received.prefix(ResultLength.size).reduce(0) { $0 << 8 | Int($1) }
    }

    var bytes: [UInt8] { (0..<ResultLength.size).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) } }
}
