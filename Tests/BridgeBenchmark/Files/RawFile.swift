import Foundation
import Glibc
import HostSystem
import Wormhole

/// Sends a file in datagrams with blocking calls, on a thread of its own.
struct RawFileSender: Sendable {
    enum Source: Sendable {
        case memory
        case file
    }

    /// The bytes of one datagram: as many as a transport over Unix sockets sends.
    static let datagram = UnixListener.usualLargestDatagram

    private let other: OtherProcess
    private let path: String
    private let count: Int

    init(_ other: OtherProcess, _ path: String, _ count: Int) throws {
        self.other = other
        self.path = path
        self.count = count
    }

    /// Returns when the receiver has said that all of it is there.
    func send(from source: Source) async throws {
        let isThere = try await SystemThread.result { [other, path, count] in
            guard let socket = other.socket.number else { return false }
            return RawFileSender.send(path, count, from: source, over: socket)
        }
        guard isThere else { throw OtherProcessHasGone() }
    }

    private static func send(_ path: String, _ count: Int, from source: Source, over socket: CInt) -> Bool {
        var length = UInt64(count)
        guard Glibc.send(socket, &length, 8, 0) == 8 else { return false }
        var buffer = [UInt8](repeating: 1, count: datagram)
        let file = open(path, O_RDONLY)
        defer { close(file) }
        var done = 0
        while done < count {
            let size = min(count - done, datagram)
            switch source {
            case .memory: break
            case .file: guard pread(file, &buffer, size, off_t(done)) == size else { return false }
            }
            guard Glibc.send(socket, buffer, size, 0) == size else { return false }
            done += size
        }
        var answer: UInt8 = 0
        return recv(socket, &answer, 1, 0) == 1
    }
}

/// Receives files with blocking calls.
struct RawFileReceiver: Answerer {
    enum Target: Sendable {
        case memory
        case disk
    }

    let target: Target

    func serve(in directory: String) async throws {
        try await SystemThread.result { [target] in
            var length: UInt64 = 0
            while recv(OtherProcess.given, &length, 8, 0) == 8 {
                guard receive(Int(length), to: target, directory + "/received") else { return }
                var answer: UInt8 = 1
                _ = send(OtherProcess.given, &answer, 1, CInt(MSG_NOSIGNAL))
                unlink(directory + "/received")
            }
        }
    }

    private func receive(_ count: Int, to target: Target, _ path: String) -> Bool {
        var buffer = [UInt8](repeating: 0, count: RawFileSender.datagram)
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        var done = 0
        while done < count {
            let size = recv(OtherProcess.given, &buffer, buffer.count, 0)
            guard size > 0 else { return false }
            switch target {
            case .memory: break
            case .disk: guard pwrite(file, buffer, size, off_t(done)) == size else { return false }
            }
            done += size
        }
        switch target {
        case .memory: return true
        case .disk: return fsync(file) == 0
        }
    }
}
