/// A fixed number of elements in memory that somebody else owns.
///
/// It is a handle, a pointer and a count, so passing it around or reading through it copies eight bytes, never the
/// elements. An `InlineArray` inside a large struct does not behave so: a non-mutating access on armv7em first copies the
/// whole array to the stack (6,272 bytes for 128 titles of 49 bytes, seen in the disassembly).
///
/// The memory outlives the handle: it is the board's, carved once by a `MemoryArena` before the runtime starts.
public struct FixedArray<Element: BitwiseCopyable>: BitwiseCopyable {
    private let base: UnsafeMutablePointer<Element>
    /// The number of elements.
    public let count: Int

    /// A handle on `count` initialised elements at `base`, which stay valid for as long as any handle on them is used.
    init(base: UnsafeMutablePointer<Element>, count: Int) {
        self.base = base
        self.count = count
    }

    /// The valid positions, `0 ..< count`.
    public var indices: Range<Int> { 0..<count }

    /// The element at `index`. Traps outside `indices`, which would be a bug of ours.
    public subscript(index: Int) -> Element {
        unsafeAddress {
            UnsafePointer(address(of: index))
        }
        nonmutating unsafeMutableAddress {
            address(of: index)
        }
    }

    /// Whether there is an element at `index`: one comparison, for a negative number is a large one without its sign.
    private func has(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: count) }

    /// Where the elements are, for code that keeps its own bounds: `count` of them, initialised, for as long as the memory
    /// that they were taken from.
    var unsafeBase: UnsafeMutablePointer<Element> { base }

    /// Where the element at `index` is. Traps outside `indices`.
    func address(of index: Int) -> UnsafeMutablePointer<Element> {
        precondition(has(index), "index out of range")
        return base + index
    }

    /// The elements, readable.
    public var span: Span<Element> {
        @_lifetime(borrow self)
        borrowing get {
            _overrideLifetime(Span(_unsafeStart: base, count: count), borrowing: self)
        }
    }

    /// The elements, writable.
    public var mutableSpan: MutableSpan<Element> {
        @_lifetime(&self)
        mutating get {
            _overrideLifetime(MutableSpan(_unsafeStart: base, count: count), mutating: &self)
        }
    }

    /// The elements of `range` as an array of their own, over the same memory.
    public func slice(_ range: Range<Int>) -> FixedArray<Element> {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "slice out of range")
        return FixedArray(base: base + range.lowerBound, count: range.count)
    }

    /// Copies `count` elements from `source` to `destination` within this array; the two may overlap.
    public func move(from source: Int, to destination: Int, count moved: Int) {
        precondition(source >= 0 && destination >= 0 && moved >= 0, "move out of range")
        precondition(source + moved <= count && destination + moved <= count, "move out of range")
        (base + destination).update(from: base + source, count: moved)
    }

    /// Sets every element of `range` to `value`.
    public func fill(_ range: Range<Int>, with value: Element) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "fill out of range")
        (base + range.lowerBound).update(repeating: value, count: range.count)
    }
}
