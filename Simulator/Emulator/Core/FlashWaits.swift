/// The cycles that the core waits for flash, and the nRF52832's instruction cache, which avoids some of them.
///
/// Source: nRF52832 Product Specification v1.4, chapters 7 (CPU) and 11 (NVMC). With the cache on, a fetch waits one cycle more
/// if the cache misses, and none if it hits. The specification does not say how the cache is built. Assumed: 2 KB, and the
/// structure of the nRF5340's cache, which has sets of two lines of 16 bytes and replaces the less recently used one.
struct FlashWaits: Equatable, Sendable {
    private static let lineShift: UInt32 = 4, wordShift: UInt32 = 2
    private static let sets: UInt32 = 2_048 / 16 / 2

    /// Wait cycles so far, for instructions and for data.
    private(set) var cycles: UInt64 = 0
    private let waitStates: UInt64
    /// The number of the flash line that holds the last instruction. While the cache counts its hits and misses, this is the
    /// number of the flash word instead.
    private var line: UInt32 = .max
    private var shift: UInt32
    /// Two tags for each set, the more recently used one first. A tag is the line's number plus 1, or 0 if empty. No tags if the
    /// cache is off.
    private var tags: [UInt32] = []
    private var cacheControl: UInt32 = 0
    /// IHIT and IMISS. While CACHEPROFEN is set, each fetch of a word adds 1 to one of them. At its maximum, a count stays.
    private(set) var (hits, misses): (UInt32, UInt32) = (0, 0)

    /// - Parameter waitStates: cycles for each line of 16 bytes of instructions and each read of data.
    init(_ waitStates: UInt64) {
        self.waitStates = waitStates
        // Without waits, all addresses are one line.
        shift = waitStates == 0 ? 31 : FlashWaits.lineShift
    }

    /// Counts the wait for an instruction in flash. There is none if the last line or the cache has the instruction.
    @inline(__always)
    mutating func fetch(_ address: UInt32) {
        let line = address &>> shift
        if line != self.line { come(to: line) }
    }

    private mutating func come(to line: UInt32) {
        self.line = line
        if cacheControl & 1 == 0 { cycles &+= waitStates } else { lookUp(line) }
    }

    @inline(never)
    private mutating func lookUp(_ place: UInt32) {
        let line = (place &<< shift) &>> FlashWaits.lineShift
        let set = Int(2 &* (line & (FlashWaits.sets &- 1)))
        let tag = line &+ 1
        let isHit = tags[set] == tag || tags[set + 1] == tag
        if tags[set] != tag { (tags[set], tags[set + 1]) = (tag, tags[set]) }
        if !isHit { cycles &+= waitStates &+ 1 }
        guard shift == FlashWaits.wordShift else { return }
        if isHit, hits < .max { hits += 1 }
        if !isHit, misses < .max { misses += 1 }
    }

    /// Counts the wait for data in flash. The cache does not hold data.
    mutating func read() {
        cycles &+= waitStates
    }

    /// Switches the cache as ICACHECNF says. A cache that is off keeps nothing.
    @inline(__always)
    mutating func controlCache(_ word: UInt32) {
        if word != cacheControl { switchCache(word) }
    }

    private mutating func switchCache(_ word: UInt32) {
        cacheControl = word
        if word & 1 == 0 { tags = [] }
        if word & 1 != 0, tags.isEmpty { tags = [UInt32](repeating: 0, count: Int(2 * FlashWaits.sets)) }
        shift = cacheControl == 0x101 ? FlashWaits.wordShift : FlashWaits(waitStates).shift
        line = .max
    }

    /// Empties the cache, because flash has changed.
    mutating func clearCache() {
        if tags.isEmpty { return }
        tags = [UInt32](repeating: 0, count: tags.count)
        line = .max
    }

    /// Resets the registers, which switches the cache off.
    mutating func reset() {
        controlCache(0)
        (hits, misses) = (0, 0)
    }
}
