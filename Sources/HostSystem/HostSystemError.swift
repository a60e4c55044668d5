import SystemPackage

/// A call of the operating system that failed.
public struct HostSystemError: Error, Hashable, Sendable {
    /// The name of the C function that failed.
    public let call: String
    /// The error code of the call.
    public let reason: Errno

    init(_ call: String, _ reason: Errno) {
        self.call = call
        self.reason = reason
    }
}

extension HostSystemError: CustomStringConvertible {
    /// One line for the user: the call, the reason, and what to do if that is known.
    public var description: String { reason.explanation(of: call) }
}

extension Errno {
    /// Whether the error of a locking call means that the file system has no locks.
    package var meansNoLocks: Bool { [.noLocks, .notSupported, .noFunction].contains(self) }

    /// One line for the user: the C function, its file, the reason, and what to do if a limit was reached.
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
