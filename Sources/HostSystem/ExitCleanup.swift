import Dispatch
import Foundation
import Synchronization

/// Removes files if SIGINT, SIGTERM, SIGHUP or SIGQUIT ends the program. A program that handles one of these signals itself
/// must not use this.
package enum ExitCleanup {
    private struct Contents {
        var paths: Set<String> = []
        var sources: [any DispatchSourceSignal] = []
    }

    private static let contents = Mutex(Contents())

    /// Registers a file or a directory for removal if SIGINT, SIGTERM, SIGHUP or SIGQUIT ends the program.
    package static func remove(_ path: String) {
        contents.withLock { contents in
            contents.paths.insert(path)
            guard contents.sources.isEmpty else { return }
            contents.sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].compactMap(ExitCleanup.source)
        }
    }

    package static func forget(_ path: String) {
        contents.withLock { _ = $0.paths.remove(path) }
    }

    /// Removes a file or a directory. Tries up to ten times, because other threads may still create files in the directory.
    private static func clear(_ path: String) {
        for _ in 0..<10 {
            try? FileManager.default.removeItem(atPath: path)
            if !FileManager.default.fileExists(atPath: path) { return }
        }
    }

    /// Returns a source that removes the files and ends the program when the signal arrives. Returns nil if the program was
    /// started with that signal ignored.
    private static func source(of number: CInt) -> (any DispatchSourceSignal)? {
        var before = sigaction()
        sigaction(number, nil, &before)
        // SIG_IGN is 1 and no function. The Swift runtime may have a handler for SIGQUIT, which prints a backtrace.
        guard unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) != 1 else { return nil }
        return signalSource(number) {
            // The lock is held until the program ends, so no other thread can add a path.
            contents.withLock { contents in
                for path in contents.paths { clear(path) }
                // No core dump, so that SIGQUIT ends the program as the other signals do.
                var none = rlimit(rlim_cur: 0, rlim_max: 0)
                setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
                signal(number, SIG_DFL)
                // If every other thread blocked the signal, it would never arrive.
                SystemThread.receiving(number) { _ = raise(number) }
                _exit(128 + number)
            }
        }
    }
}

/// Calls `body` on a global queue whenever the signal arrives, in place of the signal's usual effect.
package func signalSource(_ number: CInt, _ body: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler(handler: body)
    source.resume()
    return source
}
