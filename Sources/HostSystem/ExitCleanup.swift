import Dispatch
import Foundation
import Synchronization

/// Removes files if a signal ends the program. A program that handles those signals itself does not use this.
package enum ExitCleanup {
    private struct Contents {
        var paths: Set<String> = []
        var sources: [any DispatchSourceSignal] = []
    }

    private static let contents = Mutex(Contents())

    /// Removes a file, or a directory with all that is in it, on SIGINT, SIGTERM, SIGHUP or SIGQUIT.
    package static func remove(_ path: String) {
        contents.withLock { contents in
            contents.paths.insert(path)
            guard contents.sources.isEmpty else { return }
            contents.sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].compactMap(ExitCleanup.source)
        }
    }

    /// Leaves the file to the program.
    package static func forget(_ path: String) {
        contents.withLock { _ = $0.paths.remove(path) }
    }

    /// Removes a directory in which other threads of this program may still make files.
    private static func clear(_ path: String) {
        for _ in 0..<10 {
            try? FileManager.default.removeItem(atPath: path)
            if !FileManager.default.fileExists(atPath: path) { return }
        }
    }

    /// Handles a signal, unless the program was started with that signal ignored.
    private static func source(of number: CInt) -> (any DispatchSourceSignal)? {
        var before = sigaction()
        sigaction(number, nil, &before)
        // SIG_IGN is 1, which is no function. Of SIGQUIT the Swift runtime may have a handler, which prints a backtrace.
        guard unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) != 1 else { return nil }
        return signalSource(number) {
            // The lock is kept: no other thread adds a path any more.
            contents.withLock { contents in
                for path in contents.paths { clear(path) }
                // SIGQUIT ends the program as the others do: without a core.
                var none = rlimit(rlim_cur: 0, rlim_max: 0)
                setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
                signal(number, SIG_DFL)
                // To this thread: every other one may have it blocked, and the signal would wait for ever.
                SystemThread.receiving(number) { _ = raise(number) }
                _exit(128 + number)
            }
        }
    }
}

/// Has a signal do something, and nothing else.
package func signalSource(_ number: CInt, _ body: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler(handler: body)
    source.resume()
    return source
}
