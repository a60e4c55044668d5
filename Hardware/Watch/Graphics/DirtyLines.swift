/// The set of lines that differ between framebuffer and panel: one bit a line, 24 bytes.
struct DirtyLines: BitwiseCopyable {
    private let words: FixedArray<UInt32>

    init(arena: inout MemoryArena) {
        words = arena.take((PanelGeometry.height + 31) / 32, of: 0)
    }

    static var memorySize: Int { (PanelGeometry.height + 31) / 32 * 4 }

    func contains(_ line: Int) -> Bool {
        words[line &>> 5] & bit(line) != 0
    }

    mutating func insert(_ line: Int) {
        words[line &>> 5] |= bit(line)
    }

    @inline(never)
    mutating func insert(_ lines: Range<Int>) {
        for line in lines { insert(line) }
    }

    /// Removes the first dirty line from `line` on and returns it, nil where there is none.
    mutating func removeFirst(from line: Int) -> Int? {
        var index = line &>> 5
        var masked = index < words.count ? words[index] & (~0 &<< UInt32(truncatingIfNeeded: line & 31)) : 0
        while masked == 0 {
            index &+= 1
            guard index < words.count else { return nil }
            masked = words[index]
        }
        let found = index &<< 5 &+ masked.trailingZeroBitCount
        words[index] &= ~bit(found)
        return found
    }

    var isEmpty: Bool {
        var all: UInt32 = 0
        for index in words.indices { all |= words[index] }
        return all == 0
    }

    var count: Int {
        var sum = 0
        for index in words.indices { sum &+= words[index].nonzeroBitCount }
        return sum
    }

    private func bit(_ line: Int) -> UInt32 {
        1 &<< UInt32(truncatingIfNeeded: line & 31)
    }
}
