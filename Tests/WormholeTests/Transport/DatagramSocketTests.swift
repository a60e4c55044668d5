import Glibc
import TestSupport
import Testing

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct DatagramSocketTests {
    private func receive(_ socket: DatagramSocket, capacity: Int = 64) throws -> (
        DatagramSocket.ReceiveOutcome, [UInt8]
    ) {
        var buffer = [UInt8](repeating: 0, count: capacity)
        var span = buffer.mutableSpan
        let outcome = try socket.receive(into: &span)
        if case .datagram(let count) = outcome { return (outcome, Array(buffer.prefix(count))) }
        return (outcome, [])
    }

    @Test func `A datagram longer than the buffer is reported with its length, and the next one is whole`() throws {
        let (near, far) = try DatagramSocket.pair()
        _ = try near.send([UInt8](repeating: 7, count: 100).span)
        _ = try near.send([8].span)
        #expect(try receive(far).0 == .truncated(count: 100))
        #expect(try receive(far).1 == [8])
    }

    @Test func `What was sent before a close is received, and then the end`() throws {
        let (near, far) = try DatagramSocket.pair()
        _ = try near.send([1].span)
        near.close()
        #expect(try receive(far).1 == [1])
        #expect(try receive(far).0 == .closed)
        #expect(throws: WormholeError.closed) { try far.send([1].span) }
        #expect(throws: WormholeError.closed) { try near.send([1].span) }
        #expect(near.fileDescriptor == nil)
    }

    @Test func `A peer that closes with data unread is still read to its end`() throws {
        let (near, far) = try DatagramSocket.pair()
        _ = try near.send([1].span)
        _ = try far.send([9].span)
        near.close()
        #expect(try receive(far).1 == [1])
        #expect(try receive(far).0 == .closed)
    }

    @Test func `A datagram that the system does not carry is an error, and the socket is usable still`() throws {
        let (near, far) = try DatagramSocket.pair()
        let datagram = [UInt8](repeating: 1, count: 4 << 20)
        #expect(throws: WormholeError.datagramTooLong(bytes: 4 << 20, limit: nil)) { try near.send(datagram.span) }
        #expect(try near.send([1].span))
        #expect(try receive(far).1 == [1])
    }

    @Test func `Connecting to a socket without a listener is told from other failures`() {
        let directory = TemporaryDirectory()
        let path = directory.file("none.sock")
        #expect(throws: WormholeError.noListener(path: path)) { try DatagramSocket.connect(toPath: path) }
    }
}
