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

/// A fixed number of elements in memory of a `MemoryArena`.
///
/// It is a pointer and a count, so that passing it copies eight bytes and never the elements. An `InlineArray` inside a
/// large struct does not: a non-mutating access on armv7em first copies the whole array to the stack (6,272 bytes for
/// 128 titles of 49 bytes, seen in the disassembly).
package struct FixedArray<Element: BitwiseCopyable>: BitwiseCopyable {
    private let base: UnsafeMutablePointer<Element>
    package let count: Int

    /// `count` initialised elements at `base`, which stay valid for as long as any array over them is used.
    init(base: UnsafeMutablePointer<Element>, count: Int) {
        self.base = base
        self.count = count
    }

    package var indices: Range<Int> { 0..<count }

    /// The element at `index`. Traps outside `indices`, which would be a bug of ours.
    package subscript(index: Int) -> Element {
        unsafeAddress {
            UnsafePointer(address(of: index))
        }
        nonmutating unsafeMutableAddress {
            address(of: index)
        }
    }

    /// Whether there is an element at `index`, in one comparison: a negative number is a large unsigned one.
    private func has(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: count) }

    /// The address of the first element, for code that keeps its own bounds.
    var unsafeBase: UnsafeMutablePointer<Element> { base }

    /// The address of the element at `index`. Traps outside `indices`.
    package func address(of index: Int) -> UnsafeMutablePointer<Element> {
        precondition(has(index), "index out of range")
        return base + index
    }

    package var span: Span<Element> {
        @_lifetime(borrow self)
        borrowing get {
            _overrideLifetime(Span(_unsafeStart: base, count: count), borrowing: self)
        }
    }

    package var mutableSpan: MutableSpan<Element> {
        @_lifetime(&self)
        mutating get {
            _overrideLifetime(MutableSpan(_unsafeStart: base, count: count), mutating: &self)
        }
    }

    /// The elements of `range` as an array over the same memory.
    package func slice(_ range: Range<Int>) -> FixedArray<Element> {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "slice out of range")
        return FixedArray(base: base + range.lowerBound, count: range.count)
    }

    /// Copies `count` elements from `source` to `destination` within this array; the two may overlap.
    package func move(from source: Int, to destination: Int, count moved: Int) {
        precondition(source >= 0 && destination >= 0 && moved >= 0, "move out of range")
        precondition(source + moved <= count && destination + moved <= count, "move out of range")
        (base + destination).update(from: base + source, count: moved)
    }

    package func fill(_ range: Range<Int>, with value: Element) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "fill out of range")
        (base + range.lowerBound).update(repeating: value, count: range.count)
    }
}

/// A field without a value that makes the compiler pass the struct around it by address.
///
/// Without it a large struct is a loadable value: on armv7em every method that does not mutate it first copies it whole
/// to the stack, although it is not copyable.
@_rawLayout(size: 1, alignment: 1)
struct InPlace: ~Copyable {
    init() {}
}
