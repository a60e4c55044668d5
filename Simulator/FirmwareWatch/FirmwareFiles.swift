import DeviceModel
import Glibc
import HostSystem
import MPS2Memory

/// The file of a firmware image, looked at before the emulator is: that one runs whatever it is given, text as well.
package enum ImageFile {
    /// Makes sure that there is a whole program for a 32-bit ARM at `path`.
    ///
    /// - Throws: `.noImage`, `.unreadableImage`, `.notAnImage` or `.truncatedImage`.
    package static func check(_ path: String) throws(FirmwareError) {
        // Without O_NONBLOCK a pipe of that name would keep this waiting for a writer.
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

    /// Bytes of the header of an ELF file of 32 bits (elf(5): `Elf32_Ehdr`).
    private static let headSize = 52

    /// Whether a file that begins like this is an ELF file of 32 bits, little-endian, for ARM (elf(5): `e_ident`,
    /// `e_machine` 40).
    private static func isProgram(_ head: [UInt8]) -> Bool {
        head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 1, 1]) && head.count >= 20 && head[18] == 40 && head[19] == 0
    }

    /// Whether the parts that are loaded are in the file (elf(5): `e_phoff` 28, `e_phentsize` 42, `e_phnum` 44; `p_type` 0
    /// with 1 for a part to be loaded, `p_offset` 4, `p_filesz` 16).
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

    /// Up to `count` bytes from `offset` on.
    private static func bytes(_ count: Int, at offset: Int, of descriptor: CInt) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, offset))
        }
    }

    /// The number, least significant byte first, that `count` bytes at `offset` make.
    private static func number(_ count: Int, at offset: Int, of bytes: [UInt8]) -> Int {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// The file of the firmware's flash chip: the whole memory that begins with the chip.
///
/// The emulator maps the file itself, so what was programmed outlives a kill of any process. The file is locked for as long
/// as this exists.
package struct FirmwareFlash: ~Copyable, Sendable {
    /// Bytes of the chip: 64 KB of the journal and 136 KB of files.
    package static var chipSize: Int { FlashChip.geometry.capacity }
    /// Bytes of the board's memory that begins with the chip: 16 MB, most of it a hole in the file.
    package static var memorySize: Int { FlashChip.memorySize }

    package let path: String
    private let file: FlashFile

    /// The chip in the file at `path`, made, erased throughout, where there is none.
    ///
    /// - Throws: `FlashFileError`. Of a file that is refused nothing is changed.
    package init(path: String) throws(FlashFileError) {
        self.path = path
        file = try FlashFile(path: path, chip: FirmwareFlash.chipSize, size: FirmwareFlash.memorySize)
    }
}

/// Why the firmware cannot be run. The description is one line and says what to do.
package enum FirmwareError: Error, Equatable, Sendable {
    /// The emulator is not on PATH.
    case noEmulator
    /// There is no file to be run.
    case noImage(path: String)
    /// The file may not be read: the errno.
    case unreadableImage(path: String, errno: CInt)
    /// The file is no program for the board's processor.
    case notAnImage(path: String)
    /// The file ends before the program in it does.
    case truncatedImage(path: String)
    /// The machine ended, or does not answer: what happened.
    case stopped(String)
    /// A call of the operating system failed: its name, and the errno it left.
    case systemCall(String, errno: CInt)
}

extension FirmwareError {
    /// A failed call of the operating system.
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
