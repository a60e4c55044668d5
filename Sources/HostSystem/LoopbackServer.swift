import Glibc
import SystemPackage

/// A TCP server on the loopback address for one client at a time, such as a debugger.
package final class LoopbackServer {
    private let listener: CInt
    private var client: CInt?

    /// - Parameter port: the port to listen on; 0 lets the system choose a free one.
    /// - Throws: an error whose `reason` is `.addressInUse` if the port is taken.
    package init(port: UInt16) throws(HostSystemError) {
        let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        listener = Glibc.socket(AF_INET, CInt(type), 0)
        guard listener >= 0 else { throw HostSystemError("socket", Errno(rawValue: errno)) }
        var yes: CInt = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    && Glibc.listen(listener, 1) == 0
            }
        }
        guard isBound else {
            let reason = Errno(rawValue: errno)
            Glibc.close(listener)
            throw HostSystemError("port \(port)", reason)
        }
    }

    package enum Event: Equatable, Sendable {
        case nothing
        case connected
        case received([UInt8])
        case left
        /// Another client tried to connect while the present client was connected.
        case refused
    }

    deinit {
        if let client { Glibc.close(client) }
        Glibc.close(listener)
    }

    package var hasClient: Bool { client != nil }

    /// The port on which the server listens. If the caller gave 0, it is the port that the system chose.
    package var port: UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    package func receive(waiting milliseconds: CInt) -> Event {
        var entries = [listener, client].compactMap { $0 }.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return .nothing }
        if entries[0].revents != 0 { return take(accept(listener, nil, nil)) }
        guard let client else { return .nothing }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(client, &bytes, bytes.count, 0)
        if count > 0 { return .received(Array(bytes.prefix(count))) }
        drop()
        return .left
    }

    private func take(_ new: CInt) -> Event {
        guard new >= 0 else { return .nothing }
        guard client == nil else {
            Glibc.close(new)
            return .refused
        }
        _ = fcntl(new, F_SETFD, FD_CLOEXEC)
        var yes: CInt = 1
        setsockopt(new, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
        // A client that reads nothing for a second is dropped.
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(new, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        client = new
        return .connected
    }

    package func send(_ bytes: [UInt8]) {
        guard let client else { return }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return drop() }
            sent += count
        }
    }

    /// Disconnects the client, so that the next `receive` can accept another client.
    package func drop() {
        if let client { Glibc.close(client) }
        client = nil
    }
}
