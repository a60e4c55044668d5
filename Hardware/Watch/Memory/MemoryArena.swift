/// Hands out parts of one block of memory, front to back, and never takes any back.
///
/// The runtime takes all its memory this way when it is made, so that what it needs is known before it runs: there is no
/// heap on the device, and running out is found by the first test, not on a wrist.
public struct MemoryArena: ~Copyable {
    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    /// The bytes handed out so far, padding for alignment included.
    public private(set) var used = 0

    /// An arena over `region`, which must stay valid and be used by nobody else for as long as anything taken from it.
    public init(_ region: UnsafeMutableRawBufferPointer) {
        guard let base = region.baseAddress else { preconditionFailure("an arena needs memory") }
        self.base = base
        capacity = region.count
    }

    /// Takes room for `count` elements, each set to `value`. Traps when the arena is exhausted, which is a bug of ours.
    public mutating func take<Element: BitwiseCopyable>(
        _ count: Int, of value: @autoclosure () -> Element
    ) -> FixedArray<Element> {
        let alignment = MemoryLayout<Element>.alignment
        let start = (used + alignment - 1) / alignment * alignment
        let end = start + count * MemoryLayout<Element>.stride
        precondition(end <= capacity, "the memory arena is exhausted")
        used = end
        let elements = (base + start).bindMemory(to: Element.self, capacity: count)
        MemoryArena.fill(elements, count, with: value)
        return FixedArray(base: elements, count: count)
    }

    /// Out of line, because a loop whose count the compiler knows is unrolled: 2 KB of stores. The value is made in here: the
    /// function that makes a watch would otherwise have those of all its parts on the stack at once.
    @inline(never)
    private static func fill<Element: BitwiseCopyable>(
        _ elements: UnsafeMutablePointer<Element>, _ count: Int, with value: () -> Element
    ) {
        elements.initialize(repeating: value(), count: count)
    }
}
