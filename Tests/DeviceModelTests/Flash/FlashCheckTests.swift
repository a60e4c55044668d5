import DeviceModel
import Foundation
import TestDoubles
import TestSupport
import Testing
import Watch

@Suite struct FlashCheckTests {
    private let temporary = TemporaryDirectory()
    private var directory: URL { URL(filePath: temporary.path) }

    private func check(_ bytes: [UInt8]) throws -> FlashCheck {
        let file = directory.appending(path: "watch.flash")
        try? FileManager.default.removeItem(at: file)
        try Data(bytes).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.path) }
        let check = try FlashCheck(path: file.path)
        #expect(Array(try Data(contentsOf: file)) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["watch.flash"])
        return check
    }

    /// Returns the flash of a watch with three items. The wearer has checked off one of them while the phone was out of
    /// reach.
    private func flash() throws -> [UInt8] {
        let bench = try WatchBench(
            phone: InMemoryPhone(items: 3), handler: ShippingHandler(), profile: .instant,
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)))
        bench.connect()
        bench.run(for: .seconds(1))
        bench.radio.cut()
        bench.run(for: .seconds(1))
        bench.tap(0)
        bench.run(for: .seconds(1))
        return bench.flash.contents.contents
    }

    @Test func `what is kept is found`() throws {
        let found = try check(flash())
        #expect(found.findings.origin == .log(generation: 1))
        #expect(found.findings.isComplete && found.findings.damaged == 0 && found.findings.unreadable == 0)
        #expect(found.findings.rows == 2 && found.findings.remaining == 2 && found.findings.identity != nil)
        #expect(found.waiting == [.checkOff(item: 1, title: "Item 1")])
        #expect(!found.isInUse)
    }

    /// 200 KB have room for files. 4 MiB is the size of a firmware's flash file.
    @Test(arguments: [131_072, 204_800, 4_194_304])
    func `the file of a larger chip begins with the log`(_ size: Int) throws {
        let flash = try flash()
        let larger = flash + [UInt8](repeating: 0xFF, count: size - flash.count)
        #expect(try check(larger).waiting == [.checkOff(item: 1, title: "Item 1")])
    }

    @Test func `an interrupted write is no damage`() throws {
        var bytes = try flash()
        let last = try #require(bytes.prefix(bytes.count / 2).lastIndex { $0 != 0xFF })
        // The beginning of a record whose write was interrupted.
        bytes.replaceSubrange((last / 8 * 8 + 8)..<(last / 8 * 8 + 12), with: [1, 2, 3, 4])
        let found = try check(bytes)
        #expect(found.findings.isComplete && found.waiting.count == 1)
    }

    @Test func `a newest record that has decayed is damage`() throws {
        var bytes = try flash()
        let last = try #require(bytes.prefix(bytes.count / 2).lastIndex { $0 != 0xFF })
        // The last record has sixteen bytes, and confirms the record before it. This byte is in the confirmed record.
        bytes[last / 8 * 8 - 16] ^= 0x21
        let damaged = try check(bytes)
        #expect(!damaged.findings.isComplete && damaged.findings.damaged == 1 && damaged.waiting.isEmpty)
    }

    @Test func `one decayed bit costs nothing`() throws {
        var bytes = try flash()
        bytes[66] ^= 0x10
        let repaired = try check(bytes)
        #expect(repaired.findings.isComplete && repaired.waiting.count == 1)
        bytes[66] ^= 0x20
        #expect(try !check(bytes).findings.isComplete)
    }

    @Test func `a chip of ones is a new watch, and one of anything else is none`() throws {
        #expect(try check([UInt8](repeating: 0xFF, count: 65_536)).findings.origin == .blank)
        let noise = try check((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 37) })
        #expect(noise.findings.origin == .unreadable && !noise.findings.isComplete)
    }

    @Test(arguments: [0, 1, 4_095, 65_535])
    func `a file that a watch makes a new chip of is a new watch`(_ size: Int) throws {
        let begun = [UInt8](repeating: 0xFF, count: size)
        let found = try check(begun)
        #expect(found.findings.origin == .blank && found.findings.isComplete)
        let file = directory.appending(path: "started.flash")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(begun).write(to: file)
        _ = try FileFlash(path: file.path, geometry: FlashGeometry(sectorCount: 16))
        #expect(try FlashCheck(path: file.path).findings.origin == .blank)
        guard size > 0 else { return }
        #expect(throws: FlashFileError.self) { try check(begun.dropLast() + [0xFE]) }
    }

    @Test func `what is no flash file is refused in a line`() throws {
        #expect(throws: FlashFileError.self) { try check([1, 2, 3]) }
        #expect(throws: FlashFileError.notAFile(path: directory.path)) { try FlashCheck(path: directory.path) }
        let missing = directory.appending(path: "none").path
        #expect(throws: FlashFileError.cannotOpen(path: missing, code: ENOENT)) { try FlashCheck(path: missing) }
        #expect(!FileManager.default.fileExists(atPath: missing))
    }
}
