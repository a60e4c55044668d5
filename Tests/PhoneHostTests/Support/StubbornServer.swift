import Foundation
import Glibc
import Synchronization

/// An HTTP server on loopback for one connection. It never answers, or it answers with any number of bytes.
final class StubbornServer: Sendable {
    enum Answer {
        case never
        /// A body of this many bytes. The server pauses after the first 100,000 until `goOn()`.
        case long(Int)
    }

    enum Progress {
        case listening, asked, resumed
    }

    let address: String
    private let listener: Int32
    private let progress = Mutex(Progress.listening)

    init(_ answer: Answer) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 4) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))/ann/food/"
        Thread { [self] in serve(descriptor, answer) }.start()
    }

    /// Whether a request has arrived. If the server answers, this becomes true only after it has sent the first bytes.
    var isAsked: Bool { progress.withLock { $0 != .listening } }

    func goOn() { progress.withLock { $0 = .resumed } }

    func close() {
        goOn()
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
    }

    private func serve(_ listener: Int32, _ answer: Answer) {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        _ = recv(client, &buffer, buffer.count, 0)
        switch answer {
        case .never: note()
        case .long(let count): send(count, to: client)
        }
        while recv(client, &buffer, buffer.count, 0) > 0 {}
        Glibc.close(client)
    }

    private func note() { progress.withLock { if $0 == .listening { $0 = .asked } } }

    private func send(_ count: Int, to client: Int32) {
        let head = "HTTP/1.1 207 Multi-Status\r\nContent-Type: application/xml\r\nContent-Length: \(count)\r\n\r\n"
        let chunk = [UInt8](repeating: 0x20, count: 100_000)
        guard Glibc.send(client, head, head.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else { return }
        var sent = 0
        while sent < count {
            let written = Glibc.send(client, chunk, min(chunk.count, count - sent), Int32(MSG_NOSIGNAL))
            guard written > 0 else { return }
            sent += written
            note()
            // This blocks only the server's own thread.
            while progress.withLock({ $0 == .asked }) { sched_yield() }
        }
    }
}
