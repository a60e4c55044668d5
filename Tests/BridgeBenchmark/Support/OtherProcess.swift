import Glibc
import HostSystem

/// This program once more, as the process at the other end. It ends when this value does.
final class OtherProcess: Sendable {
    /// The number of the descriptor that it is given.
    static let given: CInt = 3

    /// This side of a socket between the two. The other process ends when it is closed.
    let socket: OwnedDescriptor
    /// A directory of its own, for a socket with a name.
    let directory: TemporaryDirectory

    private let process: ChildProcess

    /// Starts it on a core, with a directory in a place.
    init(doing part: Part, on core: Int, in place: String = "/tmp", count: Int = 1) throws {
        let (near, far) = try Descriptors.socketPair(SOCK_SEQPACKET)
        defer { close(far) }
        socket = OwnedDescriptor(near)
        directory = try TemporaryDirectory(in: place)
        process = try ChildProcess(
            [
                "/proc/self/exe", "answer", part.text, "--directory", directory.path, "--core", "\(core)", "--count",
                "\(count)",
            ], group: .shared,
            descriptors: [(far, OtherProcess.given), (STDERR_FILENO, STDERR_FILENO)])
    }

    /// Tells the process that measures a pair of numbers, from the other process.
    static func report(_ first: UInt64, _ second: UInt64 = 0) {
        var pair = (first, second)
        _ = send(given, &pair, MemoryLayout.size(ofValue: pair), CInt(MSG_NOSIGNAL))
    }

    /// The next pairs that the other process tells.
    ///
    /// - Parameter key: the first number of those that count; nil for all.
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

    /// Returns, in the other process, when the one that measures has gone.
    static func waitForEnd() async throws {
        try await SystemThread.result {
            var byte: UInt8 = 0
            _ = recv(given, &byte, 1, 0)
        }
    }
}
