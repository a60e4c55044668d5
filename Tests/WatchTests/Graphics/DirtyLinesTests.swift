import Testing

@testable import Watch

@Suite struct DirtyLinesTests {
    @Test func givesEveryLineBackOnceInOrder() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
        defer { memory.deallocate() }
        var arena = MemoryArena(memory)
        var lines = DirtyLines(arena: &arena)
        let used = arena.used
        #expect(used == DirtyLines.memorySize && lines.count == 0)
        for line in [167, 0, 31, 32, 95, 96, 0] { lines.insert(line) }
        lines.insert(60..<63)
        #expect(lines.count == 9 && lines.contains(61) && !lines.contains(63))
        var found: [Int] = []
        while let line = lines.removeFirst(from: found.last.map { $0 + 1 } ?? 0) { found.append(line) }
        #expect(found == [0, 31, 32, 60, 61, 62, 95, 96, 167])
        #expect(lines.count == 0)
        let none = lines.removeFirst(from: 168)
        #expect(none == nil)
    }
}
