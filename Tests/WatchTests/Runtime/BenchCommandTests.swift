import Testing
import WatchLink

@testable import Watch

struct BenchCommandTests {
    private func written(_ command: BenchCommand) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BenchCommand.largest)
        var count = 0
        do {
            var writer = CBORWriter(bytes.mutableSpan)
            try command.encode(into: &writer)
            count = writer.count
        }
        return Array(bytes.prefix(count))
    }

    private func read(_ bytes: [UInt8]) throws -> BenchCommand {
        var reader = CBORReader(bytes.span)
        return try BenchCommand(from: &reader)
    }

    @Test func `every command comes back as it was`() throws {
        let commands: [BenchCommand] = [
            .input(.touch(x: 0, y: 167)), .input(.touch(x: -32_768, y: 32_767)), .input(.moved(x: -1, y: 168)),
            .input(.lifted(x: 32_767, y: -32_768)), .input(.crown(detents: -128)),
            .input(.crown(detents: 127)), .input(.press(.crown)), .input(.press(.side)), .input(.hold(.crown)),
            .input(.hold(.side)), .describe, .memory,
            .input(.pairing(.compare(digits: 999_999))), .input(.pairing(.over)),
            .input(.pairing(.open)), .input(.pairing(.closed)),
            .go(now: Instant(microseconds: .max), radioBytes: .max), .go(now: .start, radioBytes: 0),
        ]
        for command in commands { #expect(try read(try written(command)) == command) }
    }

    @Test func `what is no command is an error and no trap`() {
        let wrong: [[UInt8]] = [
            [], [0x80], [0x81, 0x00], [0x81, 0x18, 0x40], [0x82, 0x18, 0x41, 0x00], [0x82, 0x18, 0x43, 0x02],
            [0x82, 0x18, 0x42, 0x18, 0x80], [0x82, 0x18, 0x42, 0x38, 0x80], [0x83, 0x18, 0x41, 0x00, 0x19, 0x80, 0x00],
            [0x83, 0x18, 0x41, 0x3B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00], [0xA1, 0x18, 0x44, 0x00],
            [0x82, 0x18, 0x43, 0x19, 0x01, 0x00],
        ]
        for bytes in wrong { #expect(throws: CBORError.self) { try read(bytes) } }
    }
}
