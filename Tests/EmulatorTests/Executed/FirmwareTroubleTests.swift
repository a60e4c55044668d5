import TestDoubles
import TestSupport
import Testing
import Watch
import WatchLink

@testable import DeviceModel
@testable import Emulator
@testable import FirmwareHarness

@Suite(.enabled(if: FirmwareUnderTest.reference != nil, "REFERENCE_FIRMWARE names no image"))
struct FirmwareTroubleTests {
    private let image = FirmwareUnderTest.reference

    private func bench() throws -> ExecutedBench {
        try ExecutedBench(try #require(image), phone: InMemoryPhone(items: 12))
    }

    /// Connects the phone. Expects that a tap on the first row checks off an item on the phone.
    private func expectLife(_ bench: ExecutedBench, _ comment: Comment) {
        bench.connect()
        bench.run(for: .seconds(1))
        let before = bench.phone.checkOffs.count
        bench.send(.tap(row: 0))
        bench.run(for: .seconds(2))
        #expect(bench.phone.checkOffs.count == before + 1, comment)
    }

    @Test func `power cuts at random moments leave a watch that starts, and lose no tap that was felt`() throws {
        let bench = try bench()
        var random = SplitMix64(seed: Seed.printed(for: "power cuts of an image"))
        bench.connect()
        var felt = 0
        for _ in 0..<8 {
            bench.send(.tap(row: 0))
            bench.run(for: Microseconds(UInt64.random(in: 0..<400_000, using: &random)))
            felt += bench.patterns.count
            try bench.restart()
            bench.connect()
            bench.run(for: .seconds(1))
            #expect(bench.phone.checkOffs.count >= felt)
        }
        expectLife(bench, "after the power cuts")
    }

    @Test(arguments: [1, 10, 1_000, 100_000])
    func `a watch starts although bytes of its flash chip have changed`(count: Int) throws {
        let whole = try bench()
        expectLife(whole, "before")
        var contents = whole.machine.board.flash.contents
        var random = SplitMix64(seed: Seed.printed(for: "changed bytes of an image's flash"))
        // Every second changed byte is in the first pages, which the firmware needs to find the rest.
        for number in 0..<count {
            contents[.random(in: 0..<(number % 2 == 0 ? 1_024 : 0x3_0000), using: &random)] =
                .random(in: 0...255, using: &random)
        }
        whole.cut()
        // A watch that has lost its flash counts as another watch, and the phone serves only one.
        let phone = count < 1_000 ? whole.phone : InMemoryPhone(items: 5)
        let damaged = try ExecutedBench(
            try #require(image), phone: phone, flash: SerialFlash(contents: contents))
        damaged.connect()
        #expect(damaged.phone.isSynchronized)
        let list = damaged.frame
        damaged.send(.press(.crown))
        damaged.run(for: .milliseconds(400))
        #expect(damaged.frame != list)
        #expect(damaged.machine.resets.count <= 1)
    }

    @Test func `noise on the serial line changes nothing`() throws {
        let bench = try bench()
        var random = SplitMix64(seed: Seed.printed(for: "noise on an image's serial line"))
        for count in [1, 100, 3_000] {
            let cycle = bench.machine.now
            bench.machine.part.receiveSerial(random.bytes(count) + [0], at: cycle)
            bench.run(for: .milliseconds(100))
        }
        #expect(bench.machine.resets.count <= 1)
        expectLife(bench, "after the noise")
    }

    /// Thumb code that causes a fault, and the beginning of the firmware's report about that fault.
    private static let planted: [(code: [UInt8], complaint: String)] = [
        // An instruction that is not defined.
        ([0x00, 0xDE], "usage fault pc "),
        // Pushes eight registers for ever.
        ([0xFF, 0xB4, 0xFD, 0xE7], "stack overflow pc "),
    ]

    @Test(arguments: [0, 1])
    func `a fault prints the registers and resets`(index: Int) throws {
        let (code, complaint) = Self.planted[index]
        let image = try #require(image)
        var file = try image.bytes()
        let elf = try ELFSymbols(file)
        let text = try #require(elf.sections.first { $0.name == ".text" })
        // The watch calls this function when the crown is pressed.
        let function = try #require(elf.symbols.first { $0.kind == .function && $0.name.contains("6follow_2at") })
        let place = text.offset + Int(function.address - text.address)
        file.replaceSubrange(place..<place + code.count, with: code)
        var machine = Machine(try FirmwareImage(file), on: BoardDevices(.reference))
        #expect(machine.run(until: Machine.cyclesPerSecond) == nil)
        #expect(machine.resets.count <= 1)
        try machine.apply(.press(.crown))
        var console = TransferConsole()
        // Stops at the reset, because the console is in RAM and the restarted firmware clears it.
        let (resets, end) = (machine.resets.count, machine.now + Machine.cyclesPerSecond)
        while machine.resets.count == resets, machine.now < end { #expect(machine.step() == nil) }
        #expect(machine.resets.count == resets + 1)
        #expect(String(decoding: console.take(from: &machine), as: UTF8.self).hasPrefix(complaint))
    }

    @Test func `the stacks are never full`() throws {
        let bench = try bench()
        expectLife(bench, "first")
        try ParityScenarios.named("past items")?.steps.forEach(bench.perform)
        let symbols = try ELFSymbols(try #require(image).bytes()).symbols
        for stack in ["linker_stack", "linker_handler_stack"] {
            let bottom = try #require(symbols.first { $0.name == "\(stack)_bottom" }).address
            let paint = try #require(bench.machine.bytes(at: bottom, count: 64))
            #expect(paint == (0..<16).flatMap { _ in [0xC5, 0x5A, 0xC5, 0x5A] as [UInt8] }, "\(stack)")
        }
    }

    @Test func `a tap is drawn as fast however long the list is`() throws {
        let updates = try [8, 32, 128].map { items in
            let bench = try ExecutedBench(try #require(image), phone: InMemoryPhone(items: items))
            bench.connect()
            bench.run(for: .seconds(2))
            // A tap acts when the finger lifts, after 80 ms.
            try bench.play("tap 72,40")
            let line = try bench.play("expect updated within 500ms")
            return try #require(line.firstMatch(of: #/first pixel after (\d+\.\d) ms/#).flatMap { Double($0.1) })
        }
        #expect(updates.allSatisfy { $0 < 110 && abs($0 - updates[0]) < 1 }, "\(updates) ms")
    }
}
