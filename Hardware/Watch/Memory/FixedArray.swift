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
