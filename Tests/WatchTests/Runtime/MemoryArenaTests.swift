import Testing

@testable import Watch

struct MemoryArenaTests {
    private let memory = PartMemory()

    @Test func `elements are aligned and set to their value`() {
        var arena = memory.arena
        let bytes = arena.take(3, of: 7 as UInt8)
        let words = arena.take(2, of: 9 as UInt32)
        let used = arena.used
        #expect(bytes.indices.allSatisfy { bytes[$0] == 7 })
        #expect(words.indices.allSatisfy { words[$0] == 9 })
        #expect(UInt(bitPattern: words.unsafeBase) % 4 == 0)
        #expect(used == 12)
    }

    @Test func `a slice shares its memory`() {
        var arena = memory.arena
        let all = arena.take(8, of: 0 as UInt8)
        let slice = all.slice(2..<5)
        slice[0] = 1
        slice[2] = 3
        #expect(slice.count == 3)
        #expect(all.indices.map { all[$0] } == [0, 0, 1, 0, 3, 0, 0, 0])
    }

    @Test func `ranges that overlap are moved as a whole`() {
        var arena = memory.arena
        let numbers = arena.take(6, of: 0)
        for index in numbers.indices { numbers[index] = index }
        numbers.move(from: 0, to: 1, count: 4)
        #expect(numbers.indices.map { numbers[$0] } == [0, 0, 1, 2, 3, 5])
        numbers.move(from: 2, to: 0, count: 4)
        #expect(numbers.indices.map { numbers[$0] } == [1, 2, 3, 5, 3, 5])
        numbers.fill(1..<3, with: 8)
        #expect(numbers.indices.map { numbers[$0] } == [1, 8, 8, 5, 3, 5])
    }
}

final class PartMemory {
    private let memory: UnsafeMutableRawBufferPointer

    init(bytes: Int = 65_536) {
        memory = .allocate(byteCount: bytes, alignment: 16)
    }

    deinit {
        memory.deallocate()
    }

    var arena: MemoryArena { MemoryArena(memory) }
}
