import Glibc
import HostSystem

/// Why a file cannot serve as a watch's flash. The description is one line and says what to do.
public enum FlashFileError: Error, Sendable, Equatable {
    /// Another watch is running on it.
    case inUse(path: String)
    /// It holds something else, or the flash of a watch with another chip. Sizes in bytes.
    case wrongSize(path: String, expected: Int, found: Int)
    /// It is another user's, who could change it and read the list in it: the number of that user.
    case foreign(path: String, user: UInt32)
    /// It is a directory, a pipe or a device.
    case notAFile(path: String)
    /// The system refused; `code` is its errno.
    case cannotOpen(path: String, code: Int32)
}

extension FlashFileError: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .inUse(let path):
            "\(path): another watch is running on this flash file; quit that watch or name another file"
        case .wrongSize(let path, let expected, let found):
            "\(path): this is not a watch's flash (\(CountText(found, "byte")) instead of \(expected)): name another file; where "
                + "check-offs may wait in it, copy it, give the copy its size back (truncate -s \(expected)) and look "
                + "what is in it with tapline watch --check-flash"
        case .foreign(let path, let user):
            "\(path): this file belongs to user \(user), who could read and change it; name another file, or take it over (chown)"
        case .notAFile(let path):
            "\(path): this is not a regular file and cannot hold a watch's flash; name another file"
        case .cannotOpen(let path, let code):
            "\(path): the flash file cannot be used (\(String(cString: strerror(code)))): name another file"
        }
    }
}
