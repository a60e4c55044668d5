import Glibc
import Testing

@testable import HostSystem

@Suite struct DescriptorTests {
    private func isInherited(_ descriptor: CInt) -> Bool { fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 }

    @Test func `No child process inherits a descriptor`() throws {
        let pipe = try Descriptors.pipe()
        let sockets = try Descriptors.socketPair(SOCK_STREAM)
        let file = try Descriptors.open("/dev/null", O_RDONLY)
        let copy = try Descriptors.duplicate(file, from: 40)
        let socket = try Descriptors.packetSocket(AF_UNIX)
        let all = [pipe.reading, pipe.writing, sockets.0, sockets.1, file, copy, socket]
        #expect(!all.contains(where: isInherited))
        #expect(copy >= 40)
        for descriptor in all { close(descriptor) }
    }

    @Test func `A file that cannot be opened is an error with the call and the reason`() {
        let failure = #expect(throws: HostSystemError.self) { try Descriptors.open("/no/such/file", O_RDONLY) }
        #expect(failure?.call == "open" && failure?.reason == .noSuchFileOrDirectory)
    }

    @Test func `An owned descriptor is closed once, and nobody gets its number after that`() throws {
        let (near, far) = try Descriptors.socketPair(SOCK_STREAM)
        defer { close(far) }
        let owned = OwnedDescriptor(near)
        #expect(owned.number == near && owned.with { $0 } == near)
        #expect(owned.close() == near)
        #expect(owned.close() == nil && owned.number == nil && owned.with { $0 } == nil)
        #expect(PolledDescriptor(far, .end).polled().isHungUp)
    }
}
