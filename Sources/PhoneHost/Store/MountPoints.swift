import Foundation

/// The places at which something is mounted, as this process sees them: /proc/self/mountinfo (proc(5)).
struct MountPoints {
    private let places: Set<[UInt8]>

    /// - Parameter table: the file's text; by default, that of now, and nothing where it cannot be read.
    init(table: some Collection<UInt8> = (try? Data(contentsOf: URL(filePath: "/proc/self/mountinfo"))) ?? Data()) {
        places = Set(
            table.split(separator: UInt8(ascii: "\n")).compactMap { line in
                let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
                return fields.count > 4 ? MountPoints.unescaped(fields[4]) : nil
            })
    }

    /// Whether a path without links is one of them.
    func contains(_ path: String) -> Bool { places.contains(Array(path.utf8)) }

    /// A field with its spaces, tabs, line ends and backslashes, each of which stands there as a backslash and three octal digits.
    private static func unescaped(_ field: some Collection<UInt8>) -> [UInt8] {
        var rest = field[...]
        var bytes: [UInt8] = []
        while let byte = rest.first {
            let digits = rest.dropFirst().prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(4)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return bytes
    }
}
