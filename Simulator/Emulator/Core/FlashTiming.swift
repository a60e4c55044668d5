/// The speed of the flash: its wait states, and the instruction cache that avoids some of them.
package struct FlashTiming: Equatable, Sendable {
    /// An instruction cache with two lines in each set. A third line replaces the less recently used of the two.
    package struct Cache: Equatable, Sendable {
        /// Size of the cache in bytes: a power of two, from two lines to 64 KB.
        package var bytes: Int
        /// Size of a line in bytes: a power of two, 4 to 256.
        package var lineBytes: Int

        package init(bytes: Int, lineBytes: Int) {
            self.bytes = bytes
            self.lineBytes = lineBytes
        }
    }

    /// Extra cycles for each line of instructions and each read of data that the core gets from flash.
    package var waitStates: UInt64
    /// Nil for a chip without a cache. The core then waits each time the program enters another line of 16 bytes.
    package var cache: Cache?

    package init(waitStates: UInt64, cache: Cache?) {
        self.waitStates = waitStates
        self.cache = cache
    }

    /// Flash without wait states.
    package static let immediate = FlashTiming(waitStates: 0, cache: nil)
}

/// The contents of the instruction cache, and the cycles waited for flash.
struct InstructionFetch: Equatable, Sendable {
    /// Wait cycles so far, for instructions and for data.
    private(set) var waited: UInt64 = 0
    private let waitStates: UInt64
    /// The number of the line with the last instruction.
    private var line: UInt32 = .max
    private let shift: UInt32
    private let sets: UInt32
    /// Two tags for each set, the more recently used one first. A tag is the line's number plus 1, or 0 if empty.
    private var tags: [UInt32]

    init(_ timing: FlashTiming) {
        waitStates = timing.waitStates
        let lineBytes = timing.cache?.lineBytes ?? 16
        // Without waits, all addresses are one line.
        shift = timing.waitStates == 0 ? 31 : UInt32(lineBytes.trailingZeroBitCount)
        sets = UInt32((timing.cache?.bytes ?? 0) / lineBytes / 2)
        tags = [UInt32](repeating: 0, count: Int(2 * sets))
    }

    /// Counts the wait for an instruction in flash, if it is not in the cache.
    @inline(__always)
    mutating func fetch(_ address: UInt32) {
        let line = address &>> shift
        if line != self.line { come(to: line) }
    }

    private mutating func come(to line: UInt32) {
        self.line = line
        guard waitStates > 0 else { return }
        guard sets > 0 else {
            waited &+= waitStates
            return
        }
        let set = Int(2 &* (line & (sets &- 1)))
        let tag = line &+ 1
        if tags[set] == tag { return }
        if tags[set + 1] != tag { waited &+= waitStates }
        (tags[set], tags[set + 1]) = (tag, tags[set])
    }

    /// Counts the wait for data in flash. The cache does not hold data.
    mutating func read() {
        waited &+= waitStates
    }
}
