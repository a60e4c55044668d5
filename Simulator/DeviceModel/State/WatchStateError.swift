import HostSystem

/// Why a file is not the state of a watch that can be loaded. The description is what follows the file's name: one line that
/// says what to do.
package enum WatchStateError: Error, Equatable, Sendable {
    /// It cannot be read: why.
    case unreadable(reason: String)
    /// It is longer than any state: its bytes at least, and the most that are read.
    case tooLong(limit: Int)
    /// There is nothing in it.
    case empty
    /// It is something else.
    case notAState
    /// It was written by a later version of this program.
    case laterVersion(Int)
    /// A part of it is missing or says what cannot be: which.
    case damaged(String)
}

extension WatchStateError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let reason): "\(reason): name a file that save has written"
        case .tooLong(let limit):
            "it has more than \(CountText(limit, "byte")), which no state of a watch has: name a file that save has written"
        case .empty: "it is empty: name a file that save has written"
        case .notAState: "it is not the state of a watch: name a file that save has written"
        case .laterVersion(let version):
            "it is of version \(version), and this tapline reads up to \(WatchStateFile.newestVersion): load it with the tapline that has saved it"
        case .damaged(let what): "its \(PlainLine(what)) cannot be right: save it again, or load a copy that is whole"
        }
    }
}
