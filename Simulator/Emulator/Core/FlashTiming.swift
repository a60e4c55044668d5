/// The cost of reads of flash: wait states, and a cache of instructions that saves them.
package struct FlashTiming: Equatable, Sendable {
    /// A cache of instructions with two lines in each set. A third line replaces the one that was used less recently.
    package struct Cache: Equatable, Sendable {
        /// Bytes of all lines: a power of two, from two lines to 64 KB.
        package var bytes: Int
        /// Bytes of a line: a power of two, 4 to 256.
        package var lineBytes: Int

        package init(bytes: Int, lineBytes: Int) {
            self.bytes = bytes
            self.lineBytes = lineBytes
        }
    }

    /// Cycles that the core waits for a line of instructions, or for data, in addition to the access.
    package var waitStates: UInt64
    /// Nil for a part without a cache, which waits for each line of 16 bytes whenever the program reaches it.
    package var cache: Cache?

    package init(waitStates: UInt64, cache: Cache?) {
        self.waitStates = waitStates
        self.cache = cache
    }

    /// Flash as fast as the core.
    package static let immediate = FlashTiming(waitStates: 0, cache: nil)
}

/// The cache of instructions, and the waits so far.
struct InstructionFetch: Equatable, Sendable {
    /// Wait cycles for instructions and for data.
    private(set) var waited: UInt64 = 0
    private let waitStates: UInt64
    /// The line of the last instruction.
    private var line: UInt32 = .max
    private let shift: UInt32
    private let sets: UInt32
    /// Two for each set, the more recently used first: the line's number plus 1, or 0.
    private var tags: [UInt32]

    init(_ timing: FlashTiming) {
        waitStates = timing.waitStates
        let lineBytes = timing.cache?.lineBytes ?? 16
        // Without waits, all addresses are one line.
        shift = timing.waitStates == 0 ? 31 : UInt32(lineBytes.trailingZeroBitCount)
        sets = UInt32((timing.cache?.bytes ?? 0) / lineBytes / 2)
        tags = [UInt32](repeating: 0, count: Int(2 * sets))
    }

    /// Counts the fetch of an instruction from flash.
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

    /// Counts a read of data from flash, which is not cached.
    mutating func read() {
        waited &+= waitStates
    }
}
