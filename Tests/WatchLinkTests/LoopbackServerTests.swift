import Glibc
import HostSystem
import Testing

struct LoopbackServerTests {
    private func connect(to port: UInt16) -> CInt {
        let client = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        #expect(result == 0)
        return client
    }

    @Test
    func `Bytes go both ways, a second client is refused, and another one follows the first`() throws {
        let server = try LoopbackServer(port: 0)
        for _ in 0..<2 {
            let client = connect(to: server.port)
            #expect(server.receive(waiting: 1_000) == .connected)
            #expect(send(client, [1, 2, 3] as [UInt8], 3, 0) == 3)
            #expect(server.receive(waiting: 1_000) == .received([1, 2, 3]))
            server.send([4, 5])
            var answer = [UInt8](repeating: 0, count: 8)
            #expect(recv(client, &answer, 8, 0) == 2)
            #expect(answer.prefix(2) == [4, 5])
            let second = connect(to: server.port)
            #expect(server.receive(waiting: 1_000) == .refused)
            #expect(recv(second, &answer, 8, 0) == 0)
            close(second)
            close(client)
            #expect(server.receive(waiting: 1_000) == .left)
            #expect(!server.hasClient)
        }
    }

    @Test
    func `A port that is taken is refused`() throws {
        let server = try LoopbackServer(port: 0)
        #expect(throws: HostSystemError.self) { _ = try LoopbackServer(port: server.port) }
    }
}
