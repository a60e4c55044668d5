import Foundation
import GRDB
import SystemPackage
import Wormhole

extension PhoneError {
    static let noLocks = "its file system has no locks, use one that has"

    init(_ error: any Error, path: String) {
        switch error {
        case let error as PhoneError:
            self = error
        case DatabaseSchema.Fault.foreign:
            self = .damaged(path: path)
        case DatabaseSchema.Fault.otherVersion:
            self = .otherVersion(path: path)
        case DatabaseSchema.Fault.noSharedMemory:
            self = .cannotOpen(path: path, reason: "its file system has no shared memory for SQLite")
        case let cell as InvalidCell:
            self = .damagedValue(path: path, table: cell.table, column: cell.column, value: cell.value)
        case let error as DatabaseError where error.meansNoLocks(at: path):
            self = .cannotOpen(path: path, reason: PhoneError.noLocks)
        case let error as DatabaseError:
            self = PhoneError(error, path: path)
        default:
            self = .storage(path: path, reason: String(describingErrno: error))
        }
    }

    private init(_ error: DatabaseError, path: String) {
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
            // One of Tapline's tables or columns is missing, although the file has Tapline's application ID.
            self = .damaged(path: path)
        default:
            self = .storage(path: path, reason: error.message ?? "SQLite error \(error.extendedResultCode.rawValue)")
        }
    }

    /// Returns the error for a file that SQLite could not open. SQLite gives no reason, so this function opens the file
    /// itself to find the reason.
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
    /// Describes an error in one line, with the system's text for its errno. If the error has no errno, uses the
    /// error's own description.
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
