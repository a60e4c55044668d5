import DeviceModel
import Foundation
import Testing
import Watch

@testable import FirmwareWatch

struct FirmwareFlashTests {
    @Test func `a new file begins with an erased chip`() throws {
        let directory = try TemporaryDirectory()
        _ = try FirmwareFlash(path: directory.file("flash"))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.file("flash")))
        #expect(bytes.count == 16 << 20)
        #expect(bytes.prefix(204_800).allSatisfy { $0 == 0xFF })
        #expect(bytes.dropFirst(204_800).prefix(4_096).allSatisfy { $0 == 0 })
    }

    @Test func `a file that is there stays as it is`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("flash")
        _ = try FirmwareFlash(path: path)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.write(contentsOf: [1, 2, 3])
        try file.close()
        _ = try FirmwareFlash(path: path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(4) == Data([1, 2, 3, 0xFF]))
    }

    @Test func `the flash of a simulated watch is refused`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("flash")
        try Data([1] + [UInt8](repeating: 0xFF, count: 65_535)).write(to: URL(fileURLWithPath: path))
        #expect(throws: FlashFileError.wrongSize(path: path, expected: 16 << 20, found: 65_536)) {
            _ = try FirmwareFlash(path: path)
        }
    }
}
