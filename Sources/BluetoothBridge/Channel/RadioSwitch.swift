import Glibc
import HostSystem

/// The switch that the kernel has for an adapter's radio (rfkill).
enum RadioSwitch {
    /// Whether it is off, by a program or by a switch on the machine's case.
    static func isBlocked(_ adapter: String) -> Bool {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("/sys/class/bluetooth/\(adapter)/rfkill*/[sh][oa]*", 0, nil, &found) == 0 else { return false }
        return (0..<Int(found.gl_pathc)).contains { index in
            found.gl_pathv[index].map { isSet(String(cString: $0)) } ?? false
        }
    }

    /// Whether a file of the kernel's begins with a 1.
    private static func isSet(_ path: String) -> Bool {
        guard let file = try? Descriptors.open(path, O_RDONLY) else { return false }
        defer { close(file) }
        var digit: UInt8 = 0
        return read(file, &digit, 1) == 1 && digit == UInt8(ascii: "1")
    }
}
