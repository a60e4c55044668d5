import DeviceModel
import Foundation
import Testing
import Watch

/// The examination of a flash file: what was frozen is found, damage is named with its place, and nothing is written.
@Suite struct FlashCheckTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "tl-\(UInt32.random(in: 1 ... .max))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    /// The examination of a file with these bytes, which may only be read and is the same afterwards.
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

    @Test(arguments: FrozenFlashTests.flashes) func `what was frozen is found`(_ file: FrozenFile) throws {
        let written = try WrittenDown(try file.beside("expected").text())
        let check = try check(try file.bytes())
        if !written["watch row"].isEmpty {
            #expect(check.rows.count == written["watch row"].count)
            for (row, title) in zip(check.rows, written["watch row"]) {
                #expect(row == title || row.hasSuffix("…") && title.hasPrefix(row.dropLast()))
            }
        }
        #expect(check.findings.isComplete)
        let titles = check.waiting.map { waiting -> String? in
            switch waiting {
            case .checkOff(_, let title), .addition(_, let title): title
            case .reload, .handler: nil
            }
        }
        // The title of an item in a lost record is unknown.
        #expect(titles == written["watch waiting"] || file.name == "links/epoch.flash" && titles.count == 1)
    }

    @Test func `an interrupted write is told with its place and is no damage`() throws {
        let kept = FrozenFile(version: "1", name: "pairs/kept.flash")
        let check = try check(try kept.bytes())
        #expect(check.findings.tornBytes == 16)
        #expect(check.stretches.last?.addresses.lowerBound == 0xBC70)
        #expect(check.findings.isComplete)
    }

    @Test func `a decayed byte is told with its place`() throws {
        var bytes = try FrozenFile(version: "1", name: "links/resume.flash").bytes()
        bytes[0x12C] ^= 0x21
        let check = try check(bytes)
        #expect(!check.findings.isComplete)
        #expect(check.findings.damaged == 1)
        #expect(check.stretches.contains { $0.addresses.contains(0x12C) })
    }

    @Test func `a newest record that has decayed is damage, and what said that it was whole is none`() throws {
        let bench = try WatchBench(
            phone: SimulatedPhone(items: 3), handler: ShippingHandler(), profile: .instant,
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)))
        bench.connect()
        bench.run(for: .seconds(1))
        bench.radio.cut()
        bench.run(for: .seconds(1))
        bench.tap(0)
        bench.run(for: .seconds(1))
        var bytes = bench.flash.contents.contents
        let whole = try check(bytes)
        #expect(whole.findings.isComplete && whole.waiting.count == 1 && whole.stretches.isEmpty)
        let last = try #require(bytes.prefix(bytes.count / 2).lastIndex { $0 != 0xFF })
        // The record before the one of sixteen bytes at the end.
        let place = last / 8 * 8 - 16
        bytes[place] ^= 0x21
        let damaged = try check(bytes)
        #expect(!damaged.findings.isComplete && damaged.findings.damaged == 1 && damaged.waiting.isEmpty)
        #expect(damaged.stretches.count == 1 && damaged.stretches[0].addresses.contains(place))
    }

    @Test(
        arguments: [
            FlashGeometry(pageSize: 128, sectorSize: 1_024, sectorCount: 16),
            FlashGeometry(pageSize: 64, sectorSize: 2_048, sectorCount: 9),
            FlashGeometry(pageSize: 512, sectorSize: 8_192, sectorCount: 4), FlashGeometry(sectorCount: 15),
            FlashGeometry(sectorCount: 256),
        ])
    func `a chip of another size is read as the one that its log was written on`(_ geometry: FlashGeometry) throws {
        let bench = try WatchBench(
            phone: SimulatedPhone(items: 3), handler: ShippingHandler(), profile: .instant, flash: MemoryFlash(geometry)
        )
        bench.connect()
        bench.run(for: .seconds(1))
        bench.radio.cut()
        bench.tap(0)
        bench.run(for: .seconds(1))
        var bytes = bench.flash.contents.contents
        let found = try check(bytes)
        #expect(found.findings.isComplete && found.rows == ["Item 2", "Item 3"])
        #expect(found.waiting == [.checkOff(item: 1, title: "Item 1")])
        #expect(found.records.allSatisfy { $0.name != nil }, "\(found.records)")
        bytes[Int(found.findings.firstRecord) + 2] ^= 0x10
        let repaired = try check(bytes)
        #expect(repaired.findings.isComplete && repaired.findings.repaired == 1 && repaired.waiting == found.waiting)
        bytes[Int(found.findings.firstRecord) + 2] ^= 0x20
        #expect(try !check(bytes).findings.isComplete)
    }

    @Test func `a chip of ones is a new watch, and one of anything else is none`() throws {
        let blank = try check([UInt8](repeating: 0xFF, count: 65_536))
        guard case .blank = blank.findings.origin else { return #expect(Bool(false), "\(blank.findings.origin)") }
        let noise = try check((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 37) })
        guard case .unreadable = noise.findings.origin else { return #expect(Bool(false), "\(noise.findings.origin)") }
        #expect(!noise.findings.isComplete)
    }

    @Test(arguments: [0, 1, 4_095, 65_535])
    func `a file that a watch makes a new chip of is one for the examination too`(_ size: Int) throws {
        let begun = [UInt8](repeating: 0xFF, count: size)
        let found = try check(begun)
        #expect(found.extent == .begun(bytes: size))
        guard case .blank = found.findings.origin else { return #expect(Bool(false), "\(found.findings.origin)") }
        #expect(found.findings.isComplete)
        let file = directory.appending(path: "started.flash")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(begun).write(to: file)
        _ = try FileFlash(path: file.path, geometry: FlashGeometry(sectorCount: 16))
        let whole = try FlashCheck(path: file.path)
        #expect(whole.extent == .whole)
        guard case .blank = whole.findings.origin else { return #expect(Bool(false), "\(whole.findings.origin)") }
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
