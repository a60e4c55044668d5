import CommandSupport
import DeviceModel
import Testing

@testable import tapline

@Suite struct ProfileChoiceTests {
    @Test func `A built-in profile is chosen by its name`() throws {
        for profile in DeviceProfile.builtIn {
            #expect(try DeviceProfile(option: profile.name) == profile)
        }
    }

    @Test(arguments: [
        ("pebble", "no profile 'pebble': choose memory-lcd, colour-spi, instant, or a file such as ./profile.json5"),
        ("no/such.json5", "no/such.json5: the profile cannot be read (No such file or directory)"),
    ])
    func `What is no profile is said in one line`(argument: String, expected: String) {
        let error = #expect(throws: (any Error).self) { _ = try DeviceProfile(option: argument) }
        #expect(error.map { "\($0)" } == expected)
    }

    @Test func `Firmware takes its own time`() {
        #expect(throws: (any Error).self) {
            _ = try WatchCommand.parse(["--board", "reference", "--profile", "memory-lcd"])
        }
        #expect(throws: Never.self) { _ = try WatchCommand.parse(["--profile", "memory-lcd"]) }
    }
}
