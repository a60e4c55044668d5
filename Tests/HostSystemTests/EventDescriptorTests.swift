import Glibc
import HostSystem
import Testing

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
