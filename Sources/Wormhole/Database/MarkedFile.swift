import GRDBSQLite
import Synchronization

/// A database's file while a program has it open: it changes by what is copied from its log, and in no other way.
package final class MarkedFile: Sendable {
    /// What a file is beside the database that is read through its log.
    package enum State: Equatable {
        /// All of the log up to the present mark was copied into it: a log begins, or another program has begun one.
        case copied
        /// It is the one that the log was begun on, or a part of the log was copied into it.
        case inLog
        /// It is as it was, and a program has put back an older state through its log.
        case restored
        /// Something else was written into it.
        case replaced
    }

    /// `SQLITE_IOERR_SHORT_READ`, which is a macro with a shift.
    static let shortRead = SQLITE_IOERR | 2 << 8

    package let path: String
    /// Its mark when it was last looked at; nil before that.
    private let last = Mutex<Int32?>(nil)

    /// A file that was not looked at yet.
    package init(path: String) {
        self.path = path
    }

    /// - Parameters:
    ///   - present: the mark of the database through the log.
    ///   - own: the mark of the file alone.
    func state(of present: LogMark, _ own: Int32) -> State {
        let last = last.withLock { $0 }
        if let last, present.hasGoneBack(from: last, to: own) { return .replaced }
        if own == present.mark { return .copied }
        if present.continues(own) { return .inLog }
        return own == last ? .restored : .replaced
    }

    /// Remembers the mark of the file, in a transaction that writes.
    func note(_ own: Int32) {
        last.withLock { $0 = own }
    }
}
