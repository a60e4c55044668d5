import Wormhole

/// Why a running watch cannot be reached. The description is one line and says what to do.
package enum WatchControlError: Error, Equatable, Sendable {
    /// No watch of this user runs in the directory.
    case noWatch(directory: String)
    /// Several do, in these processes, and none was chosen.
    case severalWatches([Int32])
    /// None runs in this process.
    case notAWatch(process: Int32, running: [Int32])
    /// The watch has ended.
    case ended
    /// It answers something that is no answer.
    case strangeAnswer
    /// What is to be done is longer than a watch takes at once, in bytes.
    case tooLong(bytes: Int, limit: Int)
    /// The sockets cannot be used.
    case sockets(WormholeError)
}

extension WatchControlError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noWatch(let directory): "no watch is running with sockets in \(directory): start one with tapline watch"
        case .severalWatches(let processes):
            "\(processes.count) watches are running: choose one with --process \(WatchControlError.list(processes))"
        case .notAWatch(let process, let running) where running.isEmpty:
            "process \(process) is no watch, and no other process is: start one with tapline watch"
        case .notAWatch(let process, let running):
            "process \(process) is no watch: choose one with --process \(WatchControlError.list(running))"
        case .ended: "the watch has ended"
        case .strangeAnswer:
            "the watch answers in a way that this version does not know: use the same version of tapline"
        case .tooLong(let bytes, let limit):
            "\(bytes) bytes are too long for a watch, which takes \(limit) at once: send them in parts, or put them into a file and "
                + "send include FILE"
        case .sockets(let error): error.description
        }
    }

    private static func list(_ processes: [Int32]) -> String {
        processes.map { "\($0)" }.joined(separator: ", ")
    }
}
