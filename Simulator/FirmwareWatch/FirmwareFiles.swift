import DeviceModel
import Glibc
import HostSystem
import MPS2Memory

/// Checks an image before the emulator runs it. The emulator would run any file, even text.
package enum ImageFile {
    /// Checks that the file is a complete program for a 32-bit Arm processor.
    ///
    /// - Throws: `.noImage`, `.unreadableImage`, `.notAnImage` or `.truncatedImage`.
    package static func check(_ path: String) throws(FirmwareError) {
        // Without O_NONBLOCK, `open` would wait for the writer of a pipe.
        let descriptor: CInt
        do throws(HostSystemError) {
            descriptor = try Descriptors.open(path, O_RDONLY | O_NONBLOCK)
        } catch {
            throw error.reason == .noSuchFileOrDirectory
                ? .noImage(path: path) : .unreadableImage(path: path, errno: error.reason.rawValue)
        }
        defer { close(descriptor) }
        let head = bytes(headSize, at: 0, of: descriptor)
        guard isProgram(head) else { throw .notAnImage(path: path) }
        guard head.count == headSize, isWhole(head, descriptor) else { throw .truncatedImage(path: path) }
    }

    /// The size of the header in a 32-bit ELF file (elf(5): `Elf32_Ehdr`).
    private static let headSize = 52

    /// Whether the file is 32-bit, little-endian ELF for Arm (elf(5): `e_ident`, `e_machine` 40).
    private static func isProgram(_ head: [UInt8]) -> Bool {
        head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 1, 1]) && head.count >= 20 && head[18] == 40 && head[19] == 0
    }

    /// Whether the file contains all segments to load. Offsets are from elf(5): `e_phoff` 28, `e_phentsize` 42, `e_phnum` 44.
    /// In a segment, `p_type` at 0 is 1 if it is loaded, `p_offset` is at 4 and `p_filesz` at 16.
    private static func isWhole(_ head: [UInt8], _ descriptor: CInt) -> Bool {
        let table = number(4, at: 28, of: head)
        let entrySize = number(2, at: 42, of: head)
        let size = Int(lseek(descriptor, 0, SEEK_END))
        return (0..<number(2, at: 44, of: head)).allSatisfy { index in
            let entry = bytes(20, at: table + index * entrySize, of: descriptor)
            guard entry.count == 20 else { return false }
            let end = number(4, at: 4, of: entry) + number(4, at: 16, of: entry)
            return number(4, at: 0, of: entry) != 1 || end <= size
        }
    }

    private static func bytes(_ count: Int, at offset: Int, of descriptor: CInt) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, offset))
        }
    }

    /// Reads a little-endian number.
    private static func number(_ count: Int, at offset: Int, of bytes: [UInt8]) -> Int {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// The file of the firmware's flash chip. It is as large as the board's memory, which begins with the chip.
///
/// The emulator maps the file into its memory, so programmed bytes survive the kill of any process. The file is locked while
/// this value exists.
package struct FirmwareFlash: ~Copyable, Sendable {
    /// Size of the chip: 64 KB for the journal (the watch's log) and 136 KB for files.
    package static var chipSize: Int { FlashChip.geometry.capacity }
    /// Size of the board's memory: 16 MB. Most of the file is a hole.
    package static var memorySize: Int { FlashChip.memorySize }

    package let path: String
    private let file: FlashFile

    /// Opens the file of a chip, or creates one with an erased chip.
    ///
    /// - Throws: `FlashFileError`. The file is then unchanged.
    package init(path: String) throws(FlashFileError) {
        self.path = path
        file = try FlashFile(path: path, chip: FirmwareFlash.chipSize, size: FirmwareFlash.memorySize)
    }
}

/// The reason why the firmware cannot run. The description is one line and says what to do.
package enum FirmwareError: Error, Equatable, Sendable {
    case noEmulator
    case noImage(path: String)
    case unreadableImage(path: String, errno: CInt)
    case notAnImage(path: String)
    case truncatedImage(path: String)
    case stopped(String)
    case systemCall(String, errno: CInt)
}

extension FirmwareError {
    init(_ error: HostSystemError) { self = .systemCall(error.call, errno: error.reason.rawValue) }
}

extension FirmwareError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noEmulator: "qemu-system-arm is not installed: apt-get install qemu-system-arm"
        case .noImage(let path): "no firmware image at \(path): run Hardware/build"
        case .unreadableImage(let path, let number):
            "\(path): the firmware image cannot be read: \(String(cString: strerror(number)))"
        case .notAnImage(let path): "\(path) is no firmware image: run Hardware/build, which makes one"
        case .truncatedImage(let path):
            "\(path) ends before the program in it does: run Hardware/build, which makes it anew"
        case .stopped(let what): what
        case .systemCall(let call, let number): "\(call): \(String(cString: strerror(number)))"
        }
    }
}
