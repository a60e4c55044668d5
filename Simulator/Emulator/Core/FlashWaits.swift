/// The cycles that the core waits for flash, and the nRF52832's instruction cache, which avoids some of them.
///
/// Source: nRF52832 Product Specification v1.4, chapters 7 (CPU) and 11 (NVMC). While the cache is on, a fetch that misses the
/// cache waits one cycle more than without the cache. A fetch that hits does not wait.
///
/// The specification does not say how the cache is built. This type assumes 2 KB, and the structure of the nRF5340's cache. Each
/// set of that cache has two lines of 16 bytes, and a miss replaces the less recently used line.
struct FlashWaits: Equatable, Sendable {
    private static let lineShift: UInt32 = 4, wordShift: UInt32 = 2
    private static let sets: UInt32 = 2_048 / 16 / 2

    /// Wait cycles so far, for instructions and for data.
    private(set) var cycles: UInt64 = 0
    private let waitStates: UInt64
    /// The number of the flash line (16 bytes) from which the core last fetched. While the cache counts its hits and misses, this
    /// is the number of the flash word (4 bytes) instead.
    private var line: UInt32 = .max
    private var shift: UInt32
    /// The cache's tags: two for each set, the more recently used one first. A tag is the number of the cached line plus 1, or 0
    /// if nothing is cached. The array is empty while the cache is off.
    private var tags: [UInt32] = []
    private var cacheControl: UInt32 = 0
    /// IHIT and IMISS, the cache's hits and misses. While CACHEPROFEN is set, each fetched word adds 1 to one of them. They do
    /// not wrap around.
    private(set) var (hits, misses): (UInt32, UInt32) = (0, 0)

    /// - Parameter waitStates: the cycles that the core waits for each read of data and, while the cache is off, for each line
    ///   of 16 bytes of instructions.
    init(_ waitStates: UInt64) {
        self.waitStates = waitStates
        // Without wait states, all of flash counts as one line.
        shift = waitStates == 0 ? 31 : FlashWaits.lineShift
    }

    /// Adds the wait for an instruction in flash to `cycles`. The core does not wait if the instruction is in the line of the
    /// previous fetch or in the cache.
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

    /// Adds the wait for data in flash to `cycles`. The cache does not hold data.
    mutating func read() {
        cycles &+= waitStates
    }

    /// Applies a value of ICACHECNF, which switches the cache on and off. The cache loses its contents when it goes off.
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
