import Glibc
import SystemPackage

/// A pipe that is full, until somebody reads from it.
final class UnreadPipe: Sendable {
    let reading: CInt
    let writing: CInt

    init() throws(Errno) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Errno(rawValue: errno) }
        (reading, writing) = (ends[0], ends[1])
        let capacity = fcntl(writing, getPipeSize)
        let filler = [UInt8](repeating: UInt8(ascii: "."), count: Int(capacity))
        guard write(writing, filler, filler.count) == filler.count else { throw Errno(rawValue: errno) }
    }

    /// F_GETPIPE_SZ of fcntl(2), which the C library shows to GNU sources only.
    private var getPipeSize: CInt { 1032 }

    deinit {
        close(reading)
        close(writing)
    }

    /// Takes all that is in it.
    func drain() -> String {
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        var count = CInt(0)
        while ioctl(reading, UInt(FIONREAD), &count) == 0, count > 0 {
            let size = read(reading, &part, part.count)
            guard size > 0 else { break }
            text += part[..<size]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
