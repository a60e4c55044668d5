import Glibc
import HostSystem

/// This program once more, as the process that answers. It ends when this value does.
final class OtherProcess: Sendable {
    /// The number of the descriptor that it is given.
    static let given: CInt = 3

    /// This side of a socket between the two. The other process ends when it is closed.
    let socket: OwnedDescriptor
    /// The directory for a socket with a name.
    let directory: String

    /// Starts it, answering by `way`.
    init(answering way: Way, _ directory: String) throws {
        let (near, far) = try Descriptors.socketPair(SOCK_SEQPACKET)
        defer { close(far) }
        socket = OwnedDescriptor(near)
        self.directory = directory
        process = try ChildProcess(
            ["/proc/self/exe", "--answer", way.rawValue, "--directory", directory], group: .shared,
            descriptors: [(far, OtherProcess.given), (STDERR_FILENO, STDERR_FILENO)])
    }

    private let process: ChildProcess
}
