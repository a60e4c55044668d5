import Glibc
import HostSystem

/// This program once more, as the process that answers. It ends when this value does.
final class OtherProcess: Sendable {
    /// The number of the descriptor that it is given.
    static let given: CInt = 3

    /// This side of a socket between the two. The other process ends when it is closed.
    let socket: OwnedDescriptor
    /// A directory of its own, for a socket with a name.
    let directory: TemporaryDirectory

    private let process: ChildProcess

    /// Starts it, answering by `way` on a core.
    init(answering way: Way, on core: Int) throws {
        let (near, far) = try Descriptors.socketPair(SOCK_SEQPACKET)
        defer { close(far) }
        socket = OwnedDescriptor(near)
        directory = try TemporaryDirectory()
        process = try ChildProcess(
            [
                "/proc/self/exe", "--answer", way.rawValue, "--directory", directory.path, "--core", "\(core)",
            ], group: .shared,
            descriptors: [(far, OtherProcess.given), (STDERR_FILENO, STDERR_FILENO)])
    }
}
