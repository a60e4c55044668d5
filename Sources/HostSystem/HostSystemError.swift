import SystemPackage

/// An error from the operating system.
public struct HostSystemError: Error, Hashable, Sendable {
    /// What failed: the name of a C function, the program that cannot be started, or a TCP port such as "port 3333".
    public let call: String
    /// The system's error code.
    public let reason: Errno

    init(_ call: String, _ reason: Errno) {
        self.call = call
        self.reason = reason
    }
}

extension HostSystemError: CustomStringConvertible {
    /// One line for the user: what failed, the reason, and what to do if that is known.
    public var description: String { reason.explanation(of: call) }
}

extension Errno {
    /// Whether this error, from a call that locks a file, means that the file system has no locks.
    package var meansNoLocks: Bool { [.noLocks, .notSupported, .noFunction].contains(self) }

    /// Returns one line for the user: what failed, the path, and the reason. If a limit was reached or the file system has
    /// no locks, the line also says what to do.
    package func explanation(of call: String, on path: String? = nil) -> String {
        let subject = path.map { "\(call) \($0)" } ?? call
        return switch self {
        case .tooManyOpenFiles: "\(subject): \(self): close other connections, or raise the limit (ulimit -n)"
        case .tooManyOpenFilesInSystem:
            "\(subject): \(self): end other programs, or raise the limit (sysctl fs.file-max)"
        // pthread_create(3) fails with this error if there are too many threads.
        case .resourceTemporarilyUnavailable where call == "pthread_create":
            "\(subject): no further thread: end other programs, or raise the limit (ulimit -u)"
        case _ where call == "flock" && meansNoLocks: "\(subject): the file system has no locks: use one that has"
        case _: "\(subject): \(self)"
        }
    }
}
