@testable import Watch

/// Memory for a part of a watch under test.
final class PartMemory {
    private let memory: UnsafeMutableRawBufferPointer

    init(bytes: Int = 65_536) {
        memory = .allocate(byteCount: bytes, alignment: 16)
    }

    deinit {
        memory.deallocate()
    }

    /// An arena over all of the memory.
    var arena: MemoryArena { MemoryArena(memory) }
}
