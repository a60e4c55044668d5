/// The last lines of text that the firmware and the emulator wrote.
struct ConsoleLog {
    private static var capacity: Int { 8_192 }

    private var bytes: [UInt8] = []

    /// Takes what was written.
    mutating func hear(_ new: [UInt8]) {
        bytes += new
        if bytes.count > ConsoleLog.capacity { bytes.removeFirst(bytes.count - ConsoleLog.capacity) }
    }

    /// The text as one line, without anything that could move a cursor; nil when nothing was written.
    ///
    /// It is the last four lines, or the emulator's own complaint, behind which it prints every register of the processor.
    var summary: String? {
        let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map { line in
            String(decoding: line.map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
        }
        if let complaint = lines.first(where: { $0.hasPrefix("qemu") }) { return complaint }
        return lines.isEmpty ? nil : lines.suffix(4).joined(separator: "; ")
    }
}
