import TestDoubles
import Testing
import Watch

@testable import DeviceModel

struct MemoryFlashTests {
    private let geometry = FlashGeometry(pageSize: 64, sectorSize: 256, sectorCount: 4)

    private func read(_ flash: inout MemoryFlash, _ address: Int, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        try flash.readFlash(at: address, into: &span)
        return bytes
    }

    @Test func `A program clears bits and never sets one; asking for that is counted and fails to verify`() throws {
        var flash = MemoryFlash(geometry)
        try flash.programFlash(at: 10, [0xF0, 0x0F].span)
        try flash.programFlash(at: 10, [0x30, 0x0F].span)
        #expect(flash.counts.violations == 0)
        #expect(throws: FlashError.verifyFailed) { try flash.programFlash(at: 10, [0xFF, 0x0F].span) }
        #expect(try read(&flash, 9, 4) == [0xFF, 0x30, 0x0F, 0xFF])
        #expect(flash.counts.violations == 1)
        #expect(flash.counts.programs == 3)
    }

    @Test func `An erase sets every bit of its sector and no other, and wears it`() throws {
        var flash = MemoryFlash(geometry, contents: Array(repeating: 0, count: 1_024))
        try flash.beginErase(sector: 2)
        #expect(
            flash.contents == Array(repeating: 0, count: 512) + Array(repeating: 255, count: 256)
                + Array(repeating: 0, count: 256))
        #expect(flash.eraseCounts == [0, 0, 1, 0])
    }

    @Test(arguments: [-1, 1_023, 1_024, Int.max, Int.min, 63])
    func `What lies outside the chip or crosses a page is refused`(address: Int) {
        var flash = MemoryFlash(geometry)
        #expect(throws: FlashError.outOfRange) { try flash.programFlash(at: address, [0, 0].span) }
        if address != 63 {
            #expect(throws: FlashError.outOfRange) { try read(&flash, address, 2) }
        }
        #expect(throws: FlashError.outOfRange) { try flash.beginErase(sector: 4) }
        #expect(throws: FlashError.outOfRange) { try flash.beginErase(sector: -1) }
        #expect(flash.contents.allSatisfy { $0 == 0xFF })
    }

    @Test func `An erase lasts as many queries as it was told to, and a read of its sector waits for it`() throws {
        var flash = MemoryFlash(geometry, contents: Array(repeating: 0, count: 1_024), eraseEnd: .afterQueries(2))
        try flash.beginErase(sector: 0)
        #expect((0..<3).map { _ in flash.flashActivity } == [.erasing, .erasing, .ready])
        #expect(flash.counts.waits == 0)
        try flash.beginErase(sector: 1)
        #expect(try read(&flash, 256, 1) == [0xFF])
        #expect(flash.counts.waits == 1)
        flash.eraseEnd = .onRequest
        try flash.beginErase(sector: 2)
        #expect((0..<9).allSatisfy { _ in flash.flashActivity == .erasing })
        flash.finishErase()
        #expect(flash.flashActivity == .ready)
    }

    @Test func `A read or a program of another sector suspends an erase, which goes on afterwards`() throws {
        var flash = MemoryFlash(geometry, contents: Array(repeating: 0xF0, count: 1_024), eraseEnd: .onRequest)
        try flash.beginErase(sector: 1)
        try flash.programFlash(at: 0, [0x30].span)
        #expect(try read(&flash, 0, 1) == [0x30])
        #expect(flash.flashActivity == .erasing)
        #expect(flash.counts.suspensions == 2 && flash.counts.waits == 0)
        flash.finishErase()
        #expect(try read(&flash, 256, 1) == [0xFF])
    }

    @Test
    func `When the power fails while an erase is suspended, its sector is undefined, the page is torn, the rest stays`()
        throws
    {
        var sectors: Set<[UInt8]> = []
        for seed in 0..<40 as Range<UInt64> {
            var flash = MemoryFlash(geometry, contents: Array(repeating: 0xF0, count: 1_024), eraseEnd: .onRequest)
            try flash.beginErase(sector: 1)
            flash.failPower(afterOperations: 0, seed: seed)
            #expect(throws: FlashError.notResponding) { try flash.programFlash(at: 0, [0x30].span) }
            flash.restorePower()
            #expect(flash.flashActivity == .ready)
            #expect((flash.contents[1..<256] + flash.contents[512...]).allSatisfy { $0 == 0xF0 })
            sectors.insert(try read(&flash, 256, 256))
        }
        #expect(sectors.contains(Array(repeating: 0xF0, count: 256)))
        #expect(sectors.contains(Array(repeating: 0xFF, count: 256)))
        #expect(sectors.count > 5)
    }

    @Test
    func `When the power fails, what was being written is torn, the rest stays, and nothing answers until it is back`()
        throws
    {
        var kinds: Set<[UInt8]> = []
        for seed in 0..<40 as Range<UInt64> {
            var flash = MemoryFlash(geometry)
            flash.failPower(afterOperations: 1, seed: seed)
            try flash.programFlash(at: 0, [1, 2].span)
            #expect(throws: FlashError.notResponding) { try flash.programFlash(at: 8, [0, 0, 0].span) }
            #expect(throws: FlashError.notResponding) { try flash.beginErase(sector: 0) }
            #expect(throws: FlashError.notResponding) { try read(&flash, 0, 1) }
            flash.restorePower()
            #expect(try read(&flash, 0, 2) == [1, 2])
            #expect(flash.contents[11...].allSatisfy { $0 == 0xFF })
            kinds.insert(try read(&flash, 8, 3))
        }
        #expect(kinds.contains([0, 0, 0]) && kinds.contains([255, 255, 255]) && kinds.count > 5)
    }

    @Test func `An operation that was told to fail fails once, by half, and the chip goes on`() throws {
        var flash = MemoryFlash(geometry)
        flash.failOnce(with: .verifyFailed, afterOperations: 1, seed: 3)
        try flash.programFlash(at: 0, [0].span)
        #expect(throws: FlashError.verifyFailed) { try flash.beginErase(sector: 0) }
        try flash.programFlash(at: 300, [7].span)
        #expect(try read(&flash, 300, 1) == [7])
    }

    @Test func `A worn sector keeps nothing`() throws {
        var flash = MemoryFlash(geometry)
        flash.wearOut(sector: 1)
        #expect(throws: FlashError.verifyFailed) { try flash.programFlash(at: 256, [0].span) }
        #expect(try read(&flash, 256, 1) == [0xFF])
        try flash.programFlash(at: 0, [0].span)
    }
}
