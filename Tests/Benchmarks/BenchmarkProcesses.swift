import ArgumentParser
import Foundation
import Glibc
import HostSystem
import Logging
import TestSupport
import WatchLink
import Wormhole
import WormholeTesting

/// A second process that runs this program, at the other end of a measurement. It ends when this value is released.
final class OtherProcess: Sendable {
    /// The number of the socket's descriptor in the other process.
    static let given: CInt = 3

    /// This process's end of the socket between the two processes. The other process ends when this end is closed.
    let socket: OwnedDescriptor
    /// A temporary directory for the sockets and files of both processes.
    let directory: TemporaryDirectory

    private let process: ChildProcess

    init(doing part: Part, on core: Int, in place: String = "/tmp", count: Int = 1) throws {
        let (near, far) = try Descriptors.socketPair(SOCK_SEQPACKET)
        defer { close(far) }
        socket = OwnedDescriptor(near)
        directory = TemporaryDirectory(in: place)
        process = try ChildProcess(
            [
                "/proc/self/exe", "answer", part.rawValue, "--directory", directory.path, "--core", "\(core)",
                "--count",
                "\(count)",
            ], group: .shared,
            descriptors: [(far, OtherProcess.given), (STDERR_FILENO, STDERR_FILENO)])
    }

    /// Sends two numbers to the measuring process. Only the other process calls this.
    static func report(_ first: UInt64, _ second: UInt64 = 0) {
        var pair = (first, second)
        _ = send(given, &pair, MemoryLayout.size(ofValue: pair), CInt(MSG_NOSIGNAL))
    }

    /// Waits for the next `count` pairs that the other process reports.
    ///
    /// - Parameter key: the first number of the wanted pairs. All other pairs are ignored. Nil means that every pair is
    ///   wanted.
    func reports(_ count: Int, of key: UInt64? = nil) async throws -> [(UInt64, UInt64)] {
        let pairs = try await SystemThread.result { [self] in
            var pairs: [(UInt64, UInt64)] = []
            while pairs.count < count, let socket = socket.number {
                var pair: (UInt64, UInt64) = (0, 0)
                let size = MemoryLayout.size(ofValue: pair)
                guard recv(socket, &pair, size, 0) == size else { break }
                if key == nil || key == pair.0 { pairs.append(pair) }
            }
            return pairs
        }
        guard pairs.count == count else { throw OtherProcessHasGone() }
        return pairs
    }

    static func waitForEnd() async throws {
        try await SystemThread.result {
            var byte: UInt8 = 0
            _ = recv(given, &byte, 1, 0)
        }
    }
}

struct Answer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Is the process at the other end.", shouldDisplay: false)

    @Argument(help: "What it does.")
    var part: Part

    @Option(help: "The directory of its socket.")
    var directory: String

    @Option(help: "The core to run on.")
    var core: Int

    @Option(help: "How many of what it does.")
    var count = 1

    func run() async throws {
        try Cores.keep(on: core)
        try await part.answerer(count).serve(in: directory)
    }
}

/// What the other process does, as an argument of its command line.
enum Part: String, ExpressibleByArgument {
    case rawAnswers, transportAnswers, answers
    case hearsQueue, keepsQueue
    case takesBytes, takesFile, receivesFile
    case queuesMessages, manyWatches, hearsRelays, twoWatches

    /// - Parameter count: the number of messages, watches, relayed values or check-offs.
    func answerer(_ count: Int) -> any Answerer {
        switch self {
        case .rawAnswers: RawAnswerer()
        case .transportAnswers: TransportAnswerer()
        case .answers: BridgeAnswerer()
        case .hearsQueue: QueueReceiver.heard
        case .keepsQueue: QueueReceiver.kept
        case .takesBytes: RawFileReceiver(target: .memory)
        case .takesFile: RawFileReceiver(target: .disk)
        case .receivesFile: BridgeFileReceiver()
        case .queuesMessages: OutstandingQueue(count: count)
        case .manyWatches: ManyWatches(count: count)
        case .hearsRelays: RelayListener(count: count)
        case .twoWatches: CheckOffWatches(count: count)
        }
    }
}

protocol Answerer: Sendable {
    /// Runs until the measuring process ends or closes the socket.
    ///
    /// - Parameter directory: the temporary directory of this measurement's `OtherProcess`.
    func serve(in directory: String) async throws
}

struct OtherProcessHasGone: Error {}

/// The cores on which the two processes run. If the system chose, the processes would share a core in some turns and not in
/// others. A thread takes three to four times as long to wake a thread on another core.
enum Cores: CaseIterable {
    /// Both on one core. The result shows the work of the processor.
    case shared
    /// Each on its own core. The result mostly shows how long it takes to wake threads on another core.
    case separate

    static var possible: [Cores] { allCases.filter { $0.other < sysconf(CInt(_SC_NPROCESSORS_ONLN)) } }

    static let own = 0

    var other: Int {
        switch self {
        case .shared: 0
        case .separate: 1
        }
    }

    var title: String {
        switch self {
        case .shared: "both processes on one core"
        case .separate: "a core for each process"
        }
    }

    /// Binds every thread of this process to a core. Threads that start later inherit the binding.
    static func keep(on core: Int) throws {
        // The C library declares sched_setaffinity(2) only for GNU sources, so the symbol is looked up by name.
        typealias SetAffinity = @convention(c) (pid_t, Int, UnsafeRawPointer) -> CInt
        guard let symbol = dlsym(nil, "sched_setaffinity") else { throw POSIXError(.ENOSYS) }
        // The symbol is the C function whose type SetAffinity repeats.
        let setAffinity = unsafeBitCast(symbol, to: SetAffinity.self)
        var mask = UInt64(1) << UInt64(core)
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap(pid_t.init) {
            // A thread may have ended since it was listed.
            guard setAffinity(thread, MemoryLayout.size(ofValue: mask), &mask) == 0 || errno == ESRCH else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL)
            }
        }
    }
}

enum Usage {
    /// Resident memory (proc(5), statm). It includes freed memory that the allocator keeps.
    static var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
            * Int(sysconf(CInt(_SC_PAGESIZE)))
    }

    static var processorMicroseconds: Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + $1.tv_sec * 1_000_000 + Int($1.tv_usec) }
    }
}

func steadyNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

extension Wormhole {
    private static let socket = "phone"

    static func quiet(
        _ source: ChannelSource, as role: LinkRole, store: MessageStore = .inMemory()
    ) -> Wormhole {
        Wormhole(source, store: store, configuration: WormholeConfiguration(role: role), logger: .silent)
    }

    /// Starts the phone in this process, and waits until the watch in the other process has connected.
    static func phone(
        of other: OtherProcess, store: MessageStore = .inMemory()
    ) async throws -> (phone: Wormhole, watch: PeerIdentity) {
        let directory = try SocketDirectory(path: other.directory.path)
        let phone = quiet(.listens(try UnixListener(socket, in: directory)), as: .phone, store: store)
        try await phone.start()
        return (phone, try await phone.firstPeer())
    }

    static func watch(in directory: String, store: MessageStore = .inMemory()) throws -> Wormhole {
        let path = try SocketDirectory(path: directory).path(of: socket)
        return quiet(.connects(UnixConnector(path: path)), as: .watch, store: store)
    }

    func firstPeer() async throws -> PeerIdentity {
        for await change in reachabilityChanges() where change.reachability.isReachable { return change.peer }
        throw OtherProcessHasGone()
    }
}

extension Logger {
    static let silent = Logger(label: "benchmark", factory: { _ in SwiftLogNoOpLogHandler() })
}

enum Console {
    static func complain(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
