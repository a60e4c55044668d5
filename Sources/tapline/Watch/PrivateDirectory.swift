import Dispatch
import Foundation
import HostSystem
import Synchronization

/// A directory of this run alone, which goes with it: when this value does, and when the program is asked to end.
final class PrivateDirectory: Sendable {
    let path: String

    /// A new directory that only its owner may enter, where the paths of sockets have room.
    init() throws(PrivateDirectoryError) {
        let place = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var failure: CInt = 0
        for parent in [place, "/tmp"].compactMap(\.self) {
            var template = Array("\(parent)/tapline-script.XXXXXX".utf8CString)
            if mkdtemp(&template) != nil {
                path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
                EndOfRun.remove(path)
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

/// There is no room for a directory of a run.
struct PrivateDirectoryError: Error, Equatable, CustomStringConvertible {
    let reason: String

    var description: String { "no directory for the script's files can be made in /tmp: \(reason)" }
}

/// What is to be removed where a signal asks the program to end.
private enum EndOfRun {
    private struct Contents {
        var paths: Set<String> = []
        var sources: [any DispatchSourceSignal] = []
    }

    private static let contents = Mutex(Contents())

    static func remove(_ path: String) {
        contents.withLock { contents in
            contents.paths.insert(path)
            guard contents.sources.isEmpty else { return }
            contents.sources = [SIGINT, SIGTERM, SIGHUP].compactMap(EndOfRun.source)
        }
    }

    static func forget(_ path: String) {
        contents.withLock { _ = $0.paths.remove(path) }
    }

    /// Removes a directory in which other threads of this program may still make files.
    private static func clear(_ path: String) {
        for _ in 0..<10 {
            try? FileManager.default.removeItem(atPath: path)
            if !FileManager.default.fileExists(atPath: path) { return }
        }
    }

    /// Hears a signal, unless whoever has started the program wants it ignored.
    private static func source(of number: CInt) -> (any DispatchSourceSignal)? {
        var before = sigaction()
        sigaction(number, nil, &before)
        guard before.__sigaction_handler.sa_handler == nil else { return nil }
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            // The lock is kept: nobody makes another one any more.
            contents.withLock { contents in
                for path in contents.paths { clear(path) }
                signal(number, SIG_DFL)
                // To this thread: every other one may have it blocked, and it would wait for ever.
                SystemThread.receiving(number) { _ = raise(number) }
                _exit(128 + number)
            }
        }
        source.resume()
        return source
    }
}
