import Foundation
import Glibc
import HostSystem
import TestSupport
import Testing

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct UnixListenerTests {
    private let directory = TemporaryDirectory()

    @Test func `A peer connects, both ends carry datagrams, and each knows the process at the other from the kernel`()
        async throws
    {
        let listener = try UnixListener("watch.sock", in: directory.sockets())
        let near = try await UnixConnector(path: listener.path).connect()
        let far = try await listener.accept()
        try await near.send([1, 2])
        #expect(try await far.receive() == [1, 2])
        try await far.send([3])
        #expect(try await near.receive() == [3])
        let here = TransportPeer.process(user: geteuid(), number: getpid())
        #expect(far.peer == here)
        #expect(near.peer == here)
        near.close()
        #expect(near.peer == here)
    }

    @Test func `Peers do not get the last descriptors, without which the process ends`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let listener = try UnixListener("watch.sock", in: directory.sockets())
            var near: [any DatagramTransport] = []
            for _ in 0..<24 { near.append(try await UnixConnector(path: listener.path).connect()) }
            // Room for twenty more descriptors, beside the descriptors that this process inherited.
            let free = try Descriptors.open("/dev/null", O_RDONLY)
            let last = ((free + 1)...).lazy.filter { fcntl($0, F_GETFD) < 0 }.dropFirst(18).first { _ in true }
            var limit = rlimit(rlim_cur: UInt(try #require(last)) + 1, rlim_max: 20_000)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            var far: [any DatagramTransport] = []
            do throws(WormholeError) {
                while true { far.append(try await listener.accept()) }
            } catch {
                #expect(error == .system(call: "accept", path: nil, .tooManyOpenFiles))
            }
            #expect(!far.isEmpty)
            for _ in 0..<8 { _ = try Descriptors.open("/dev/null", O_RDONLY) }
            for peer in far { peer.close() }
            #expect(try await listener.accept().peer == near[0].peer)
        }
    }

    @Test func `A peer of another user is refused, and the listener lives on`() async throws {
        let listener = try UnixListener("watch.sock", in: directory.sockets(), user: geteuid() + 1)
        let near = try await UnixConnector(path: listener.path).connect()
        await #expect(throws: WormholeError.foreignPeer(user: geteuid(), expected: geteuid() + 1)) {
            try await listener.accept()
        }
        await #expect(throws: WormholeError.closed) { try await near.receive() }
        _ = try await UnixConnector(path: listener.path).connect()
    }

    @Test func `A socket that another user serves is not spoken to, and the listener lives on`() async throws {
        let listener = try UnixListener("watch.sock", in: directory.sockets())
        await #expect(throws: WormholeError.foreignPeer(user: geteuid(), expected: geteuid() + 1)) {
            try await UnixConnector(path: listener.path, user: geteuid() + 1).connect()
        }
        let refused = try await listener.accept()
        await #expect(throws: WormholeError.closed) { try await refused.receive() }
        _ = try await UnixConnector(path: listener.path).connect()
    }

    @Test func `A socket that is served is not taken over, and the server is named`() throws {
        let first = try UnixListener("watch.sock", in: directory.sockets())
        let error = WormholeError.alreadyServed(path: first.path, process: getpid())
        #expect(throws: error) { try UnixListener("watch.sock", in: directory.sockets()) }
        #expect(error.description.contains("already served by process \(getpid())"))
        first.close()
        #expect(!FileManager.default.fileExists(atPath: first.path))
        try UnixListener("watch.sock", in: directory.sockets()).close()
    }

    @Test func `A socket that a crash left behind is replaced`() async throws {
        let path = directory.file("watch.sock")
        let address = try UnixAddress(path: path)
        let descriptor = socket(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0)
        #expect(address.withSocketAddress { bind(descriptor, $0, $1) } == 0)
        _ = Glibc.close(descriptor)
        _ = FileManager.default.createFile(atPath: path + ".lock", contents: Data("1\n".utf8))
        #expect(throws: WormholeError.noListener(path: path)) { try DatagramSocket.connect(toPath: path) }

        let listener = try UnixListener("watch.sock", in: directory.sockets())
        let near = try await UnixConnector(path: path).connect()
        try await near.send([1])
        #expect(try await listener.accept().receive() == [1])
    }

    @Test func `Closing ends the task that waits for a peer; a peer that is connected stays so`() async throws {
        let listener = try UnixListener("watch.sock", in: directory.sockets())
        let near = try await UnixConnector(path: listener.path).connect()
        let far = try await listener.accept()
        let waiting = Task { try await listener.accept() }
        await Task.yield()
        listener.close()
        await #expect(throws: WormholeError.closed) { _ = try await waiting.value }
        try await near.send([1])
        #expect(try await far.receive() == [1])
    }

    @Test func `A path that does not fit into an address is refused`() throws {
        let name = String(repeating: "n", count: 100)
        #expect(throws: WormholeError.pathTooLong(path: directory.file(name), limit: 107)) {
            try UnixListener(name, in: directory.sockets())
        }
    }
}

struct SocketDirectoryTests {
    private let directory = TemporaryDirectory()

    @Test func `A missing directory is made for this user alone, with those above it`() throws {
        let path = directory.file("a/b")
        _ = try SocketDirectory(path: path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? Int) == 0o700)
        _ = try SocketDirectory(path: path)
    }

    @Test func `A directory that others may enter is refused, and left as it is`() throws {
        let path = directory.file("open")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o750])
        let error = WormholeError.unsafeDirectory(path: path, .openToOthers(mode: 0o750))
        #expect(throws: error) { try SocketDirectory(path: path) }
        #expect(error.description.contains("mode 0750"))
    }

    @Test func `A file or a link in its place is refused`() throws {
        let file = directory.file("file")
        _ = FileManager.default.createFile(atPath: file, contents: nil)
        #expect(throws: WormholeError.unsafeDirectory(path: file, .notADirectory)) { try SocketDirectory(path: file) }
        let link = directory.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.path)
        #expect(throws: WormholeError.unsafeDirectory(path: link, .notADirectory)) { try SocketDirectory(path: link) }
    }

    @Test func `A directory of another user is refused`() {
        #expect(SocketDirectory.fault(mode: S_IFDIR | 0o700, owner: 7, user: 8) == .foreignOwner(user: 7))
        #expect(SocketDirectory.fault(mode: S_IFDIR | 0o700, owner: 8, user: 8) == nil)
        #expect(SocketDirectory.fault(mode: S_IFSOCK | 0o700, owner: 8, user: 8) == .notADirectory)
    }
}
