import Foundation
import GRDB
import SystemPackage

extension PhoneError {
    /// What `error`, thrown while the database at `path` was in use, means to the person who reads it.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as PhoneError:
            self = error
        case let error as DatabaseError:
            self = PhoneError(error, path: path)
        default:
            self = .storage(path: path, reason: String(describingErrno: error))
        }
    }

    /// What a failure of SQLite means.
    init(_ error: DatabaseError, path: String) {
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_FORMAT, .SQLITE_MISMATCH:
            self = .damaged(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM:
            self = .readOnly(path: path)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self = .locked(path: path)
        case .SQLITE_FULL:
            self = .diskFull(path: path)
        case .SQLITE_CANTOPEN:
            self = .unopened(path: path)
        case .SQLITE_ERROR where error.message?.hasPrefix("no such") == true:
            // A table or column of ours is missing although the file says that it is ours.
            self = .damaged(path: path)
        default:
            self = .storage(path: path, reason: error.message ?? "SQLite error \(error.extendedResultCode.rawValue)")
        }
    }

    /// Why a file that SQLite could not open cannot be opened; SQLite itself does not say.
    private static func unopened(path: String) -> PhoneError {
        do {
            let file = try FileDescriptor.open(FilePath(path), .readWrite, options: [.closeOnExec])
            try file.close()
            return .readOnly(path: path)
        } catch Errno.permissionDenied, Errno.readOnlyFileSystem, Errno.notPermitted, Errno.noSuchFileOrDirectory {
            return .readOnly(path: path)
        } catch {
            return .cannotOpen(path: path, reason: String(describingErrno: error))
        }
    }
}

extension String {
    /// The system's own words for `error` where it has an errno, else the error's description, on one line.
    init(describingErrno error: any Error) {
        if let error = error as? Errno {
            self = error.description
        } else if let posix = (error as? CocoaError)?.underlying as? POSIXError {
            self = Errno(rawValue: posix.code.rawValue).description
        } else {
            self = "\(error.localizedDescription)".split(whereSeparator: \.isNewline).joined(separator: " ")
        }
    }
}
