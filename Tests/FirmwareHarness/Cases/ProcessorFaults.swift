import FirmwareWatch
import Foundation
import Watch

/// A fault prints the registers on the console and ends the machine with a failure.
enum ProcessorFaults {
    /// Machine code of the Thumb set, and how the console begins after it.
    private static let planted: [(code: [UInt8], complaint: @Sendable (UInt32) -> String)] = [
        // An instruction that is not defined.
        ([0x00, 0xDE], { "usage fault pc " + hexadecimal($0) + " lr " }),
        // Pushes eight registers for ever.
        ([0xFF, 0xB4, 0xFD, 0xE7], { _ in "stack overflow pc " }),
    ]

    private static func hexadecimal(_ address: UInt32) -> String {
        let digits = String(address, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    static func run(_ setting: HarnessSetting) throws {
        for (code, complaint) in planted {
            let path = setting.file("image")
            let address = try plant(code, in: setting.image, at: "sendDescription", copy: path)
            let machine = try setting.idleMachine(image: path)
            machine.tell(.describe)
            let (status, console) = try machine.awaitEnd()
            try require(
                status == 70 && console.hasPrefix(complaint(address)), "status \(status ?? -1), console \(console)")
        }
    }

    /// Writes a copy of the image in which a function begins with other machine code. Returns the function's address.
    private static func plant(_ code: [UInt8], in image: String, at name: String, copy: String) throws -> UInt32 {
        var data = try Data(contentsOf: URL(filePath: image))
        let elf = try ELFImage([UInt8](data))
        guard let function = elf.symbols.first(where: { $0.kind == .function && $0.name.contains(name) }),
            let section = elf.sections.first(where: { $0.name == ".text" })
        else { throw HarnessFailure("the image has no function \(name)") }
        let place = Int(function.address - section.address) + section.offset
        data.replaceSubrange(place..<place + code.count, with: code)
        try data.write(to: URL(filePath: copy))
        return function.address
    }
}
