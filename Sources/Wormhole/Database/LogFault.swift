/// Why a database and its write-ahead log are not used together; see `LogMark`.
package enum LogFault: Error, Equatable {
    /// Something else was written into the file than from its log, while it was in use.
    case databaseReplaced(path: String)
    /// The log beside the file is that of another state of it, or of another file.
    case foreignLog(path: String)
    /// There is a log, and no file, or an empty one.
    case logWithoutFile(path: String)
}

extension LogFault: CustomStringConvertible {
    /// One line: what happened, then what to do.
    package var description: String {
        switch self {
        case .databaseReplaced(let path):
            "another file was written over \(path) while it was in use, and nothing is stored any more: end all programs that "
                + "use it, and open it again"
        case .foreignLog(let path):
            "the log \(path)-wal is not of this \(path), which was put in the place of another, or which another program wrote: "
                + "move \(path)-wal and \(path)-shm away to open it as it is, or put back the one that they belong to"
        case .logWithoutFile(let path):
            "\(path) is gone or empty, and its log \(path)-wal is there: put the file back, or move \(path)-wal and "
                + "\(path)-shm away to begin anew"
        }
    }
}
