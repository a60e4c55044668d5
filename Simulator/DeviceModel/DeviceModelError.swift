import Glibc
import HostSystem
import SystemPackage

/// An error of the device model. Code that reads or runs a script throws `ScriptError` instead.
public enum DeviceModelError: Error, Equatable, Sendable {
    /// A system call failed. The case holds the name of the system call and the value of errno.
    case systemCall(String, errno: CInt)
    /// The path names a directory, a pipe or a device, and a regular file is needed.
    case notAFile
    /// The bytes are not a one-bit image of the panel's size. The text says what is wrong.
    case malformedImage(String)
    case encodingFailed(String)
}

extension DeviceModelError {
    init(_ error: HostSystemError) {
        self = .systemCall(error.call, errno: error.reason.rawValue)
    }

    /// The reason for the error in words. Unlike `description`, it does not name the system call.
    public var reason: String {
        switch self {
        case .systemCall(_, let number): String(cString: strerror(number))
        case .notAFile, .malformedImage, .encodingFailed: description
        }
    }
}

extension EventDescriptor {
    package static func make() throws(DeviceModelError) -> EventDescriptor {
        do throws(HostSystemError) {
            return try EventDescriptor()
        } catch {
            throw DeviceModelError(error)
        }
    }
}

extension DeviceModelError: CustomStringConvertible {
    /// One line for the user.
    public var description: String {
        switch self {
        case .systemCall(let call, let number): Errno(rawValue: number).explanation(of: call)
        case .notAFile: "not a regular file"
        case .malformedImage(let detail): "not an image of the panel: \(detail)"
        case .encodingFailed(let detail): "the image could not be encoded: \(detail)"
        }
    }
}
