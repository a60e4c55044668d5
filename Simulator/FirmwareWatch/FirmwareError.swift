import Glibc
import HostSystem

/// Why the firmware cannot be run. The description is one line and says what to do.
package enum FirmwareError: Error, Equatable, Sendable {
    /// The emulator is not on PATH.
    case noEmulator
    /// There is no file to be run.
    case noImage(path: String)
    /// The file may not be read: the errno.
    case unreadableImage(path: String, errno: CInt)
    /// The file is no program for the board's processor.
    case notAnImage(path: String)
    /// The file ends before the program in it does.
    case truncatedImage(path: String)
    /// The machine ended, or does not answer: what happened.
    case stopped(String)
    /// A call of the operating system failed: its name, and the errno it left.
    case systemCall(String, errno: CInt)
}

extension FirmwareError {
    /// A failed call of the operating system.
    init(_ error: HostSystemError) { self = .systemCall(error.call, errno: error.reason.rawValue) }
}

extension FirmwareError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noEmulator: "qemu-system-arm is not installed: apt-get install qemu-system-arm"
        case .noImage(let path): "no firmware image at \(path): run Hardware/build"
        case .unreadableImage(let path, let number):
            "\(path): the firmware image cannot be read: \(String(cString: strerror(number)))"
        case .notAnImage(let path): "\(path) is no firmware image: run Hardware/build, which makes one"
        case .truncatedImage(let path):
            "\(path) ends before the program in it does: run Hardware/build, which makes it anew"
        case .stopped(let what): what
        case .systemCall(let call, let number): "\(call): \(String(cString: strerror(number)))"
        }
    }
}
