import Foundation

/// A directory of this run alone, which goes with it: when this value does, and when the program is asked to end.
final class PrivateDirectory: Sendable {
    let path: String

    /// A new directory that only its owner may enter, where the paths of sockets have room.
    ///
    /// - Parameter hearing: whether it is also removed where a signal asks the program to end.
    init(hearing: SignalHearing = .endOfRun) throws(PrivateDirectoryError) {
        let place = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var failure: CInt = 0
        for parent in [place, "/tmp"].compactMap(\.self) {
            var template = Array("\(parent)/tapline-script.XXXXXX".utf8CString)
            if mkdtemp(&template) != nil {
                path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
                switch hearing {
                case .endOfRun: EndOfRun.remove(path)
                case .display: break
                }
                return
            }
            failure = errno
        }
        throw PrivateDirectoryError(reason: String(cString: strerror(failure)))
    }

    deinit { remove() }

    /// The path of a file in it.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Removes it with all that is in it. A second time it does nothing.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
        EndOfRun.forget(path)
    }
}

/// Who hears a signal that asks a watch's program to end.
enum SignalHearing {
    /// `EndOfRun`.
    case endOfRun
    /// The session that draws on the terminal, which then ends as if it had been asked to.
    case display
}

/// There is no room for a directory of a run.
struct PrivateDirectoryError: Error, Equatable, CustomStringConvertible {
    let reason: String

    var description: String { "no directory for the script's files can be made in /tmp: \(reason)" }
}
