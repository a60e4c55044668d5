import Glibc
import HostSystem
import SystemPackage
import Testing

/// What happens when the process may have no more descriptors or threads: in a child process, because a limit is the process's.
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
            // More address space than there is: the stack cannot be reserved, which is how a limit on threads shows too.
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
