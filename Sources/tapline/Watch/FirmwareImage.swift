import Foundation

/// Where the firmware's image is by default.
enum FirmwareImage {
    /// The image that belongs to this executable, `.build/TRIPLE/CONFIGURATION/tapline`, where there is one, or else
    /// the one below the current directory.
    static func usualPath(executable: String?, isFile: (String) -> Bool) -> String {
        let here = ".build/\(name)"
        guard let executable else { return here }
        let build = URL(fileURLWithPath: executable).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let beside = build.appendingPathComponent(name).path
        return isFile(beside) ? beside : here
    }

    /// The image that is usual for this process.
    static var usualPath: String {
        let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return usualPath(executable: executable) { FileManager.default.fileExists(atPath: $0) }
    }

    /// The image in a build directory.
    private static let name = "armv7em-none-none-eabi/release/Firmware"
}
