import FirmwareWatch
import Foundation
import Watch

/// An image has no power over the host: what it asks of a debugger is a fault like any other.
enum HostCommands {
    /// Operations of the Arm semihosting specification 2.0 that would leave a file at `path`, each with the words of its block;
    /// the first of them is the address of a text.
    private static let attempts: [(operation: UInt8, text: @Sendable (_ path: String) -> String, rest: [UInt32])] = [
        // SYS_SYSTEM: a command.
        (0x12, { "touch \($0)" }, []),
        // SYS_OPEN: a name, with the mode "w".
        (0x01, { $0 }, [4]),
    ]

    static func run(_ setting: HarnessSetting) throws {
        for (operation, text, rest) in attempts {
            let (image, trace) = (setting.file("image"), setting.file("made-by-the-image"))
            let characters = Array(text(trace).utf8)
            try PlantedCode.write(over: "sendDescription", of: setting.image, to: image) { address in
                call(operation, block: [0] + rest + [UInt32(characters.count)], text: characters, at: address)
            }
            let machine = try setting.idleMachine(image: image)
            machine.tell(.describe)
            let ending = Result { try machine.awaitEnd() }
            try require(
                !FileManager.default.fileExists(atPath: trace), "the image made a file with operation \(operation)")
            let (status, console) = try ending.get()
            try require(
                status == 70 && console.hasPrefix("hard fault pc "), "status \(status ?? -1), console \(console)")
        }
    }

    /// Machine code of the Thumb set that calls the debugger with the address of `block`, and then goes round for ever. Behind
    /// it are the address, the block, whose first word becomes the address of the text, and the text.
    private static func call(_ operation: UInt8, block: [UInt32], text: [UInt8], at address: UInt32) -> [UInt8] {
        // A word is loaded from where the address is a multiple of four: a `nop` in front of the others.
        let padding: [UInt8] = address % 4 == 0 ? [] : [0x00, 0xBF]
        let literal = address + UInt32(padding.count) + 8
        var words = [literal + 4] + block
        words[1] = literal + UInt32(4 * words.count)
        // movs r0, #operation; ldr r1, [pc, #4]; bkpt 0xab; b .
        let code = padding + [operation, 0x20, 0x01, 0x49, 0xAB, 0xBE, 0xFE, 0xE7]
        return code + words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } } + text + [0]
    }
}
