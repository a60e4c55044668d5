/// The end of what the firmware has written on its console, where it says with which status it stops.
struct LastWords {
    /// Enough for ` status 4294967295` and the end of the line.
    private static var capacity: Int { 32 }

    private var bytes: [UInt8] = []

    /// Takes what was written next.
    mutating func hear(_ new: [UInt8]) {
        bytes = (bytes + new.suffix(LastWords.capacity)).suffix(LastWords.capacity)
    }

    /// The number behind ` status ` at the end of the last line, which has to be finished; nil without one from 0 to 255, the
    /// statuses that a process has.
    var status: CInt? {
        guard bytes.last == 0x0A else { return nil }
        let line = bytes.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false).last ?? []
        let words = line.split(separator: 0x20)
        guard words.count >= 2, words[words.count - 2].elementsEqual("status".utf8) else { return nil }
        return UInt8(String(decoding: words[words.count - 1], as: UTF8.self)).map(CInt.init)
    }
}
