/// Allocates from one block of memory, front to back, and never frees.
///
/// The runtime takes all its memory this way when it is made. The device has no heap, and the first test finds a block
/// that is too small. `memorySize` of a part is the bytes that its `init(arena:)` takes, apart from padding.
package struct MemoryArena: ~Copyable {
    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    /// The bytes allocated so far, padding for alignment included.
    package private(set) var used = 0

    /// An arena over `region`, which must stay valid, and unused otherwise, for as long as any array taken from it.
    package init(_ region: UnsafeMutableRawBufferPointer) {
        guard let base = region.baseAddress else { preconditionFailure("an arena needs memory") }
        self.base = base
        capacity = region.count
    }

    /// Allocates `count` elements, each set to `value`. Traps when the arena is exhausted, which is a bug of ours.
    package mutating func take<Element: BitwiseCopyable>(
        _ count: Int, of value: @autoclosure () -> Element
    ) -> FixedArray<Element> {
        let start = reserve(count * MemoryLayout<Element>.stride, alignment: MemoryLayout<Element>.alignment)
        let elements = start.bindMemory(to: Element.self, capacity: count)
        MemoryArena.fill(elements, count, with: value)
        return FixedArray(base: elements, count: count)
    }

    /// Reserves this number of bytes, at a multiple of `alignment`, which is a power of two. One function for all elements, so that
    /// the checks are in the image once.
    @inline(never)
    private mutating func reserve(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer {
        let start = (used &+ alignment &- 1) & ~(alignment &- 1)
        let (end, overflow) = start.addingReportingOverflow(size)
        precondition(!overflow && end <= capacity, "the memory arena is exhausted")
        used = end
        return base + start
    }

    /// Not inlined, because a loop with a constant count is unrolled to 2 KB of stores. The value is made here, because
    /// the function that makes a watch would otherwise have the values of all its parts on the stack at once.
    @inline(never)
    private static func fill<Element: BitwiseCopyable>(
        _ elements: UnsafeMutablePointer<Element>, _ count: Int, with value: () -> Element
    ) {
        elements.initialize(repeating: value(), count: count)
    }
}
