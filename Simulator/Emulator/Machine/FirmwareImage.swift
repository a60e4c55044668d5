/// A firmware image for the nRF52832, in one of the formats that build and flash tools write.
package struct FirmwareImage: Sendable {
    package enum Format: String, Sendable {
        case elf = "ELF"
        case hex = "Intel HEX"
        case mcuboot = "MCUboot"
        case raw
    }

    package let format: Format
    /// The contents of the 512 KB of flash. Bytes that the image does not contain are 0xFF.
    package let flash: [UInt8]
    /// The 256 words of UICR, from 0x1000_1000 on. All bytes that the image does not contain are 0xFF.
    package let configuration: [UInt32]
    /// The address of the vector table that the core uses after a reset.
    package let vectors: UInt32
    /// The functions of the image; empty unless it is an ELF file with symbols.
    package let functions: FunctionTable

    package static let flashSize = 512 * 1024
    package static let ram: Range<UInt32> = 0x2000_0000..<0x2001_0000
    private static let configurationStart: UInt32 = 0x1000_1000
    private static let configurationSize = 0x400
    /// The address of the slot from which the PineTime's bootloader starts an MCUboot image.
    private static let firstSlot: UInt32 = 0x8000
    /// The first word of an MCUboot image (MCUboot, "Image format").
    private static let magic: [UInt8] = [0x3D, 0xB8, 0xF3, 0x96]

    /// - Parameter address: the address at which a raw image begins; nil for 0. If the image is not raw, this must be nil.
    /// - Throws: `.addressNotNeeded` if the image is not raw and `address` is not nil; `.misplaced` if a part is outside flash
    ///   and UICR; `.noVectorTable` or `.stackOutsideRAM` if the vector table is wrong; `.truncated` or `.badRecord` if the
    ///   file is damaged; or an error of `ELFImage.init`.
    package init(_ file: [UInt8], at address: UInt32? = nil) throws(EmulatorError) {
        let parts: [ELFImage.Segment]
        var start: UInt32?
        switch FirmwareImage.format(of: file) {
        case .elf:
            let image = try ELFImage(file)
            (format, parts, functions) = (.elf, image.segments, image.functions)
        case .hex:
            (format, parts, functions) = (.hex, try FirmwareImage.hexParts(file), FunctionTable([]))
        case .mcuboot:
            let words = ELFBytes(file)
            let (header, size) = (UInt32(try words.half(8)), Int(try words.word(12)))
            guard file.count >= Int(header) + size else { throw .truncated }
            start = FirmwareImage.firstSlot + header
            (format, functions) = (.mcuboot, FunctionTable([]))
            parts = [ELFImage.Segment(address: FirmwareImage.firstSlot, bytes: file)]
        case .raw:
            start = address ?? 0
            (format, functions) = (.raw, FunctionTable([]))
            parts = [ELFImage.Segment(address: address ?? 0, bytes: file)]
        }
        guard address == nil || format == .raw else { throw .addressNotNeeded(format.rawValue) }
        (flash, configuration) = try FirmwareImage.memory(parts)
        vectors = try FirmwareImage.vectorTable(flash, at: start ?? FirmwareImage.lowest(parts))
    }

    private static func format(of file: [UInt8]) -> Format {
        if file.starts(with: [0x7F, 0x45, 0x4C, 0x46]) { return .elf }
        if file.starts(with: magic) { return .mcuboot }
        // Intel HEX begins with a colon and hexadecimal digits.
        let digits = file.dropFirst().prefix(10)
        let isText = file.first == 0x3A && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        return isText ? .hex : .raw
    }

    private static func lowest(_ parts: [ELFImage.Segment]) -> UInt32 {
        parts.map(\.address).filter { $0 < UInt32(flashSize) }.min() ?? 0
    }

    private static func memory(
        _ parts: [ELFImage.Segment]
    ) throws(EmulatorError) -> (flash: [UInt8], configuration: [UInt32]) {
        var flash = [UInt8](repeating: 0xFF, count: flashSize)
        var configuration = [UInt8](repeating: 0xFF, count: configurationSize)
        for part in parts {
            let end = Int(part.address) + part.bytes.count
            let offset = Int(part.address) - Int(configurationStart)
            if end <= flashSize {
                flash.replaceSubrange(Int(part.address)..<end, with: part.bytes)
            } else if offset >= 0, offset + part.bytes.count <= configurationSize {
                configuration.replaceSubrange(offset..<offset + part.bytes.count, with: part.bytes)
            } else {
                throw .misplaced(part.address)
            }
        }
        let words = stride(from: 0, to: configurationSize, by: 4).map { place in
            configuration[place..<place + 4].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        }
        return (flash, words)
    }

    /// Returns `address` if a vector table begins at this address: a stack pointer in RAM, and then the address of Thumb code
    /// in flash (Armv7-M, B1.5.3). Otherwise throws `.noVectorTable` or `.stackOutsideRAM`.
    private static func vectorTable(_ flash: [UInt8], at address: UInt32) throws(EmulatorError) -> UInt32 {
        guard Int(address) + 8 <= flash.count else { throw .noVectorTable(at: address) }
        let bytes = ELFBytes(flash)
        let (stack, entry) = (try bytes.word(Int(address)), try bytes.word(Int(address) + 4))
        guard entry & 1 == 1, Int(entry) < flashSize, entry > address else { throw .noVectorTable(at: address) }
        guard ram.contains(stack &- 4), stack & 3 == 0 else { throw .stackOutsideRAM(stack) }
        return address
    }
}

/// Reads Intel HEX ("Intel Hexadecimal Object File Format Specification", 1988). A line begins with a colon. Count, address,
/// type, data and checksum follow, in hexadecimal digits.
extension FirmwareImage {
    private static func hexParts(_ file: [UInt8]) throws(EmulatorError) -> [ELFImage.Segment] {
        var parts: [ELFImage.Segment] = []
        var base: UInt32 = 0
        for (index, line) in file.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let text = line.last == 0x0D ? line.dropLast() : line
            if text.isEmpty { continue }
            guard let record = record(text) else { throw .badRecord(line: index + 1) }
            switch record.type {
            case 0:
                let address = base &+ record.address
                if let last = parts.last, last.end == address {
                    parts[parts.count - 1].bytes += record.data
                } else {
                    parts.append(ELFImage.Segment(address: address, bytes: record.data))
                }
            case 1: return parts
            case 2: base = number(record.data) << 4
            case 4: base = number(record.data) << 16
            // The start address, which the vector table also gives.
            case 3, 5: break
            case _: throw .badRecord(line: index + 1)
            }
        }
        // The file has no end record.
        throw .truncated
    }

    private static func number(_ bytes: [UInt8]) -> UInt32 {
        bytes.prefix(2).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Decodes the record in a line. Returns nil if the line is damaged.
    private static func record(_ line: ArraySlice<UInt8>) -> (address: UInt32, type: UInt8, data: [UInt8])? {
        guard line.first == 0x3A, let bytes = HexText.bytes(String(decoding: line.dropFirst(), as: UTF8.self)),
            bytes.count >= 5, bytes.count == Int(bytes[0]) + 5, bytes.reduce(0, &+) == 0
        else { return nil }
        let data = Array(bytes[4..<bytes.count - 1])
        if [2, 4].contains(bytes[3]), data.count != 2 { return nil }
        return (UInt32(bytes[1]) << 8 | UInt32(bytes[2]), bytes[3], data)
    }
}
