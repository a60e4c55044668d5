import SystemPackage

/// A failed call of the operating system.
public struct HostSystemError: Error, Hashable, Sendable {
    /// The name of the C function.
    public let call: String
    /// The error code of the system call.
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
    /// Whether a locking call failed because the file system has no locks.
    package var meansNoLocks: Bool { [.noLocks, .notSupported, .noFunction].contains(self) }

    /// One line for the user: the C function that failed, the reason, and what to do if a limit is the cause.
    ///
    /// - Parameters:
    ///   - call: the name of the C function.
    ///   - path: the file that the call was for; nil if there is none.
    package func explanation(of call: String, on path: String? = nil) -> String {
        let subject = path.map { "\(call) \($0)" } ?? call
        return switch self {
        case .tooManyOpenFiles: "\(subject): \(self): close other connections, or raise the limit (ulimit -n)"
        case .tooManyOpenFilesInSystem:
            "\(subject): \(self): end other programs, or raise the limit (sysctl fs.file-max)"
        // pthread_create(3) reports a reached limit on threads with this error.
        case .resourceTemporarilyUnavailable where call == "pthread_create":
            "\(subject): no further thread: end other programs, or raise the limit (ulimit -u)"
        case _ where call == "flock" && meansNoLocks: "\(subject): the file system has no locks: use one that has"
        case _: "\(subject): \(self)"
        }
    }
}
