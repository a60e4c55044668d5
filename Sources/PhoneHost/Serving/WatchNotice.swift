/// Something about a watch that its owner should know.
enum WatchNotice: Equatable, Sendable {
    /// It was forgotten, because too many others have connected since.
    case forgotten
}

extension WatchNotice: CustomStringConvertible {
    /// What happened, as the end of a line that begins with the watch.
    var description: String {
        switch self {
        case .forgotten: "was away longest of \(WatchHandshake.mostLocalWatches) watches and is forgotten"
        }
    }
}
