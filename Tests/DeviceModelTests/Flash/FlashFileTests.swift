import Foundation
import Testing
import Watch

@testable import DeviceModel

private struct Scratch: ~Copyable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/tapline-flash-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/watch.flash" }

    func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }

    func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file))) }
}

/// Opens the file as a flash chip, and closes it again. Returns the error; nil if the file can be opened.
private func refusal(_ path: String) -> FlashFileError? {
    do {
        _ = try FileFlash(path: path, geometry: FlashGeometry(sectorCount: 4))
        return nil
    } catch {
        return error
    }
}

struct FileFlashTests {
    private let geometry = FlashGeometry(sectorCount: 4)

    @Test func `A new file is as long as the chip and erased throughout, for its owner alone`() throws {
        let scratch = try Scratch()
        #expect(refusal(scratch.file) == nil)
        #expect(try scratch.bytes() == Array(repeating: 0xFF, count: 16_384))
        let mode = try FileManager.default.attributesOfItem(atPath: scratch.file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `A file of another user is refused, and not written to`() throws {
        let scratch = try Scratch()
        try scratch.write([])
        #expect(throws: FlashFileError.foreign(path: scratch.file, user: geteuid())) {
            _ = try FlashFile(path: scratch.file, size: 16_384, user: geteuid() + 1)
        }
        #expect(try scratch.bytes().isEmpty)
    }

    @Test
    func `A file that others could read is for its owner alone once it is opened; one that is refused stays as it is`()
        throws
    {
        let scratch = try Scratch()
        #expect(refusal(scratch.file) == nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: scratch.file)
        #expect(refusal(scratch.file) == nil)
        #expect(try FileManager.default.attributesOfItem(atPath: scratch.file)[.posixPermissions] as? Int == 0o600)
        try scratch.write([1, 2, 3])
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: scratch.file)
        #expect(refusal(scratch.file) != nil)
        #expect(try FileManager.default.attributesOfItem(atPath: scratch.file)[.posixPermissions] as? Int == 0o644)
    }

    @Test func `What was programmed is there when the file is opened again, without any closing words`() throws {
        let scratch = try Scratch()
        let flash = try FileFlash(path: scratch.file, geometry: geometry)
        try flash.programFlash(at: 4_096, [1, 2, 3].span)
        try flash.programFlash(at: 4_097, [0].span)
        // Reads the file while the chip is open. A killed process leaves the same bytes.
        #expect(try scratch.bytes()[4_095..<4_100] == [0xFF, 1, 0, 3, 0xFF])
        #expect(throws: FlashError.verifyFailed) { try flash.programFlash(at: 4_097, [1].span) }
        #expect(throws: FlashError.outOfRange) { try flash.programFlash(at: 255, [1, 1].span) }
        #expect(throws: FlashError.outOfRange) { try flash.programFlash(at: -1, [1].span) }
        try flash.beginErase(sector: 1)
        #expect(throws: FlashError.outOfRange) { try flash.beginErase(sector: 4) }
        #expect(try scratch.bytes().allSatisfy { $0 == 0xFF })
    }

    @Test func `Two watches cannot share a file; when the first is gone the second may have it`() throws {
        let scratch = try Scratch()
        do {
            let flash = try FileFlash(path: scratch.file, geometry: geometry)
            #expect(refusal(scratch.file) == .inUse(path: scratch.file))
            try flash.programFlash(at: 0, [7].span)
        }
        #expect(refusal(scratch.file) == nil)
        #expect(try scratch.bytes()[0] == 7)
    }

    @Test(arguments: [1, 4_096, 16_383, 16_385, 65_536])
    func `A file of another size is refused and left alone`(size: Int) throws {
        let scratch = try Scratch()
        let contents = Array("a text".utf8) + Array(repeating: 0xFF, count: size)
        try scratch.write(Array(contents.prefix(size)))
        #expect(refusal(scratch.file) == .wrongSize(path: scratch.file, expected: 16_384, found: size))
        #expect(try scratch.bytes() == Array(contents.prefix(size)))
    }

    @Test func `A file whose making was interrupted is finished`() throws {
        let scratch = try Scratch()
        try scratch.write(Array(repeating: 0xFF, count: 5_000))
        #expect(refusal(scratch.file) == nil)
        #expect(try scratch.bytes() == Array(repeating: 0xFF, count: 16_384))
    }

    @Test func `What is no regular file, or cannot be made, is refused`() throws {
        let scratch = try Scratch()
        #expect(refusal(scratch.path) == .notAFile(path: scratch.path))
        #expect(mkfifo(scratch.file, 0o600) == 0)
        #expect(refusal(scratch.file) == .notAFile(path: scratch.file))
        let missing = scratch.path + "/no/such/watch.flash"
        #expect(refusal(missing) == .cannotOpen(path: missing, code: ENOENT))
    }

    @Test func `A file that is cut short behind the watch's back stops answering`() throws {
        let scratch = try Scratch()
        let flash = try FileFlash(path: scratch.file, geometry: geometry)
        #expect(truncate(scratch.file, 100) == 0)
        #expect(throws: FlashError.notResponding) { try flash.programFlash(at: 4_096, [1].span) }
    }

    @Test
    func `A file that was moved, or that another took the place of, keeps nothing more until it is back`() throws {
        let scratch = try Scratch()
        let flash = try FileFlash(path: scratch.file, geometry: geometry)
        let away = scratch.path + "/away"
        try FileManager.default.moveItem(atPath: scratch.file, toPath: away)
        #expect(throws: FlashError.notResponding) { try flash.programFlash(at: 0, [1].span) }
        try FileManager.default.copyItem(atPath: away, toPath: scratch.file)
        #expect(throws: FlashError.notResponding) { try flash.programFlash(at: 0, [1].span) }
        #expect(throws: FlashError.notResponding) { try flash.beginErase(sector: 0) }
        try FileManager.default.removeItem(atPath: scratch.file)
        try FileManager.default.moveItem(atPath: away, toPath: scratch.file)
        try flash.programFlash(at: 0, [1].span)
        #expect(try scratch.bytes()[0] == 1)
    }
}
