import Glibc
import SystemPackage
import Testing

@testable import Wormhole

@Suite struct SocketPollerTests {
    /// In a child process, because the limit is the process's and the poller of this one may run already.
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
}
