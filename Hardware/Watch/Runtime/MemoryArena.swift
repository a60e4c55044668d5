/// An allocator of arrays, which takes the place of a heap. All arrays are in one block of memory, and are never freed. If a
/// type has `init(arena:)`, its `memorySize` is the number of bytes that this initialiser allocates, without padding for
/// alignment.
package struct MemoryArena: ~Copyable {
    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    package private(set) var used = 0

    /// Makes an arena that allocates from `region`. While any of its arrays is in use, `region` must stay valid and
    /// have no other user.
    package init(_ region: UnsafeMutableRawBufferPointer) {
        guard let base = region.baseAddress else { preconditionFailure("an arena needs memory") }
        self.base = base
        capacity = region.count
    }

    /// Allocates an array of `count` elements with the same initial value. Traps if the arena has too little room.
    package mutating func take<Element: BitwiseCopyable>(
        _ count: Int, of value: @autoclosure () -> Element
    ) -> FixedArray<Element> {
        let start = reserve(count * MemoryLayout<Element>.stride, alignment: MemoryLayout<Element>.alignment)
        let elements = start.bindMemory(to: Element.self, capacity: count)
        MemoryArena.fill(elements, count, with: value)
        return FixedArray(base: elements, count: count)
    }

    /// Reserves `size` bytes. `alignment` must be a power of two. This function is not generic, so the image contains
    /// its code only once.
    @inline(never)
    private mutating func reserve(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer {
        let start = (used &+ alignment &- 1) & ~(alignment &- 1)
        let (end, overflow) = start.addingReportingOverflow(size)
        precondition(!overflow && end <= capacity, "the memory arena is exhausted")
        used = end
        return base + start
    }

    /// Fills an array. If this were inlined, the compiler would unroll a loop with a constant `count` into 2 KB of
    /// store instructions. `value` is a closure: otherwise the function that makes a watch would have the initial
    /// values of all parts on its stack at once.
    @inline(never)
    private static func fill<Element: BitwiseCopyable>(
        _ elements: UnsafeMutablePointer<Element>, _ count: Int, with value: () -> Element
    ) {
        elements.initialize(repeating: value(), count: count)
    }
}

/// An array of fixed length in a `MemoryArena`. It is only a pointer and a count, so all copies share the elements. An
/// `InlineArray` would be slow: on armv7em, each non-mutating access to a struct that contains an `InlineArray` first
/// copies the whole array to the stack. For 128 titles, that is 6,272 bytes.
package struct FixedArray<Element: BitwiseCopyable>: BitwiseCopyable {
    private let base: UnsafeMutablePointer<Element>
    package let count: Int

    /// Makes an array of the `count` elements at `base`. They must be initialised, and stay valid as long as the array
    /// is used.
    init(base: UnsafeMutablePointer<Element>, count: Int) {
        self.base = base
        self.count = count
    }

    package var indices: Range<Int> { 0..<count }

    package subscript(index: Int) -> Element {
        unsafeAddress {
            UnsafePointer(address(of: index))
        }
        nonmutating unsafeMutableAddress {
            address(of: index)
        }
    }

    /// Whether `index` is in range. A negative index becomes a large unsigned number, so one comparison is enough.
    private func has(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: count) }

    /// The address of the first element, for code with its own bounds checks.
    var unsafeBase: UnsafeMutablePointer<Element> { base }

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

    package func slice(_ range: Range<Int>) -> FixedArray<Element> {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "slice out of range")
        return FixedArray(base: base + range.lowerBound, count: range.count)
    }

    /// Copies `moved` elements within the array. The two ranges may overlap.
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

/// Iterates over the cases of an enum whose raw values count from 0 without gaps. `allCases` would need a heap.
struct EachCase<Case: RawRepresentable> where Case.RawValue == UInt8 {
    private var number: UInt8 = 0

    mutating func next() -> Case? {
        defer { number &+= 1 }
        return Case(rawValue: number)
    }

    /// Returns the case with the raw value `rawValue + step`. The first case follows the last.
    static func neighbour(of rawValue: UInt8, by step: Int) -> Case? {
        var cases = EachCase<Case>()
        var count = 0
        while cases.next() != nil { count += 1 }
        return Case(rawValue: UInt8(truncatingIfNeeded: ((Int(rawValue) + step) % count + count) % count))
    }
}

/// A marker: if a struct has a field of this type, the compiler passes the struct by address. Without this field, each
/// call of a non-mutating method of a large struct first copies the struct to the stack on armv7em.
@_rawLayout(size: 1, alignment: 1)
struct InPlace: ~Copyable {
    init() {}
}
