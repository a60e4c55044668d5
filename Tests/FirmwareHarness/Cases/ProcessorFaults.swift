import FirmwareWatch
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
            let address = try PlantedCode.write(code, over: "sendDescription", of: setting.image, to: path)
            let machine = try setting.idleMachine(image: path)
            machine.tell(.describe)
            let (status, console) = try machine.awaitEnd()
            try require(
                status == 70 && console.hasPrefix(complaint(address)), "status \(status ?? -1), console \(console)")
        }
    }
}
