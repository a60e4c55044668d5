import Glibc

/// The file of a firmware image, looked at before the emulator is: that one runs whatever it is given, text as well.
enum ImageFile {
    /// Makes sure that there is a program for a 32-bit ARM at `path`.
    ///
    /// - Throws: `.noImage`, `.unreadableImage` or `.notAnImage`.
    static func check(_ path: String) throws(FirmwareError) {
        // Without O_NONBLOCK a pipe of that name would keep this waiting for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .noImage(path: path) : .unreadableImage(path: path, errno: errno)
        }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: headSize)
        guard read(descriptor, &head, headSize) == headSize, isProgram(head) else { throw .notAnImage(path: path) }
    }

    /// Bytes of an ELF file up to and with the machine that it is for.
    private static let headSize = 20

    /// Whether a file that begins like this is an ELF file of 32 bits, little-endian, for ARM (elf(5): `e_ident`,
    /// `e_machine` 40).
    private static func isProgram(_ head: [UInt8]) -> Bool {
        head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 1, 1]) && head[18] == 40 && head[19] == 0
    }
}
