/// The bytes of a picture. Callers clip to the panel. Each function checks once that the first and the last byte that it uses
/// are in the picture. There is no bounds check at each access, because such checks made the removal of a row too slow.
struct FrameBits: BitwiseCopyable {
    private let base: UnsafeMutableRawPointer

    init(_ bytes: FixedArray<UInt8>) {
        precondition(bytes.count == PanelGeometry.bytesPerFrame, "a frame has another size")
        base = UnsafeMutableRawPointer(bytes.unsafeBase)
    }

    static func offset(line: Int) -> Int { line &* PanelGeometry.bytesPerLine }

    /// Fills the columns `left..<right` of a line. Returns whether any pixel changed. There must be at least one column, and
    /// all must be on the panel.
    func fill(_ ink: Ink, line: Int, from left: Int, to right: Int) -> Bool {
        let pixels: UInt32 = ink == .white ? ~0 : 0
        let start = FrameBits.offset(line: line)
        var place = start &+ left &>> 3
        let last = start &+ (right &- 1) &>> 3
        check(first: place, last: last)
        // The masks apply to the first and the last byte. Bytes between them change completely.
        var mask = UInt32(0xFF) &>> UInt32(truncatingIfNeeded: left & 7)
        let lastMask = UInt32(0xFF) &<< UInt32(truncatingIfNeeded: 7 &- (right &- 1) & 7)
        var difference: UInt32 = 0
        if place < last {
            difference = fill(pixels, at: place, mask: mask)
            mask = 0xFF
            place &+= 1
            while place &+ 4 <= last {
                difference |= pixels ^ base.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                base.storeBytes(of: pixels, toByteOffset: place, as: UInt32.self)
                place &+= 4
            }
            while place < last {
                difference |= fill(pixels, at: place, mask: mask)
                place &+= 1
            }
        }
        difference |= fill(pixels, at: place, mask: mask & lastMask)
        return difference != 0
    }

    private func fill(_ pixels: UInt32, at place: Int, mask: UInt32) -> UInt32 {
        let old = UInt32(base.load(fromByteOffset: place, as: UInt8.self))
        let new = old & ~mask | pixels & mask
        base.storeBytes(of: UInt8(truncatingIfNeeded: new), toByteOffset: place, as: UInt8.self)
        return old ^ new
    }

    /// Copies the first `count` bytes of one line to another line. Returns whether any byte changed.
    func copyLine(from source: Int, to destination: Int, count: Int) -> Bool {
        let from = FrameBits.offset(line: source)
        let to = FrameBits.offset(line: destination)
        check(first: min(from, to), last: max(from, to) &+ count &- 1)
        var difference: UInt32 = 0
        var index = 0
        while index &+ 4 <= count {
            let new = base.loadUnaligned(fromByteOffset: from &+ index, as: UInt32.self)
            difference |= new ^ base.loadUnaligned(fromByteOffset: to &+ index, as: UInt32.self)
            base.storeBytes(of: new, toByteOffset: to &+ index, as: UInt32.self)
            index &+= 4
        }
        while index < count {
            let new = base.load(fromByteOffset: from &+ index, as: UInt8.self)
            difference |= UInt32(new ^ base.load(fromByteOffset: to &+ index, as: UInt8.self))
            base.storeBytes(of: new, toByteOffset: to &+ index, as: UInt8.self)
            index &+= 1
        }
        return difference != 0
    }

    /// Draws a strip that is seven pixels wide: a byte for each line, with the leftmost pixel in bit 6. The strip's top left
    /// pixel is in column `x` (at least -6) of line `y`. A pixel that is 0 in the strip does not change the picture.
    ///
    /// The bits of `mask` select the columns to draw, with the leftmost column in bit 6. The mask must select at least one
    /// column, and only columns on the panel. To draw in white, pass zero as `negative`. To draw in black, pass all ones.
    func blit(_ strip: UnsafePointer<UInt8>, lines: Int, mask: UInt32, x: Int, y: Int, negative: UInt32) {
        // The shift puts a byte of the strip into 16 bits. The upper eight are for the picture's byte that has column x, and the
        // lower eight for the next byte.
        let shift = UInt32(truncatingIfNeeded: 9 &- x & 7)
        let columns = mask &<< shift
        let start = FrameBits.offset(line: y) &+ x &>> 3
        if columns > 0xFF, columns & 0xFF != 0 {
            check(first: start, last: start &+ FrameBits.offset(line: lines &- 1) &+ 1)
            var pointer = base + start
            for line in 0..<lines {
                let pixels = UInt16(truncatingIfNeeded: (UInt32(strip[line]) & mask) &<< shift).byteSwapped
                let old = UInt32(pointer.loadUnaligned(as: UInt16.self))
                let new = UInt16(truncatingIfNeeded: (old ^ negative | UInt32(pixels)) ^ negative)
                pointer.storeBytes(of: new, as: UInt16.self)
                pointer += PanelGeometry.bytesPerLine
            }
            return
        }
        // Only one byte of each line changes. The other byte may be off the panel.
        let isUpper = columns > 0xFF
        let place = isUpper ? start : start &+ 1
        let excess: UInt32 = isUpper ? 8 : 0
        check(first: place, last: place &+ FrameBits.offset(line: lines &- 1))
        var pointer = base + place
        for line in 0..<lines {
            let pixels = ((UInt32(strip[line]) & mask) &<< shift) &>> excess
            let old = UInt32(pointer.load(as: UInt8.self))
            let new = UInt8(truncatingIfNeeded: (old ^ negative | pixels) ^ negative)
            pointer.storeBytes(of: new, as: UInt8.self)
            pointer += PanelGeometry.bytesPerLine
        }
    }

    private func check(first: Int, last: Int) {
        precondition(first >= 0 && last < PanelGeometry.bytesPerFrame, "outside the picture")
    }
}

/// The lines of the picture that the watch must still send to the panel, one bit for each line.
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
        words[line &>> 5] |= together &<< UInt32(truncatingIfNeeded: line & 31 & ~(PanelGeometry.linesTogether &- 1))
    }

    private var together: UInt32 { 1 &<< UInt32(truncatingIfNeeded: PanelGeometry.linesTogether) &- 1 }

    @inline(never)
    mutating func insert(_ lines: Range<Int>) {
        for line in lines { insert(line) }
    }

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
