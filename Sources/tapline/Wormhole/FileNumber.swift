import ArgumentParser
import HostSystem

/// The number of a file, in sixteen hexadecimal digits.
struct FileNumber: ExpressibleByArgument, CustomStringConvertible {
    let value: UInt64

    init?(argument: String) {
        guard argument.utf8.count == 16, let value = UInt64(argument, radix: 16) else { return nil }
        self.value = value
    }

    init(value: UInt64) {
        self.value = value
    }

    var description: String { "\(HexadecimalText(value))" }
}
