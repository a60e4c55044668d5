import Glibc

/// Why a watch in a terminal was closed.
public enum ExitReason: Equatable, Sendable {
    /// Its user asked for it, or its input came to an end.
    case asked
    /// A signal asked for it: SIGTERM or SIGHUP. (SIGINT is how the terminal says Ctrl-C: the user asked.)
    case signal(CInt)
    /// The terminal has gone away.
    case terminalGone
    /// The hardware under the watch's program ended by itself: why, in one line.
    case watchFailed(reason: String)

    /// The exit status by which a shell can tell: 0, 1 for a failure, or 128 and the signal's number, as for a program that it killed. A
    /// terminal that has gone away counts as SIGHUP, which it sends to those it controls.
    public var exitStatus: CInt {
        switch self {
        case .asked: 0
        case .watchFailed: 1
        case .terminalGone: 128 + SIGHUP
        case .signal(let number): 128 + number
        }
    }
}
