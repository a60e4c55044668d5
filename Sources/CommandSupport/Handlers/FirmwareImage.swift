import Foundation

/// An image for the watch's processor, and where it is by default.
package enum FirmwareImage: String {
    /// The watch's own, for QEMU.
    case watch = "Firmware"
    /// The one that the lab executes.
    case lab = "LabFirmware"

    /// The image that belongs to this executable, `.build/TRIPLE/CONFIGURATION/tapline`, where there is one, or else
    /// the one below the current directory.
    package func usualPath(executable: String?, isFile: (String) -> Bool) -> String {
        let name = "armv7em-none-none-eabi/release/\(rawValue)"
        let here = ".build/\(name)"
        guard let executable else { return here }
        let build = URL(fileURLWithPath: executable).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let beside = build.appendingPathComponent(name).path
        return isFile(beside) ? beside : here
    }

    /// The image that is usual for this process.
    package var usualPath: String {
        usualPath(executable: FirmwareImage.ownExecutable) { FileManager.default.fileExists(atPath: $0) }
    }

    /// The file of this process; nil where the system does not say.
    package static var ownExecutable: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}
