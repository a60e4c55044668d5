import Glibc
import SystemPackage

/// A directory that only this user enters (mode 0700), where sockets are served.
public struct SocketDirectory: Hashable, Sendable {
    /// Where it is.
    public let path: String

    /// The directory at `path`, created with mode 0700 where it is missing, and the missing ones above it too.
    ///
    /// - Throws: `.unsafeDirectory` where it is no directory, belongs to another user or is open to others; `.system`
    ///   where it cannot be created.
    public init(path: String) throws(WormholeError) {
        self.path = path
        var information = stat()
        if lstat(path, &information) != 0 {
            guard Errno(rawValue: errno) == .noSuchFileOrDirectory else { throw SocketCalls.failure("lstat", path) }
            try SocketDirectory.create(path)
            guard lstat(path, &information) == 0 else { throw SocketCalls.failure("lstat", path) }
        }
        if let fault = SocketDirectory.fault(mode: information.st_mode, owner: information.st_uid, user: geteuid()) {
            throw .unsafeDirectory(path: path, fault)
        }
    }

    /// The path of the socket `name` in this directory.
    public func path(of name: String) -> String {
        path.hasSuffix("/") ? path + name : path + "/" + name
    }

    /// What is wrong with a directory of this mode and owner, if anything, for this user.
    static func fault(mode: mode_t, owner: uid_t, user: uid_t) -> DirectoryFault? {
        guard mode & S_IFMT == S_IFDIR else { return .notADirectory }
        guard owner == user else { return .foreignOwner(user: owner) }
        guard mode & 0o077 == 0 else { return .openToOthers(mode: mode & 0o7777) }
        return nil
    }

    private static func create(_ path: String) throws(WormholeError) {
        if mkdir(path, 0o700) == 0 { return }
        switch Errno(rawValue: errno) {
        case .fileExists: return
        case .noSuchFileOrDirectory:
            var parent = FilePath(path)
            guard parent.removeLastComponent(), !parent.isEmpty else { throw SocketCalls.failure("mkdir", path) }
            try create(parent.string)
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SocketCalls.failure("mkdir", path) }
        default: throw SocketCalls.failure("mkdir", path)
        }
    }
}
