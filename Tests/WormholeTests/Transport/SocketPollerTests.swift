import Glibc
import SystemPackage
import Testing

@testable import Wormhole

@Suite struct SocketPollerTests {
    /// Runs in a child process, because a limit on descriptors applies to a whole process. In the parent process, the
    /// poller may already have its descriptors.
    @Test func `A wait that finds no descriptor for the poller is an error that says what to do`() async {
        await #expect(processExitsWith: .success) {
            let (near, far) = try DatagramSocket.pair()
            let transport = SocketTransport(near)
            // The sockets are open; not one more descriptor is allowed.
            defer { far.close() }
            var limit = rlimit(rlim_cur: 3, rlim_max: 3)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            do throws(WormholeError) {
                _ = try await transport.receive()
                Issue.record("nothing was sent")
            } catch {
                #expect(error == .system(call: "socketpair", path: nil, .tooManyOpenFiles))
                #expect(error.description.hasSuffix("close other connections, or raise the limit (ulimit -n)"))
            }
        }
    }

    @Test(.timeLimit(.minutes(60)))
    func `A task that always has something to do there keeps no other task from receiving`() async throws {
        let (near, far) = try DatagramSocket.pair()
        let (asking, answering) = (SocketTransport(near), SocketTransport(far))
        let busy = Task(executorPreference: SocketPoller.shared) {
            while !Task.isCancelled { await Task.yield() }
        }
        let echo = Task(executorPreference: SocketPoller.shared) {
            while let datagram = try? await answering.receive() { try await answering.send(datagram) }
        }
        for number in 0..<100 as Range<UInt8> {
            try await asking.send([number])
            #expect(try await asking.receive() == [number])
        }
        asking.close()
        try await echo.value
        busy.cancel()
        await busy.value
    }

    @Test func `A channel without room takes nothing at once, and everything that it took arrives`() async throws {
        let (near, far) = try DatagramSocket.pair()
        let (sender, receiver) = (SocketTransport(near), SocketTransport(far))
        defer { sender.close() }
        var count = 0
        while try sender.sendAtOnce([UInt8(truncatingIfNeeded: count)]) { count += 1 }
        for number in 0..<count { #expect(try await receiver.receive() == [UInt8(truncatingIfNeeded: number)]) }
        #expect(try sender.sendAtOnce([1]))
    }
}
