import Glibc
import SystemPackage
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

    @Test(arguments: [Errno.noLocks, .notSupported])
    func `A file system without locks is named, with what to do`(reason: Errno) {
        let advice = "the file system has no locks: use one that has"
        #expect(reason.explanation(of: "flock", on: "/a.lock") == "flock /a.lock: \(advice)")
        #expect(!reason.explanation(of: "open", on: "/a.lock").contains(advice))
    }

    @Test func `An owned descriptor is closed once, and no caller gets its number after that`() throws {
        let (near, far) = try Descriptors.socketPair(SOCK_STREAM)
        defer { close(far) }
        let owned = OwnedDescriptor(near)
        #expect(owned.number == near && owned.with { $0 } == near)
        #expect(owned.close() == near)
        #expect(owned.close() == nil && owned.number == nil && owned.with { $0 } == nil)
        #expect(PolledDescriptor(far, .end).polled().isHungUp)
    }
}

/// The limits are set in child processes, because a limit applies to the whole process.
@Suite struct LimitTests {
    @Test func `Running out of descriptors is an error that says what to do`() async {
        await #expect(processExitsWith: .success) {
            var none = rlimit(rlim_cur: 3, rlim_max: 3)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none) == 0)
            do throws(HostSystemError) {
                _ = try EventDescriptor()
                Issue.record("there was a descriptor left")
            } catch {
                #expect(error.reason == .tooManyOpenFiles)
                #expect(error.description.hasSuffix("close other connections, or raise the limit (ulimit -n)"))
            }
        }
    }

    @Test func `Running out of room for a thread is an error`() async {
        await #expect(processExitsWith: .success) {
            // The stack is larger than the address space, so it cannot be reserved. A limit on threads gives the same
            // failure.
            #expect(throws: HostSystemError.self) { _ = try SystemThread(stackSize: 1 << 50) {} }
        }
    }

    @Test func `A limit on threads is explained`() {
        let line = Errno.resourceTemporarilyUnavailable.explanation(of: "pthread_create")
        #expect(line == "pthread_create: no further thread: end other programs, or raise the limit (ulimit -u)")
        #expect(Errno.permissionDenied.explanation(of: "open", on: "/a") == "open /a: Permission denied")
    }

    @Test func `A thread that is joined has done its work`() throws {
        let work = WaitableState(0)
        try SystemThread(stackSize: 65_536) { work.change { $0 = 1 } }.join()
        #expect(work.value == 1)
    }
}

@Suite struct EventDescriptorTests {
    private func isReadable(_ event: EventDescriptor) -> Bool {
        var watched = pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 0) == 1
    }

    @Test func `It is readable from a signal on until it is drained`() throws {
        let event = try EventDescriptor()
        #expect(!isReadable(event))
        event.signal()
        event.signal()
        #expect(isReadable(event))
        event.drain()
        #expect(!isReadable(event))
    }

    @Test func `Neither signalling nor draining ever waits`() throws {
        let event = try EventDescriptor()
        event.drain()
        for _ in 0..<1_000_000 { event.signal() }
        event.drain()
        #expect(!isReadable(event))
    }
}

@Suite struct PolledDescriptorTests {
    @Test func `A wait says which descriptors are ready`() throws {
        let (reading, writing) = try Descriptors.pipe()
        defer { close(reading) }
        #expect(!PolledDescriptor(reading, .readable).polled().isReady)
        #expect(PolledDescriptor(writing, .writable).polled().isWritable)
        var both = [PolledDescriptor(reading, .readable), PolledDescriptor(writing, .writable)]
        #expect(PolledDescriptor.wait(for: &both, microseconds: nil))
        #expect(!both[0].isReady && both[1].isReady)
        close(writing)
        let end = PolledDescriptor(reading, .end).polled()
        #expect(end.isReady && end.isHungUp)
    }

    @Test func `A limit is rounded up to milliseconds`() {
        #expect(PolledDescriptor.wholeMilliseconds(nil) == nil)
        #expect([0, 1, 1_000, 1_001].map(PolledDescriptor.wholeMilliseconds) == [0, 1_000, 1_000, 2_000])
        #expect(PolledDescriptor.wholeMilliseconds(.max).map { $0 >= 1 << 60 } == true)
    }

    @Test func `A wait ends when its time is over, to the microsecond`() throws {
        let (reading, writing) = try Descriptors.pipe()
        defer { for end in [reading, writing] { close(end) } }
        var waited = [PolledDescriptor(reading, .readable)]
        let length = try ContinuousClock().measure {
            try #require(!PolledDescriptor.wait(for: &waited, microseconds: 2_500))
        }
        #expect(length >= .microseconds(2_500))
        #expect(!waited[0].isReady)
    }
}
