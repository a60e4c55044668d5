import WatchLink

/// How much of each file its receiver has said to have, over all links: what has arrived is not sent again.
struct ArrivedContent {
    /// A transfer of a link: which link, who sends, and its number there.
    private struct Transfer: Hashable {
        let link: Int
        let sender: LinkEnd
        let number: [UInt8]
    }

    private var numbers: [Transfer: Int] = [:]
    private var arrived: [Int: UInt64] = [:]
    /// Files of which a part may be lost or wrong, so that all of it may be asked for again.
    private var doubted: Set<Int> = []

    /// A datagram arrives at an end. The frames are those of PROTOCOL.md, "File": the kind 15, flags, the number in four bytes, the
    /// step, and what that has.
    ///
    /// - Returns: what is wrong with it.
    mutating func passes(_ datagram: [UInt8], on link: Int, to end: LinkEnd, of intents: Intents) -> String? {
        guard datagram.count > 6, datagram[0] == 0x15 else { return nil }
        let (number, rest) = (Array(datagram[2..<6]), datagram[7...])
        switch datagram[6] {
        case 0x00:
            numbers[Transfer(link: link, sender: end.other, number: number)] = ArrivedContent.file(offered: rest)
            return nil
        case 0x01, 0x05:
            guard let file = numbers[Transfer(link: link, sender: end, number: number)] else { return nil }
            let offset = rest.reduce(0) { $0 << 8 | UInt64($1) }
            let before = arrived[file] ?? 0
            arrived[file] = datagram[6] == 0x01 ? offset : max(before, offset)
            let isExcused =
                doubted.contains(file) || intents.files.contains { $0.number == file && !$0.excuses.isEmpty }
            guard datagram[6] == 0x01, offset < before, !isExcused else { return nil }
            return "\(before) bytes of file \(file) had arrived, and it is sent again from \(offset)"
        case _: return nil
        }
    }

    /// An end has lost its power, and what it had not synced.
    mutating func doubts(_ end: LinkEnd, of intents: Intents) {
        for file in intents.files where file.from != end { doubted.insert(file.number) }
    }

    /// The number in the label of an offer, such as that of `f12.bin`.
    private static func file(offered map: ArraySlice<UInt8>) -> Int? {
        let text = String(decoding: map, as: UTF8.self)
        guard let end = text.firstRange(of: ".bin")?.lowerBound else { return nil }
        let digits = text[..<end].reversed().prefix { $0.isASCII && $0.isNumber }
        return Int(String(digits.reversed()))
    }
}
