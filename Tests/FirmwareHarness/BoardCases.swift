import FirmwareWatch
import Foundation
import MPS2Memory
import TestSupport
import Watch
import WatchLink

enum Determinism {
    /// What a wearer does, and what a phone does to it.
    static func play(_ machine: LineBench) throws -> SerialPhone {
        try machine.awaitIdle()
        let inputs: [Input] = [
            .press(.crown), .crown(detents: 3), .crown(detents: -1), .press(.side), .touch(x: 70, y: 80),
            .moved(x: 71, y: 81), .lifted(x: 70, y: 80), .press(.crown),
        ]
        for input in inputs { try machine.act(input, after: .seconds(1)) }
        let phone = SerialPhone(machine)
        try phone.connect()
        try phone.giveList(12)
        for _ in 0..<3 {
            try machine.act(firstRow, after: .seconds(1))
            try phone.settle()
        }
        machine.tell(.describe)
        _ = try machine.nextReport { report -> [UInt8]? in
            guard case .described(let bytes) = report else { return nil }
            return bytes
        }
        return phone
    }

    static func twice(_ setting: HarnessSetting) throws {
        let said = try (0..<2).map { number in
            let machine = try setting.machine(flash: "flash.\(number)")
            let phone = try play(machine)
            try require(phone.checkOffs == 3 && phone.others == 0, "\(phone.checkOffs) check-offs of 3 arrived")
            return machine.said
        }
        try require(said[0] == said[1], "the two machines did not say the same")
        try require(said[0].panel.count > 168 * 20, "the panel was never drawn whole")
    }
}

/// A flash chip whose power is cut, or whose bytes have changed, leaves a watch that starts.
enum FlashTrouble {
    static func powerCuts(_ setting: HarnessSetting) throws {
        for _ in 0..<12 {
            let machine = try setting.machine()
            // The machine is killed with the value, at any moment of the host's time.
            usleep(UInt32.random(in: 0..<100_000, using: &setting.random))
            withExtendedLifetime(machine) {}
        }
        let machine = try setting.machine()
        _ = try Determinism.play(machine)
        try machine.requireSilence()
    }

    static func decay(_ setting: HarnessSetting) throws {
        _ = try Determinism.play(setting.machine())
        let size = FlashChip.geometry.capacity
        let path = URL(filePath: setting.file("flash"))
        let whole = try FileHandle(forReadingFrom: path).read(upToCount: size) ?? Data()
        try require(whole.count == size, "the flash file has \(whole.count) bytes")
        for share in [1, 10, 1_000, size] {
            var data = whole
            for _ in 0..<share {
                // Every other one in the first pages, which hold what the rest is found by.
                let bound = [1_024, size].randomElement(using: &setting.random) ?? size
                data[Int.random(in: 0..<bound, using: &setting.random)] = .random(in: 0...255, using: &setting.random)
            }
            let file = try FileHandle(forUpdating: path)
            try file.write(contentsOf: data)
            try file.close()
            let machine = try setting.idleMachine()
            let phone = SerialPhone(machine)
            try phone.connect()
            try phone.giveList(5)
            try require(phone.isSettled, "\(share) bytes changed: \(phone.goodbyes)")
            try machine.requireLife()
        }
    }
}

/// An image has no power over the host: a call of a debugger is a fault like any other.
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

/// Lines that carry what they should not, or more than they can.
enum LineNoise {
    static func garbage(_ setting: HarnessSetting) throws {
        let machine = try setting.machine(hearing: .everywhere)
        try machine.awaitIdle()
        for line in BoardLine.allCases {
            for count in [1, 100, 3_000] {
                // What no command can be made of by chance: no frame of it passes its check.
                machine.send(setting.random.bytes(count) + [0], on: line)
            }
        }
        try machine.requireLife()
    }

    static func half(_ setting: HarnessSetting) throws {
        let machine = try setting.idleMachine()
        let phone = SerialPhone(machine)
        try phone.connect()
        try phone.giveList(3)
        let frame = SerialFrame.bytes(phone.dataHead, try Datagrams.list(Datagrams.puts(3), sequence: 9))
        for size in [1, 7, frame.count / 2, frame.count - 1] {
            machine.send(Array(frame.prefix(size)), on: .radio)
            try machine.wait(.seconds(30))
            try machine.requireLife()
            // A returning phone begins with a zero, because it does not know what is on the line.
            machine.send([0], on: .radio)
            try phone.connect()
            try require(
                phone.isOpen && phone.goodbyes.isEmpty, "\(phone.channel) after \(size) bytes: \(phone.goodbyes)")
            try phone.queue(Datagrams.puts(1, first: size + 10))
            try phone.settle()
            try require(phone.isSettled, "after \(size) bytes, \(phone.acknowledged) of \(phone.queued) are applied")
        }
    }

    static func burst(_ setting: HarnessSetting) throws {
        let count = try setting.count(0)
        let machine = try setting.machine(pacing: .free)
        try machine.awaitIdle()
        for index in 0..<count { machine.tell(.input(firstRow[index % 2])) }
        var handled: UInt32 = 0
        while handled < count { handled = try machine.awaitIdle() }
        try require(handled == count, "\(handled) inputs of \(count) were handled")
        try machine.requireSilence()
    }
}

/// A fault prints the registers on the console and ends the machine with a failure.
enum ProcessorFaults {
    /// Thumb code, and the console's first words after it.
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
