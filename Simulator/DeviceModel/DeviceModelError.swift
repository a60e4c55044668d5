import Glibc
import HostSystem
import SystemPackage

/// An error of the device model. Scripts have `ScriptError`.
public enum DeviceModelError: Error, Equatable, Sendable {
    /// A system call failed: its name and errno.
    case systemCall(String, errno: CInt)
    /// The path is of a directory, a pipe or a device, but a regular file is needed.
    case notAFile
    /// The bytes are not a one-bit image of the panel's size; the text says why.
    case malformedImage(String)
    /// libpng could not encode the image; the text is libpng's own.
    case encodingFailed(String)
}

extension DeviceModelError {
    init(_ error: HostSystemError) {
        self = .systemCall(error.call, errno: error.reason.rawValue)
    }

    /// The reason without the name of the call: the meaning of the errno.
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
    /// One line for a person.
    public var description: String {
        switch self {
        case .systemCall(let call, let number): Errno(rawValue: number).explanation(of: call)
        case .notAFile: "not a regular file"
        case .malformedImage(let detail): "not an image of the panel: \(detail)"
        case .encodingFailed(let detail): "the image could not be encoded: \(detail)"
        }
    }
}
